package ab_test

import (
	"math"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/run/campaign"
	"rpcbench/internal/run/campaign/ab"
)

// carryOut measures trials of an experiment until it is over or has the given number of trials. B makes twice as many calls as A,
// and each trial takes 10 s.
func carryOut(t *testing.T, x *ab.Experiment, most int, fails bool) (made int) {
	t.Helper()
	now := time.Unix(0, 0)
	for ; made < most; made++ {
		batch := x.Next(now, made)
		if len(batch.Trials) == 0 {
			break
		}
		trial := batch.Trials[0]
		calls := int64(1000)
		if ab.Side(trial.Cases[0].Scenario).IsB() {
			calls = 2000
		}
		evidence := result.Trial{
			ID: trial.ID, Repetition: trial.Repetition, Spec: trial.Spec, Cases: trial.Cases, Status: result.StatusOK,
			Clients: []result.Client{{Record: result.Record{ElapsedNs: 1e9,
				Arrivals: calls, Outcomes: []result.Outcome{{Code: "OK", Calls: calls}},
				Intervals: []result.Interval{{EndNs: 1e9, OK: calls}},
			}}},
		}
		if fails {
			evidence.Status, evidence.Failure = result.StatusFailed, "nobody listens"
		}
		if err := x.See(campaign.Measured{Trial: evidence, Name: "r"}); err != nil {
			t.Fatal(err)
		}
		now = now.Add(10 * time.Second)
	}
	return made
}

func experiment(most int, end time.Duration) *ab.Experiment {
	return &ab.Experiment{
		Settings: ab.Settings{Seed: 1, Alike: 6, Same: 0.05, Most: most},
		Base: plan.Trial{ID: "x", Spec: plan.Spec{Stack: "tcp", Server: "tcp", Kind: "unary", Connections: 1, InFlight: 1,
			Load: plan.LoadClosed, DurationNs: 1e9}},
		Metric: analysis.CallsPerSec, End: time.Unix(0, 0).Add(end),
	}
}

func TestAnExperimentMeasuresPairsUntilTheyAreEnough(t *testing.T) {
	t.Parallel()
	x := experiment(14, time.Hour)
	made := carryOut(t, x, 1000, false)
	if found := x.Judge(analysis.CallsPerSec); made != 2*len(x.Outcomes) || x.TimeUp ||
		math.Abs(found.Look.Ratio.Value-2) > 1e-9 || found.Decision() != stat.Greater {
		t.Errorf("%d trials of %d pairs: %+v", made, len(x.Outcomes), found)
	}
	a, b := x.Median(ab.A, analysis.CallsPerSec), x.Median(ab.B, analysis.CallsPerSec)
	if a != 1000 || b != 2000 {
		t.Errorf("A has %v, and B %v", a, b)
	}
}

func TestAPairThatIsNotOverDoesNotCount(t *testing.T) {
	t.Parallel()
	x := experiment(8, time.Hour)
	carryOut(t, x, 17, false) // the first of pair 9
	whole := experiment(8, time.Hour)
	carryOut(t, whole, 16, false)
	if len(x.Outcomes) != 8 || x.Judge(analysis.CallsPerSec).Pairs != 2 ||
		x.Median(ab.A, analysis.CallsPerSec) != whole.Median(ab.A, analysis.CallsPerSec) {
		t.Errorf("%+v", x.Outcomes)
	}
}

// A pair is thought to take as long as the slowest before it: 20 s here, where the plan expects less.
func TestNoPairBeginsThatTheTimeDoesNotSufficeFor(t *testing.T) {
	t.Parallel()
	for end, pairs := range map[time.Duration]int{79 * time.Second: 3, 80 * time.Second: 4} {
		x := experiment(8, end)
		if carryOut(t, x, 1000, false); len(x.Outcomes) != pairs || !x.TimeUp {
			t.Errorf("in %v: %d pairs, time up: %v; want %d", end, len(x.Outcomes), x.TimeUp, pairs)
		}
	}
}

func TestThreePairsThatFailEndAnExperiment(t *testing.T) {
	t.Parallel()
	x := experiment(8, time.Hour)
	if made := carryOut(t, x, 1000, true); made != 6 || !ab.Failing(x.Outcomes) || x.Failure != "nobody listens" {
		t.Errorf("after %d trials: %q", made, x.Failure)
	}
}
