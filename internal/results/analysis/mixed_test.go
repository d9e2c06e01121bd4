package analysis

import (
	"testing"

	"rpcbench/internal/results/result"
)

// Calls of a mix are merged over the clients of a trial, each with its like.
func TestCallsOfAMixAddUpOverClients(t *testing.T) {
	t.Parallel()
	client := func(first, second int64) result.Client {
		part := func(calls int64) result.Record {
			return result.Record{Arrivals: calls, Outcomes: []result.Outcome{{Code: "OK", Calls: calls}}, PayloadIn: 10 * calls}
		}
		whole := part(first + second)
		whole.WindowNs = 1e9
		whole.Mixed = []result.Record{part(first), part(second)}
		return result.Client{Record: whole}
	}
	sum, err := Together([]result.Client{client(3, 1), client(5, 2)})
	if err != nil {
		t.Fatal(err)
	}
	if len(sum.Mixed) != 2 || sum.Mixed[0].Arrivals != 8 || sum.Mixed[1].Arrivals != 3 || sum.Mixed[1].PayloadIn != 30 ||
		sum.Mixed[0].Outcomes[0].Calls != 8 || sum.Mixed[1].WindowNs != 1e9 {
		t.Errorf("%+v", sum.Mixed)
	}
	if err := sum.CheckCounts(); err != nil {
		t.Error(err)
	}
}
