package driver

import (
	"slices"
	"testing"
	"testing/synctest"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// A measured phase that still became faster counts as warm-up: its calls are in no figure.
func TestAMeasuredPhaseThatBecameFasterCountsAsWarmUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		warming   []bool
		least     int64 // of the warm-up; 200 ms is its most
		prolonged int
		heard     int // measured phases
	}{
		{"never", []bool{false}, 100, 0, 1}, {"once", []bool{true, false}, 100, 1, 2},
		{"always", []bool{true, true, true, true}, 100, 2, 3}, {"a fixed warm-up", []bool{true}, 200, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client, judged := &player{}, 0
				config := Config{
					Silence: 1000 * ms, Stall: 1000 * ms, Steady: func([]float64) bool { return true },
					Warming: func(_ plan.Spec, clients []result.Client) bool {
						judged++
						if len(clients[0].Intervals) != 3 {
							t.Errorf("judged by %d intervals", len(clients[0].Intervals))
						}
						return c.warming[judged-1]
					},
				}
				s := played(t, config, spec(100*ms, 200*ms, 300*ms), &player{}, client)
				s.spec.WarmupNs = c.least * int64(ms)
				if err := s.warmUp(t.Context()); err != nil {
					t.Fatal(err)
				}
				before := s.evidence.Clients[0].Warmup.ElapsedNs
				if err := s.runWarm(t.Context()); err != nil {
					t.Fatal(err)
				}
				measured := 0
				for _, command := range client.heard {
					if command == "begin measured" {
						measured++
					}
				}
				kept := s.evidence.Clients[0]
				if kept.Warmup.Prolonged != c.prolonged || measured != c.heard || kept.Arrivals != 3*5 || len(kept.Intervals) != 3 {
					t.Errorf("prolonged by %d, %q, %d arrivals, %d intervals", kept.Warmup.Prolonged, client.heard, kept.Arrivals,
						len(kept.Intervals))
				}
				if got, want := kept.Warmup.ElapsedNs-before, int64(c.prolonged)*int64(300*ms); got != want {
					t.Errorf("the warm-up became %d longer, want %d", got, want)
				}
				if !slices.Contains(client.heard, "mark") || kept.Begin == nil || kept.End == nil || kept.Begin.TimeNs >= kept.End.TimeNs {
					t.Errorf("snapshots %+v and %+v", kept.Begin, kept.End)
				}
			})
		})
	}
}
