package answer

import (
	"slices"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign"
	"rpcbench/internal/run/campaign/ab"
)

// measured carries out pairs of A and B of which each trial has so many calls, and the outcomes that its side is given.
func measured(t *testing.T, pairs int, outcomes map[ab.Side][]result.Outcome, failure map[ab.Side]string) Experiment {
	t.Helper()
	x := Experiment{&ab.Experiment{Settings: ab.Settings{Most: 100}, Metric: analysis.CallsPerSec, End: time.Unix(1e6, 0),
		Base: plan.Trial{ID: "x", Spec: plan.Spec{Stack: "tcp", Server: "tcp", Kind: "unary", Connections: 1, InFlight: 1,
			Load: plan.LoadClosed, DurationNs: 1e9}}}}
	for made := range 2 * pairs {
		trial := x.Next(time.Unix(0, 0), made).Trials[0]
		side := ab.Side(trial.Cases[0].Scenario)
		var arrivals int64
		for _, outcome := range outcomes[side] {
			arrivals += outcome.Calls
		}
		evidence := result.Trial{ID: trial.ID, Repetition: trial.Repetition, Spec: trial.Spec, Cases: trial.Cases,
			Status: result.StatusOK, Clients: []result.Client{{Record: result.Record{ElapsedNs: 1e9, Arrivals: arrivals,
				Outcomes: outcomes[side], Intervals: []result.Interval{{EndNs: 1e9, OK: 1000}}}}}}
		if evidence.Failure = failure[side]; evidence.Failure != "" {
			evidence.Status = result.StatusFailed
		}
		if err := x.See(campaign.Measured{Trial: evidence, Name: "r"}); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func TestTheAnswerSaysWhatFailed(t *testing.T) {
	t.Parallel()
	fine := []result.Outcome{{Code: "OK", Calls: 1000}}
	for _, test := range []struct {
		name     string
		outcomes map[ab.Side][]result.Outcome
		failure  map[ab.Side]string
		want     []string
	}{
		{"nothing", map[ab.Side][]result.Outcome{ab.A: fine, ab.B: fine}, nil, nil},
		{"one call in a hundred", map[ab.Side][]result.Outcome{ab.A: fine,
			ab.B: {{Code: "OK", Calls: 990}, {Code: "INTERNAL", Calls: 10, Example: "INTERNAL: no cache"}}}, nil,
			[]string{"Failed calls: none of 4,000 to A, 1.00% (40 of 4,000, INTERNAL: no cache) to B."}},
		{"calls of both", map[ab.Side][]result.Outcome{
			ab.A: {{Code: "OK", Calls: 999}, {Code: "UNSENT", Calls: 1}},
			ab.B: {{Code: "OK", Calls: 990}, {Code: "ABORTED", Calls: 1}, {Code: "DEADLINE_EXCEEDED", Calls: 9, Example: "late"}}}, nil,
			[]string{"Failed calls: 0.10% (4 of 4,000, UNSENT) to A, 1.00% (40 of 4,000, most of them DEADLINE_EXCEEDED: late) to B."}},
		{"trials", map[ab.Side][]result.Outcome{ab.A: fine, ab.B: fine}, map[ab.Side]string{ab.B: "server B exited"},
			[]string{"3 of 3 trials of B failed, the last because: server B exited."}},
	} {
		pairs := 4
		if test.failure != nil {
			pairs = 3 // then it ends
		}
		if got := measured(t, pairs, test.outcomes, test.failure).failures(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// The other trial of the pair may come after the one that failed.
func TestTheLastFailureIsThatOfATrialThatFailed(t *testing.T) {
	t.Parallel()
	fine := map[ab.Side][]result.Outcome{ab.A: {{Code: "OK", Calls: 1000}}, ab.B: {{Code: "OK", Calls: 1000}}}
	for pairs := 1; pairs <= 2; pairs++ { // one ends with A, one with B
		if got := measured(t, pairs, fine, map[ab.Side]string{ab.B: "server B exited"}).Failure; got != "server B exited" {
			t.Errorf("after %d pairs the failure is %q", pairs, got)
		}
	}
}
