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

// hiccupsOf returns the hiccups of naps that are late by each of these in turn. The watch ends when they are over.
func hiccupsOf(late ...time.Duration) (got *control.Quantiles) {
	h := newHiccups(&atomic.Int64{})
	h.measure(func(d time.Duration) {
		if len(late) > 0 {
			time.Sleep(d + late[0])
			late = late[1:]
			return
		}
		if got == nil {
			got = h.end()
		}
		time.Sleep(d)
	})
	return got
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
				if diff := cmp.Diff(c.want, roundHiccups(hiccupsOf(c.late...)), protocmp.Transform()); diff != "" {
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
		got := hiccupsOf(48 * time.Hour)
		if got.Calls != 1 || got.MaxNs < time.Hour.Nanoseconds() {
			t.Errorf("got %+v, want one of an hour", got)
		}
	})
}

func TestTheEndOfAWatchWaitsForNoNapButTheFirst(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		after, late, took time.Duration // late are all naps
		want              *control.Quantiles
	}{
		"in the first":           {3 * ms, 0, 7 * ms, &control.Quantiles{Calls: 1}},
		"in a later one":         {23 * ms, 0, 0, &control.Quantiles{Calls: 2}},
		"in one late by 3 ms":    {43 * ms, 5 * ms, 0, &control.Quantiles{Calls: 3, P50Ns: 5e6, P99Ns: 5e6, MaxNs: 5e6}},
		"in one late by 7 ms":    {47 * ms, 20 * ms, 0, &control.Quantiles{Calls: 3, P50Ns: 10e6, P99Ns: 20e6, MaxNs: 20e6}},
		"in one not late as yet": {25 * ms, 5 * ms, 0, &control.Quantiles{Calls: 1, P50Ns: 5e6, P99Ns: 5e6, MaxNs: 5e6}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				worst := &atomic.Int64{}
				end := watchHiccups(func(d time.Duration) { time.Sleep(d + c.late) }, worst)
				time.Sleep(c.after)
				begun := time.Now()
				got := roundHiccups(end())
				if took := time.Since(begun); took != c.took {
					t.Errorf("it took %v, want %v", took, c.took)
				}
				time.Sleep(time.Second)
				if diff := cmp.Diff(c.want, got, protocmp.Transform()); diff != "" || worst.Load() != c.want.MaxNs {
					t.Errorf("the worst is %d; (-want +got):\n%s", worst.Load(), diff)
				}
			})
		})
	}
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
