package floor_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"rpcbench/internal/check/floor"
)

func TestEveryMachineHasAFloor(t *testing.T) {
	t.Parallel()
	f, err := floor.Measure(t.Context(), 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	for what, within := range map[string]bool{
		"clock cost":     f.ClockCost > 0 && f.ClockCost < 50*time.Microsecond,
		"clock step":     f.ClockStep > 0 && f.ClockStep < time.Millisecond,
		"timer lateness": f.LateP50 > 0 && f.LateP50 <= f.LateP99 && f.LateP99 < time.Second,
		"hiccups":        f.HiccupsPerSec >= 0 && f.HiccupMax > 0,
		"round trip":     f.RoundTripP50 > time.Microsecond && f.RoundTripP50 <= f.RoundTripP99,
		"sparse trip":    f.SparseP50 > time.Microsecond && f.SparseP50 < time.Second,
		"bandwidth":      f.BytesPerSec > 1e6,
	} {
		if !within {
			t.Errorf("the %s can't be: %+v", what, f)
		}
	}
}

func TestAnInterruptionEndsIt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := floor.Measure(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestTheWorstPartIsTheDoubt(t *testing.T) {
	t.Parallel()
	base := floor.Floor{ClockStep: 30, LateP50: 20, RoundTripP50: 100, RoundTripP99: 110}
	clock, timer, trip := base, base, base
	clock.ClockStep, timer.LateP50, trip.RoundTripP99 = 4000, 5000, 6100
	for want, f := range map[time.Duration]floor.Floor{30: base, 4000: clock, 5000: timer, 6000: trip} {
		if got := f.Doubt(); got != want {
			t.Errorf("the doubt of %+v is %d, want %d", f, got, want)
		}
	}
}
