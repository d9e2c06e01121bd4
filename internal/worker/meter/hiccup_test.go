package meter

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

// napsLateBy returns a nap that is late by each of these in turn, and ends the measurement with the last.
func napsLateBy(over *atomic.Bool, late ...time.Duration) func(time.Duration) {
	return func(d time.Duration) {
		time.Sleep(d + late[0])
		if late = late[1:]; len(late) == 0 {
			over.Store(true)
		}
	}
}

func TestHiccupsAreWhatANapIsLateBy(t *testing.T) {
	t.Parallel()
	const us, ms = time.Microsecond, time.Millisecond
	var over99 []time.Duration // 99 naps that are on time within a µs
	for range 99 {
		over99 = append(over99, us)
	}
	for name, c := range map[string]struct {
		late []time.Duration
		want *control.Quantiles
	}{
		"one":     {[]time.Duration{50 * us}, &control.Quantiles{Calls: 1, P50Ns: 50e3, P99Ns: 50e3, MaxNs: 50e3}},
		"on time": {[]time.Duration{0, 0}, &control.Quantiles{Calls: 2}},
		"rare":    {append(slices.Clip(over99), ms), &control.Quantiles{Calls: 100, P50Ns: 1e3, P99Ns: 1e3, MaxNs: 1e6}},
		// A pause of 50 ms beyond the period holds up those who come in it by 50, 40, 30, 20 and 10 ms.
		"a long pause": {[]time.Duration{50 * ms}, &control.Quantiles{Calls: 5, P50Ns: 30e6, P99Ns: 50e6, MaxNs: 50e6}},
		"a standstill": {append(slices.Clip(over99), 3*time.Second),
			&control.Quantiles{Calls: 100, P50Ns: 1e3, P99Ns: 1e3, MaxNs: 3e9}},
		"ended early, by signals": {[]time.Duration{-5 * ms, -2 * ms, 25 * us},
			&control.Quantiles{Calls: 1, P50Ns: 25e3, P99Ns: 25e3, MaxNs: 25e3}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var over atomic.Bool
				got := measureHiccups(napsLateBy(&over, c.late...), &over, &atomic.Int64{})
				if diff := cmp.Diff(c.want, roundHiccups(got), protocmp.Transform()); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}

// roundHiccups keeps 2 digits: a histogram of 3 may add to the third.
func roundHiccups(h *control.Quantiles) *control.Quantiles {
	for _, ns := range []*int64{&h.P50Ns, &h.P99Ns, &h.MaxNs} {
		unit := int64(1)
		for *ns/unit >= 100 {
			unit *= 10
		}
		*ns -= *ns % unit
	}
	return h
}

func TestHiccupsOfAMachineThatStoodStillForDays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var over atomic.Bool
		got := measureHiccups(napsLateBy(&over, 48*time.Hour), &over, &atomic.Int64{})
		if got.Calls != 1 || got.MaxNs < time.Hour.Nanoseconds() {
			t.Errorf("got %+v, want one of an hour", got)
		}
	})
}

// BenchmarkHiccups reports the cost of the meter: "core-%" should stay below 1.
func BenchmarkHiccups(b *testing.B) {
	for b.Loop() {
		before, begun := host.Self(), time.Now()
		end := watchHiccups(host.Nap, &atomic.Int64{})
		time.Sleep(2 * time.Second)
		h := end()
		used := cpuOf(host.Self()) - cpuOf(before)
		b.ReportMetric(100*used.Seconds()/time.Since(begun).Seconds(), "core-%")
		b.ReportMetric(float64(h.P50Ns), "p50-ns")
		b.ReportMetric(float64(h.P99Ns), "p99-ns")
		b.ReportMetric(float64(h.MaxNs), "max-ns")
	}
}
