package record_test

import (
	"sync"
	"testing"
	"time"

	"rpcbench/internal/record"
)

func TestTimesAreKeptBySortUntilTheyAreTaken(t *testing.T) {
	t.Parallel()
	times := record.NewTimes(3, 4)
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
	if sorts[0] != nil || sorts[2] != nil || len(sorts) != 4 {
		t.Errorf("histograms %v, want those of sorts 1 and 3", sorts)
	}
	if n, p50 := sorts[1].TotalCount(), record.Quantile(sorts[1], .5); n != 1000 || p50 < 500_000 || p50 > 500_500 {
		t.Errorf("sort 1 has %d times, p50 %d ns, want 1000 and 500000", n, p50)
	}
	if n := sorts[3].TotalCount(); n != 1001 || clamped != 1 {
		t.Errorf("sort 3 has %d times, %d clamped, want 1001 and 1", n, clamped)
	}
	times.Record(5, 3, time.Second)
	sorts, clamped = times.Take()
	if sorts[1] != nil || sorts[3].TotalCount() != 1 || clamped != 0 {
		t.Errorf("then %v and %d clamped, want one time of sort 3", sorts, clamped)
	}
}

func TestATimeAllocatesNothing(t *testing.T) {
	times := record.NewTimes(4, 4)
	times.Record(0, 2, us) // makes its histogram
	if got := testing.AllocsPerRun(1000, func() { times.Record(0, 2, us) }); got != 0 {
		t.Errorf("%v allocations, want none", got)
	}
}
