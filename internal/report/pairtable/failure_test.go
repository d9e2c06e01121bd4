package pairtable

import (
	"slices"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
)

// measured has pairs of A and B of which each trial has so many calls, and the outcomes that its side is given.
func measured(
	t *testing.T, number int, outcomes map[pairs.Side][]result.Outcome, failure map[pairs.Side]string,
) *pairs.Experiment {
	t.Helper()
	file := &result.File{Name: "r", Header: result.Header{AB: &result.AB{Metrics: []string{"calls_per_sec"}}}}
	for i := range 2 * number {
		side := []pairs.Side{pairs.A, pairs.B, pairs.B, pairs.A}[i%4]
		var arrivals int64
		for _, outcome := range outcomes[side] {
			arrivals += outcome.Calls
		}
		evidence := result.Trial{ID: string(rune('a' + i)), Repetition: i/2 + 1, Started: time.Unix(int64(i), 0),
			Spec: plan.Spec{Stack: "tcp", Server: "tcp", Kind: "unary", Connections: 1, InFlight: 1, Load: plan.LoadClosed,
				DurationNs: 1e9},
			Cases: []plan.Case{{Scenario: string(side), Title: side.Title()}}, Status: result.StatusOK,
			Clients: []result.Client{{Record: result.Record{ElapsedNs: 1e9, Arrivals: arrivals,
				Outcomes: outcomes[side], Intervals: []result.Interval{{EndNs: 1e9, OK: 1000}}}}}}
		if evidence.Failure = failure[side]; evidence.Failure != "" {
			evidence.Status = result.StatusFailed
		}
		file.Trials = append(file.Trials, evidence)
	}
	r, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	found := pairs.Of(r)
	if len(found) != 1 {
		t.Fatalf("%d experiments", len(found))
	}
	return found[0]
}

func TestTheAnswerSaysWhatFailed(t *testing.T) {
	t.Parallel()
	fine := []result.Outcome{{Code: "OK", Calls: 1000}}
	for _, test := range []struct {
		name     string
		outcomes map[pairs.Side][]result.Outcome
		failure  map[pairs.Side]string
		want     []string
	}{
		{"nothing", map[pairs.Side][]result.Outcome{pairs.A: fine, pairs.B: fine}, nil, nil},
		{"one call in a hundred", map[pairs.Side][]result.Outcome{pairs.A: fine,
			pairs.B: {{Code: "OK", Calls: 990}, {Code: "INTERNAL", Calls: 10, Example: "INTERNAL: no cache"}}}, nil,
			[]string{"Failed calls: none of 4,000 to A, 1.00% (40 of 4,000, INTERNAL, first: no cache) to B."}},
		{"calls of both", map[pairs.Side][]result.Outcome{
			pairs.A: {{Code: "OK", Calls: 999}, {Code: "UNSENT", Calls: 1}},
			pairs.B: {{Code: "OK", Calls: 990}, {Code: "ABORTED", Calls: 1}, {Code: "DEADLINE_EXCEEDED", Calls: 9, Example: "late"}}}, nil,
			[]string{"Failed calls: 0.10% (4 of 4,000, UNSENT) to A, 1.00% (40 of 4,000, most of them " +
				"DEADLINE_EXCEEDED, first: late) to B."}},
		{"trials", map[pairs.Side][]result.Outcome{pairs.A: fine, pairs.B: fine}, map[pairs.Side]string{pairs.B: "server B exited"},
			[]string{"3 of 3 trials of B failed, the last because: server B exited."}},
	} {
		number := 4
		if test.failure != nil {
			number = 3 // then it ends
		}
		if got := failures(measured(t, number, test.outcomes, test.failure)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// The other trial of the pair may come after the one that failed.
func TestTheLastFailureIsThatOfATrialThatFailed(t *testing.T) {
	t.Parallel()
	fine := map[pairs.Side][]result.Outcome{pairs.A: {{Code: "OK", Calls: 1000}}, pairs.B: {{Code: "OK", Calls: 1000}}}
	for number := 1; number <= 2; number++ { // one ends with B, one with A
		if got := measured(t, number, fine, map[pairs.Side]string{pairs.B: "server B exited"}).Failure; got != "server B exited" {
			t.Errorf("after %d pairs the failure is %q", number, got)
		}
	}
}

// Where too few pairs can be used there is no interval that more of them would make narrower.
func TestTimeThatWasUpBeforeThereIsAnIntervalMakesNoneNarrower(t *testing.T) {
	t.Parallel()
	fine := map[pairs.Side][]result.Outcome{pairs.A: {{Code: "OK", Calls: 1000}}, pairs.B: {{Code: "OK", Calls: 1000}}}
	for number, failure := range map[int]map[pairs.Side]string{2: {pairs.B: "server B exited"}, 4: nil} {
		x := measured(t, number, fine, failure)
		x.Ending, x.Design.TimeNs = pairs.TimeUp, 10e9
		usable := map[int]string{2: "0 pairs", 4: "4 pairs"}[number]
		want := "Can't tell A and B apart in calls_per_sec: " + usable + " of A and B can be used, and 14 are needed. " +
			"The time (10s) was up. --resume goes on."
		if got := Sentences(x)[0]; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
