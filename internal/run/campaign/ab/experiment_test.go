package ab_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/run/campaign"
	"rpcbench/internal/run/campaign/ab"
)

// carryOut measures trials of an experiment until it is over or has the given number of trials, those before included, and
// returns all of them. B makes twice as many calls as A, and each trial takes 10 s.
func carryOut(t *testing.T, x *ab.Experiment, most int, fails bool, before ...result.Trial) (trials []result.Trial) {
	t.Helper()
	now := time.Unix(0, 0)
	for trials = before; len(trials) < most; {
		batch := x.Next(now, len(trials))
		if len(batch.Trials) == 0 {
			break
		}
		trial := batch.Trials[0]
		calls := int64(1000)
		if pairs.Side(trial.Cases[0].Scenario).IsB() {
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
		trials = append(trials, evidence)
		now = now.Add(10 * time.Second)
	}
	return trials
}

func experiment(most int, end time.Duration) *ab.Experiment {
	measured := pairs.New(&result.AB{Metrics: []string{"calls_per_sec"}, SameRatio: 0.05})
	measured.Most = most
	return &ab.Experiment{
		Experiment: measured, Settings: ab.Settings{Seed: 1, Alike: 6},
		Base: plan.Trial{ID: "x", Spec: plan.Spec{Stack: "tcp", Server: "tcp", Kind: "unary", Connections: 1, InFlight: 1,
			Load: plan.LoadClosed, DurationNs: 1e9}},
		End: time.Unix(0, 0).Add(end),
	}
}

func TestAnExperimentMeasuresPairsUntilTheyAreEnough(t *testing.T) {
	t.Parallel()
	x := experiment(14, time.Hour)
	made := len(carryOut(t, x, 1000, false))
	if found := x.Judge(analysis.CallsPerSec); made != 2*x.Pairs() || x.Ending != pairs.Complete ||
		math.Abs(found.Look.Ratio.Value-2) > 1e-9 || found.Decision() != stat.Greater {
		t.Errorf("%d trials of %d pairs: %+v", made, x.Pairs(), found)
	}
	a, b := x.Summary(pairs.A, analysis.CallsPerSec).Median, x.Summary(pairs.B, analysis.CallsPerSec).Median
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
	if x.Pairs() != 8 || x.Judge(analysis.CallsPerSec).Pairs != 2 ||
		x.Summary(pairs.A, analysis.CallsPerSec).Median != whole.Summary(pairs.A, analysis.CallsPerSec).Median {
		t.Errorf("%+v", x.Outcomes(analysis.CallsPerSec))
	}
}

// A pair is thought to take as long as the slowest before it: 20 s here, where the plan expects less.
func TestNoPairBeginsThatTheTimeDoesNotSufficeFor(t *testing.T) {
	t.Parallel()
	for end, want := range map[time.Duration]int{79 * time.Second: 3, 80 * time.Second: 4} {
		x := experiment(8, end)
		if carryOut(t, x, 1000, false); x.Pairs() != want || x.Ending != pairs.TimeUp {
			t.Errorf("in %v: %d pairs, ending %q; want %d", end, x.Pairs(), x.Ending, want)
		}
	}
}

func TestThreePairsThatFailEndAnExperiment(t *testing.T) {
	t.Parallel()
	x := experiment(8, time.Hour)
	if made := len(carryOut(t, x, 1000, true)); made != 6 || !x.GivesUp() || x.Failure != "nobody listens" {
		t.Errorf("after %d trials: %q", made, x.Failure)
	}
}

// An experiment that goes on measures what it would have. A pair of which it has one trial is measured again.
func TestAnExperimentGoesOnAfterAnyOfItsTrials(t *testing.T) {
	t.Parallel()
	whole := experiment(14, time.Hour)
	all := carryOut(t, whole, 1000, false)
	want := whole.Outcomes(analysis.CallsPerSec)
	for n := range len(all) + 1 {
		x := experiment(14, time.Hour)
		if err := x.Recall(&result.File{Name: "r", Trials: all[:n]}); err != nil {
			t.Fatal(err)
		}
		trials := carryOut(t, x, 1000, false, slices.Clone(all[:n])...)
		if got := x.Outcomes(analysis.CallsPerSec); !slices.Equal(got, want) || len(trials) != len(all)+n%2 {
			t.Errorf("after %d trials: %d in all, %+v; want %d, %+v", n, len(trials), got, len(all)+n%2, want)
		}
	}
}

func TestAnExperimentDoesNotGoOnWithoutATrialInTheMiddle(t *testing.T) {
	t.Parallel()
	all := carryOut(t, experiment(14, time.Hour), 12, false)
	for first, want := range map[int]string{
		4: "r lacks a trial of pair 3, so the experiment can't go on", 5: "r lacks a trial of pair 3, so the experiment can't go on",
		11: "<nil>", // the last
	} {
		err := experiment(14, time.Hour).Recall(&result.File{Name: "r", Trials: slices.Delete(slices.Clone(all), first, first+1)})
		if fmt.Sprint(err) != want {
			t.Errorf("without trial %d: %v, want %s", first+1, err, want)
		}
	}
	if err := experiment(14, time.Hour).Recall(&result.File{Name: "r", Trials: slices.Delete(slices.Clone(all), 4, 6)}); err == nil {
		t.Error("without a whole pair it goes on")
	}
}

// Three pairs that failed end an experiment. It goes on after them, until three more fail.
func TestAnExperimentGoesOnAfterFailures(t *testing.T) {
	t.Parallel()
	failed := carryOut(t, experiment(14, time.Hour), 1000, true)
	resumed := func() *ab.Experiment {
		x := experiment(14, time.Hour)
		if err := x.Recall(&result.File{Name: "r", Trials: failed}); err != nil {
			t.Fatal(err)
		}
		return x
	}
	x := resumed()
	carryOut(t, x, 1000, false, slices.Clone(failed)...)
	if x.GivesUp() || x.Judge(analysis.CallsPerSec).Decision() != stat.Greater {
		t.Errorf("%+v", x.Outcomes(analysis.CallsPerSec))
	}
	x = resumed()
	if trials := carryOut(t, x, 1000, true, slices.Clone(failed)...); !x.GivesUp() || len(trials) != 2*len(failed) {
		t.Errorf("%d trials", len(trials))
	}
}

// A trial that was interrupted is replaced: the next has its ID. Those after it have numbers that no trial has.
func TestAnInterruptedTrialIsReplaced(t *testing.T) {
	t.Parallel()
	before := carryOut(t, experiment(14, time.Hour), 6, false)
	before[5].Interrupted = true
	x := experiment(14, time.Hour)
	if err := x.Recall(&result.File{Name: "r", Trials: before}); err != nil || x.Ending != pairs.Complete {
		t.Fatal(err, x.Ending)
	}
	trials := carryOut(t, x, 9, false, slices.Clone(before)...)
	if got := []string{trials[6].ID, trials[7].ID, trials[8].ID}; !slices.Equal(got, []string{"x-6", "x-8", "x-9"}) ||
		trials[6].Repetition != 3 || trials[7].Repetition != 3 {
		t.Errorf("%q, pairs %d and %d", got, trials[6].Repetition, trials[7].Repetition)
	}
}
