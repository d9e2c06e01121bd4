package reporttest

import (
	"fmt"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// Pairs has so many pairs of an experiment with two servers, B being slower by 30%. In so many of them, the last ones, a tenth of
// the calls of A or of B fail.
func Pairs(t *testing.T, of, failedOfA, failedOfB int) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "ab.jsonl", Header: result.Header{AB: &result.AB{
		A: result.Program{Command: []string{"./old"}}, B: result.Program{Command: []string{"./new"}},
		Metrics: []string{"response_p99_ns"}, SameRatio: 0.05,
	}}}
	for pair := 1; pair <= of; pair++ {
		for i, failed := range []int{failedOfA, failedOfB} {
			model := Models[1]
			model.Factor *= 1 + 0.002*float64(pair) + 0.3*float64(i)
			trial := Invent(t, Points()[1], model, 2)
			side := string(rune('a' + i))
			trial.ID, trial.Repetition = fmt.Sprint(side, pair), pair
			trial.Cases = []plan.Case{{Scenario: side, Title: side}}
			if pair > of-failed {
				client := &trial.Clients[0]
				client.Outcomes = append(client.Outcomes, result.Outcome{Code: "UNAVAILABLE", Calls: client.Arrivals / 9})
				client.Arrivals += client.Arrivals / 9
			}
			file.Trials = append(file.Trials, trial)
		}
	}
	return Built(t, file)
}
