package floor_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"rpcbench/internal/check/floor"
)

// In such a short time a machine's results may be anything, as long as they are consistent.
func TestEveryMachineHasAFloor(t *testing.T) {
	t.Parallel()
	f, err := floor.Measure(t.Context(), 20*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	for what, is := range map[string]bool{
		"clock":      f.ClockCost >= 0 && f.ClockStep > 0,
		"timer":      f.LateP50 >= 0 && f.LateP50 <= f.LateP99,
		"hiccups":    f.HiccupsPerSec >= 0 && f.HiccupMax > 0 && (f.HiccupsPerSec > 0) == (f.HiccupMax > floor.HiccupFrom),
		"round trip": f.RoundTripP50 >= 0 && f.RoundTripP50 <= f.RoundTripP99,
		"loopback":   f.SparseP50 >= 0 && f.BytesPerSec >= 0,
	} {
		if !is {
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
