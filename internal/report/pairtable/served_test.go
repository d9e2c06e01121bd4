package pairtable_test

import (
	"fmt"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/pairtable"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
)

// failing are so many pairs, in so many of which, the last ones, a tenth of B's calls fail.
func failing(t *testing.T, of, failed int) *pairs.Experiment {
	t.Helper()
	file := &result.File{Name: "ab.jsonl", Header: result.Header{AB: &result.AB{
		A: result.Program{Command: []string{"./old"}}, B: result.Program{Command: []string{"./new"}},
		Metrics: []string{"response_p99_ns"}, SameRatio: 0.05,
	}}}
	for pair := 1; pair <= of; pair++ {
		for i, side := range []pairs.Side{pairs.A, pairs.B} {
			model := reporttest.Models[1]
			model.Factor *= 1 + 0.002*float64(pair) + 0.3*float64(i)
			trial := reporttest.Invent(t, reporttest.Points()[1], model, 2)
			trial.ID, trial.Repetition = fmt.Sprint(side, pair), pair
			trial.Cases = []plan.Case{{Scenario: string(side), Title: string(side)}}
			if side.IsB() && pair > of-failed {
				client := &trial.Clients[0]
				client.Outcomes = append(client.Outcomes, result.Outcome{Code: "UNAVAILABLE", Calls: client.Arrivals / 9})
				client.Arrivals += client.Arrivals / 9
			}
			file.Trials = append(file.Trials, trial)
		}
	}
	return pairs.Of(reporttest.Built(t, file))[0]
}

func TestAPercentileThatIsUnboundedIsNoTime(t *testing.T) {
	t.Parallel()
	const unbounded = "response_p99 of B is unbounded in %d of 16 trials: more of their calls failed than the percentile leaves " +
		"out. B is slower than A."
	for failed, want := range map[int]string{
		0: "B is 29.5% slower than A in response_p99 (29.2–29.8%, 16 pairs).",
		4: "B is 29.8% slower than A in response_p99 (29.4% or more, 16 pairs).",
		8: fmt.Sprintf(unbounded, 8), 16: fmt.Sprintf(unbounded, 16),
	} {
		if got := pairtable.Sentences(failing(t, 16, failed))[0]; got != want {
			t.Errorf("%d trials fail: %s\nwant %s", failed, got, want)
		}
	}
}
