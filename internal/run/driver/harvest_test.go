package driver

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

func TestACountedPhaseGoesOnWhileCallsAreOK(t *testing.T) {
	t.Parallel()
	h := harvest{most: time.Minute}
	for second := int64(1); second <= 200; second++ {
		seen := &control.Interval{EndNs: second * int64(time.Second), Errors: 1}
		if second <= 100 && second%50 == 0 {
			seen.Ok = 1
		}
		if got, want := h.isOver(seen), second > 160; got != want {
			t.Fatalf("over after %d s: %v; the last call was OK at 100 s", second, got)
		}
	}
}

// slow are calls that take so long, one after another.
func slow(each time.Duration, n int) []beat {
	var all []beat
	for range n {
		all = append(all, beats(int(each/beatLength)-1, hangs)...)
		all = append(all, beat{ok: 1, inFlight: 1})
	}
	return all
}

// apart are calls that are due so far apart, and answered at once.
func apart(each time.Duration, n int) []beat {
	var all []beat
	for range n {
		all = append(all, beat{ok: 1})
		all = append(all, beats(int(each/beatLength)-1, rests)...)
	}
	return all
}

// counted is a load that ends after a number of calls, of a client that plays so many beats for it.
func counted(load string, deadline time.Duration, calls int64, beats []beat) plan.Spec {
	s := spec(0, 0, time.Duration(len(beats))*beatLength)
	s.Load, s.DeadlineNs, s.Calls = load, int64(deadline), calls
	return s
}

func TestCallsThatAreSlowOrFarApartAreAllMade(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		load  string
		beats []beat
	}{
		"due 71 s apart":                {plan.LoadConstant, apart(71*time.Second, 4)},
		"80 s long":                     {plan.LoadClosed, slow(80*time.Second, 4)},
		"80 s long, at a rate":          {plan.LoadConstant, slow(80*time.Second, 4)},
		"just within the deadline":      {plan.LoadClosed, slow(179*time.Second, 4)},
		"an hour apart, and all failed": {plan.LoadConstant, append(beats(4, fails), beats(36_000, rests)...)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := &player{beats: c.beats}
				s := played(t, Config{Silence: time.Second}, counted(c.load, 3*time.Minute, 4, c.beats), &player{}, client)
				begun := time.Now()
				if err := s.run(t.Context()); err != nil || s.evidence.Cut != nil || s.evidence.Clients[0].Stalled != nil {
					t.Errorf("%v, cut %v, stalled %v", err, s.evidence.Cut, s.evidence.Clients[0].Stalled)
				}
				took(t, "the phase", begun, time.Duration(len(c.beats))*beatLength)
			})
		})
	}
}

func TestALoadWhoseCallsKeepFailingIsCutAndSaysSo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		failing := append(beats(1, beat{ok: 1, inFlight: 1}), beats(10_000, fails)...)
		client := &player{beats: failing}
		s := played(t, Config{Silence: time.Second}, counted(plan.LoadClosed, 3*time.Second, 5000, failing), &player{}, client)
		begun := time.Now()
		if err := s.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		took(t, "the phase", begun, 100*time.Millisecond+63*time.Second+100*time.Millisecond)
		want := &result.Cut{Made: 632, Calls: 5000, FruitlessNs: int64(63 * time.Second)}
		if diff := cmp.Diff(want, s.evidence.Cut); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if got := want.String(); got != "only 632 of 5000 calls were made, because none was OK for 1m3s" {
			t.Errorf("it says %q", got)
		}
	})
}

func TestAFailureSaysThatTheLoadWasCut(t *testing.T) {
	t.Parallel()
	failed := result.Trial{
		Cut: &result.Cut{Made: 7, Calls: 1000, FruitlessNs: int64(70 * time.Second)},
		Clients: []result.Client{{Record: result.Record{
			Outcomes: []result.Outcome{{Code: "UNAVAILABLE", Calls: 7, Example: "refused"}},
		}}},
	}
	want := "every call failed: refused; only 7 of 1000 calls were made, because none was OK for 1m10s"
	if err := judge(failed); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestAFailureNamesTheMostFrequentCode(t *testing.T) {
	t.Parallel()
	for want, outcomes := range map[string][]result.Outcome{
		"every call failed: HTTP_413: 413 Request Entity Too Large": {
			{Code: "HTTP_413", Calls: 3, Example: "HTTP_413: 413 Request Entity Too Large"},
		},
		"every call failed, 163 of 173 with HTTP_413: 413 Request Entity Too Large": {
			{Code: "UNAVAILABLE", Calls: 10, Example: "UNAVAILABLE: connection reset by peer"},
			{Code: "HTTP_413", Calls: 163, Example: "HTTP_413: 413 Request Entity Too Large"},
		},
		"every call failed, 2 of 3 with DEADLINE_EXCEEDED: the deadline passed": {
			{Code: "CANCELLED", Calls: 1},
			{Code: "DEADLINE_EXCEEDED", Calls: 2, Example: "the deadline passed"},
		},
		"every call failed: RESOURCE_EXHAUSTED": {{Code: "RESOURCE_EXHAUSTED", Calls: 3, Example: "RESOURCE_EXHAUSTED: "}},
		"every call failed, 3 of 4 with RESOURCE_EXHAUSTED": {
			{Code: "RESOURCE_EXHAUSTED", Calls: 3, Example: "RESOURCE_EXHAUSTED: "}, {Code: "UNSENT", Calls: 1},
		},
		"every call failed: UNSENT": {{Code: "UNSENT", Calls: 4}},
	} {
		if err := judgeClient(result.Record{Outcomes: outcomes}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
