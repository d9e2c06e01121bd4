package driver

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

func ofTwo(s plan.Spec) plan.Spec {
	s.Clients, s.Connections = 2, 2
	return s
}

func TestClientsBeginTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first, second := &player{}, &player{}
		config := Config{Silence: time.Second, Stall: time.Second, Now: time.Now}
		s, begun := played(t, config, ofTwo(spec(0, 0, 300*ms)), &player{}, first, second), time.Now()
		if err := s.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		took(t, "the phase", begun, beginTogether+300*ms)
		if want := []time.Duration{beginTogether}; !slices.Equal(first.waits, want) || !slices.Equal(second.waits, want) {
			t.Errorf("the clients began after %v and %v, want %v", first.waits, second.waits, want)
		}
		for i, c := range s.evidence.Clients {
			if len(c.Intervals) != 3 || c.Arrivals != 15 || c.BegunNs != 0 {
				t.Errorf("client %d: %+v", i+1, c)
			}
		}
	})
}

// A warm-up ends for all clients when the last of them is steady.
func TestAWarmUpIsSteadyWhereAllClientsAre(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		late := &player{beats: append(beats(4, beat{ok: 1, inFlight: 1}), beats(100, works)...)}
		config := Config{Silence: time.Second, Stall: time.Second, Now: time.Now, Steady: func(perSec []float64) bool {
			return perSec[len(perSec)-1] == 50
		}}
		s, begun := played(t, config, ofTwo(spec(100*ms, time.Hour, 0)), &player{}, &player{}, late), time.Now()
		if err := s.warmUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := time.Since(begun); got < beginTogether+500*ms || got > beginTogether+600*ms {
			t.Errorf("the warm-up took %v, want 500 ms, and for the first client one interval more at the most", got)
		}
		for i, c := range s.evidence.Clients {
			if c.Warmup == nil || c.Warmup.Steady == nil || !*c.Warmup.Steady || c.Warmup.ElapsedNs < int64(500*ms) {
				t.Errorf("client %d: warm-up %+v, want 500 ms", i+1, c.Warmup)
			}
		}
	})
}

func TestOneOfTwoClientsThatFallsSilentIsNamed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		silent := &player{beats: beats(3, works), silent: true}
		config := Config{Silence: 2*time.Second + 50*ms, Stall: time.Hour, Now: time.Now}
		s, begun := played(t, config, ofTwo(spec(0, 0, time.Hour)), &player{}, &player{}, silent), time.Now()
		err := s.run(t.Context())
		if want := "client 2 of 2: the worker did not answer: it said nothing for 2.05s"; err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		took(t, "it, and the end of the other client's interval", begun, beginTogether+400*ms+2*time.Second)
		if failure, ok := errors.AsType[*result.FailureError](err); !ok || failure.Code != result.FailureClientLost {
			t.Errorf("%T", err)
		}
		if kept, lost := s.evidence.Clients[0], s.evidence.Clients[1]; kept.Arrivals == 0 || kept.Arrivals != kept.Outcomes[0].Calls ||
			len(lost.Intervals) != 3 || lost.Outcomes != nil || s.evidence.Interrupted {
			t.Errorf("kept %+v, lost %+v", kept.Record, lost.Record)
		}
	})
}

// A client that is farther away is told earlier, and both begin at the same time.
func TestADistantClientIsToldEarlier(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		near, far := &player{}, &player{}
		config := Config{Silence: time.Second, Stall: time.Second, Now: time.Now}
		s := played(t, config, ofTwo(spec(0, 0, 300*ms)), &player{}, near, far)
		s.trips = []time.Duration{0, 40 * ms}
		if err := s.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		// The player gets what is sent at once, so that the far one begins by half of its round trip too early, which its
		// intervals then hide.
		if want := []time.Duration{beginTogether + 40*ms}; !slices.Equal(near.waits, want) {
			t.Errorf("the near client began after %v, want %v", near.waits, want)
		}
		if want := []time.Duration{beginTogether + 20*ms}; !slices.Equal(far.waits, want) {
			t.Errorf("the far client began after %v, want %v", far.waits, want)
		}
		if got := s.evidence.Clients[0].BegunNs; got != int64(40*ms) {
			t.Errorf("the near client began %v after the far one, which seemed to begin 40 ms earlier", time.Duration(got))
		}
	})
}

// Both clients stall, both sides dump once, and neither is given up for its silence meanwhile.
func TestClientsThatStallAreDumpedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first, second := stalling(), stalling()
		first.dumps, second.dumps = 20*time.Second, 20*time.Second
		config := Config{Silence: time.Second, Stall: 300 * ms, HeapDumps: true, Evidence: t.TempDir(), Now: time.Now}
		s := played(t, config, ofTwo(spec(0, 0, time.Minute)), &player{}, first, second)
		if err := s.run(t.Context()); err != nil || s.evidence.Warnings != nil {
			t.Fatalf("%v, warnings %q", err, s.evidence.Warnings)
		}
		wantFiles(t, s, "t1-server-threads.txt", "t1-server-heap.pprof", "t1-client-threads.txt", "t1-client-heap.pprof",
			"t1-client-2-threads.txt", "t1-client-2-heap.pprof")
		for i, c := range s.evidence.Clients {
			if c.Stalled == nil || c.Stalled.Phase != result.PhaseMeasured || c.Stalled.SinceNs != int64(300*ms) {
				t.Errorf("client %d: %v", i+1, c.Stalled)
			}
		}
	})
}
