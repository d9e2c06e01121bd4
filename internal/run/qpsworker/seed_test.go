package qpsworker

import (
	"testing"

	testpb "google.golang.org/grpc/interop/grpc_testing"
)

// Equal arrivals of several clients would all be at once, and of several rounds be one sample.
func TestEveryRoundHasItsOwnArrivals(t *testing.T) {
	t.Parallel()
	params := &testpb.LoadParams{Load: &testpb.LoadParams_Poisson{Poisson: &testpb.PoissonParams{OfferedLoad: 500}}}
	seeds := make(map[uint64]bool)
	for range 3 {
		load, err := loadOf(params)
		if err != nil {
			t.Fatal(err)
		}
		c := &client{load: load}
		for range 3 {
			round := c.drawn()
			if round.GetArrivals() != "poisson" || round.GetPerSec() != 500 {
				t.Errorf("load %v, want poisson at 500/s", round)
			}
			seeds[round.GetSeed()] = true
		}
	}
	if len(seeds) != 9 {
		t.Errorf("9 rounds have the seeds %v", seeds)
	}
}
