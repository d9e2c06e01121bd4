package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// waves are the intervals of 50 ms in a closed load of 64 calls in flight for 5 s. They begin together and take 250 ms, give or
// take a part, and from a time on by a factor as long.
func waves(random *rand.Rand, part, from, factor float64) []result.Interval {
	const length, lasts = 50e6, 5e9
	list := make([]result.Interval, lasts/length)
	sums := make([]float64, len(list))
	for i := range list {
		list[i] = result.Interval{StartNs: int64(i * length), EndNs: int64((i + 1) * length), InFlight: 64}
	}
	for range 64 {
		for now := 0.0; ; {
			takes := 250e6 * (1 + part*(2*random.Float64()-1))
			if now >= from {
				takes *= factor
			}
			if now += takes; now >= lasts {
				break
			}
			i := int(now / length)
			list[i].OK++
			sums[i] += takes
		}
	}
	for i := range list {
		if list[i].OK > 0 {
			list[i].ResponseMeanNs = int64(sums[i] / float64(list[i].OK))
		}
	}
	return list
}

// Calls that take longer than an interval end together for a while, and none in the first intervals. Only where they take another
// time is there a change.
func TestCallsThatComeInWavesAreSteady(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, part := range []float64{0.02, 0.3, 0.6} {
		accused, found := 0, 0
		for range 100 {
			if stationaryOf(waves(random, part, 0, 1)) != "" {
				accused++
			}
			if stationaryOf(waves(random, part, 2.5e9, 1.3)) == CodeStep {
				found++
			}
		}
		if accused > 4 || found < 96 {
			t.Errorf("±%v: of 100 steady phases %d are accused, of 100 with a step of 30%% %d are found", part, accused, found)
		}
	}
}

func stationaryOf(intervals []result.Interval) Code {
	trial := &Trial{Trial: &result.Trial{Spec: plan.Spec{Load: plan.LoadClosed}}}
	trial.Intervals = intervals
	for _, f := range notStationary(&measurement{}, trial) {
		return f.Code
	}
	return ""
}

func TestAPointIsPlacedInThePhase(t *testing.T) {
	t.Parallel()
	s := series{values: make([]float64, 100), since: 0.2}
	if at := s.at(50); math.Abs(at-0.6) > 1e-9 {
		t.Errorf("at %v of the phase, want 0.6", at)
	}
}

// All calls may be of the first ones.
func TestAPhaseThatIsShortForItsCallsIsTakenWhole(t *testing.T) {
	t.Parallel()
	few := taking(900e6, intervals(0, 0, 0, 0, 0, 0, 0, 0, 3, 3))
	if got := after(2, few); len(got) != len(few) {
		t.Errorf("%d intervals of %d", len(got), len(few))
	}
}

// Counts of calls that take longer than an interval vary by the bursts in which they end.
func TestLongCallsAreJudgedByTheirResponses(t *testing.T) {
	t.Parallel()
	long := waves(rand.New(rand.NewPCG(3, 4)), 0.3, 0, 1)
	if s := seriesOf(plan.Spec{Load: plan.LoadClosed}, long); s.of != ofResponse {
		t.Errorf("long calls are judged by their %s", s.of)
	}
	if s := seriesOf(plan.Spec{Load: plan.LoadClosed}, taking(20e6, long)); s.of == ofResponse {
		t.Error("short calls are judged by their responses")
	}
}

// Many calls that end together are a point in time each time.
func TestCallsThatEndAtFewTimesAreNotTooFew(t *testing.T) {
	t.Parallel()
	trial := &Trial{Trial: &result.Trial{Spec: plan.Spec{Load: plan.LoadClosed}}, OK: 300}
	trial.WindowNs = 1e9
	trial.Intervals = taking(250e6, intervals(0, 0, 100, 0, 0, 100, 0, 0, 100, 0))
	found := notStationary(&measurement{trial: trial, spec: trial.Spec}, trial)
	if len(found) != 1 || !strings.Contains(found[0].Why, "300 calls in 1.00 s ended at too few times to show") {
		t.Errorf("%+v", found)
	}
}
