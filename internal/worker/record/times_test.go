package record_test

import (
	"sync"
	"testing"
	"time"

	"rpcbench/internal/worker/record"
)

func TestTimesAreKeptBySortUntilTheyAreTaken(t *testing.T) {
	t.Parallel()
	times := record.NewTimes(3, "a", "b", "c", "d")
	var slots sync.WaitGroup
	for slot := range 10 {
		slots.Go(func() {
			for i := range 100 {
				times.Record(slot, 1, time.Duration(slot*100+i+1)*us)
				times.Record(slot, 3, time.Second)
			}
		})
	}
	slots.Wait()
	times.Record(0, 3, 2*time.Hour)
	sorts, clamped := times.Take()
	if len(sorts) != 2 || sorts["b"] == nil || sorts["d"] == nil {
		t.Fatalf("histograms %v, want b and d", sorts)
	}
	if n, p50 := sorts["b"].TotalCount(), record.Quantile(sorts["b"], .5); n != 1000 || p50 < 500_000 || p50 > 500_500 {
		t.Errorf("b has %d times, p50 %d ns, want 1000 and 500000", n, p50)
	}
	if n := sorts["d"].TotalCount(); n != 1001 || clamped != 1 {
		t.Errorf("d has %d times, %d clamped, want 1001 and 1", n, clamped)
	}
	times.Record(5, 3, time.Second)
	sorts, clamped = times.Take()
	if len(sorts) != 1 || sorts["d"].TotalCount() != 1 || clamped != 0 {
		t.Errorf("then %v and %d clamped, want one time of d", sorts, clamped)
	}
}

func TestATimeAllocatesNothing(t *testing.T) {
	times := record.NewTimes(4, "a", "b", "c")
	times.Record(0, 2, us) // makes its histogram
	if got := testing.AllocsPerRun(1000, func() { times.Record(0, 2, us) }); got != 0 {
		t.Errorf("%v allocations, want none", got)
	}
}
