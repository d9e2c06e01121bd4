package analysis

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"rpcbench/internal/results/result"
)

// uneven is a closed trial of 2 s at 2,000 calls/s whose points of 50 ms have noise, and a part of the calls from the middle on.
func uneven(t *testing.T, random *rand.Rand, repetition int, noise, part float64) result.Trial {
	t.Helper()
	one := trial(t, spec("grpc-go"), repetition, 4000, 1_000_000)
	list := one.Clients[0].Intervals
	for i := range list[:40] {
		calls := 100 * (1 + noise*random.NormFloat64())
		if i >= 20 {
			calls *= part
		}
		list[i].OK = max(int64(calls), 1)
	}
	return one
}

// What single trials are too noisy to show, all of a row do; what they show together is a row's verdict, not each trial's.
func TestTrialsAreJudgedTogether(t *testing.T) {
	t.Parallel()
	const (
		alone    = `^calls per second varied so much that no step under \d+% could be seen\. Trials of about `
		stepped  = `changed by -\d+% of its median after [45]\d% of the measured phase, in 10 trials taken together \(`
		together = `could be seen, even in all 3 taken together\. Trials of about \d+(\.\d+)? s, or about \d+ of this length, ` +
			`would probably do$`
	)
	for name, test := range map[string]struct {
		trials      int
		noise, part float64
		change      func(i int, trial *result.Trial)
		want        string
		why         string
	}{
		"at rest":     {10, 0.30, 1, nil, VerdictOK, ""},
		"one trial":   {1, 0.30, 1, nil, VerdictNotJudged, alone},
		"with a step": {10, 0.30, 0.7, nil, VerdictNotStationary, stepped},
		"too noisy":   {3, 0.60, 1, nil, VerdictNotJudged, together},
		"of two sorts": {10, 0.30, 1, func(i int, one *result.Trial) {
			one.Spec.DurationNs += int64(i % 2)
		}, VerdictNotJudged, alone},
		"interrupted": {10, 0.30, 1, func(i int, one *result.Trial) {
			if i == 0 {
				interruptAt(one, 2e9)
			}
		}, VerdictInterrupted, ""},
	} {
		random := rand.New(rand.NewPCG(19, 20))
		var trials []result.Trial
		for i := range test.trials {
			one := uneven(t, random, i+1, test.noise, test.part)
			if test.change != nil {
				test.change(i, &one)
			}
			trials = append(trials, one)
		}
		row := onlyRow(t, build(t, file("a", trials...)))
		if got := row.Verdict(); got != test.want {
			t.Errorf("%s: %s, want %s: %+v", name, got, test.want, row.Doubts())
			continue
		}
		if test.why != "" && !regexp.MustCompile(test.why).MatchString(row.Doubts()[0].Why) {
			t.Errorf("%s: %q, want %q", name, row.Doubts()[0].Why, test.why)
		}
		openTrials := 0
		for _, one := range row.Trials {
			if slices.ContainsFunc(one.Findings(), func(f Finding) bool { return f.Verdict == VerdictNotJudged }) {
				openTrials++
			}
		}
		if 2*openTrials < test.trials {
			t.Errorf("%s: %d of %d trials by themselves can't be judged", name, openTrials, test.trials)
		}
		if name == "interrupted" && !slices.ContainsFunc(row.Doubts(), func(d Doubt) bool { return d.Verdict == VerdictNotJudged }) {
			t.Errorf("%s: a row with a shorter trial was judged: %+v", name, row.Doubts())
		}
	}
}
