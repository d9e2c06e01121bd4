package analysis

import (
	"math/rand/v2"
	"testing"

	"rpcbench/internal/plan"
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

// What the trials of a mix show together is the verdict of its calls too, whose speed is judged with the whole.
func TestCallsOfAMixHaveTheVerdictOfTheirTrials(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(19, 20))
	var trials []result.Trial
	for i := range 10 {
		one := uneven(t, random, i+1, 0.30, 0.7)
		one.Spec.Method = &plan.Method{Mix: make([]plan.MixedMethod, 2)}
		whole := &one.Clients[0].Record
		half := result.Record{Arrivals: whole.Arrivals / 2, Histograms: whole.Histograms,
			Outcomes: []result.Outcome{{Code: result.CodeOK, Calls: whole.Arrivals / 2}}}
		whole.Mixed = []result.Record{half, half}
		trials = append(trials, one)
	}
	row := onlyRow(t, build(t, file("a", trials...)))
	if row.Verdict() != VerdictNotStationary || len(row.Mixed) != 2 {
		t.Fatalf("%s, %d calls", row.Verdict(), len(row.Mixed))
	}
	for i, one := range row.Mixed {
		if one.Verdict() != row.Verdict() {
			t.Errorf("call %d: %s, want %s", i, one.Verdict(), row.Verdict())
		}
	}
}
