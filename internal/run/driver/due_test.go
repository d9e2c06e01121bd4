package driver

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// A worker that reports forever is not silent, and would have the trial last forever.
func TestAClientThatGoesOnIsGivenUp(t *testing.T) {
	t.Parallel()
	const late = "it went on after its phase should have been over"
	counted := func(load string, perSec float64) plan.Spec {
		return plan.Spec{
			Server: "played", Load: load, OfferedPerSec: perSec, DeadlineNs: int64(time.Second), DrainNs: int64(time.Second), Calls: 12,
		}
	}
	for name, c := range map[string]struct {
		spec   plan.Spec
		client player
		took   time.Duration
		want   string
	}{
		"after its time": {spec(0, 0, time.Second), player{}, time.Second + control.Patience, late},
		// The third interval has five calls too.
		"after its calls": {counted(plan.LoadClosed, 0), player{}, 300 * ms, "it reports 15 calls, and was to make 12"},
		// It is told to stop in the first interval after its deadline and the time for fruitless calls.
		"after a stop": {
			counted(plan.LoadClosed, 0), player{deaf: true, beats: beats(10000, hangs)},
			time.Second + fruitless + 100*ms + time.Second + control.Patience, late,
		},
		// A gap of fifty times the mean is none that chance makes.
		"without a call": {
			counted(plan.LoadConstant, 5), player{beats: beats(10000, hangs)},
			time.Second + time.Second + fruitless + 10*time.Second + control.Patience, late,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c.client.goesOn = true
				s := played(t, Config{Silence: time.Minute, Stall: time.Hour}, c.spec, &player{}, &c.client)
				begun := time.Now()
				err := s.run(t.Context())
				if want := "client: the worker did not answer: " + c.want; err == nil || err.Error() != want {
					t.Errorf("error %v, want %s", err, want)
				}
				took(t, "it", begun, c.took)
			})
		})
	}
}

// A client reads random arrivals before it begins, in proportion to their number, and reports nothing meanwhile.
func TestAClientMayReadRandomArrivalsBeforeItBegins(t *testing.T) {
	t.Parallel()
	const calls, silent = 10_000_000, "client: the worker did not answer: it said nothing for 1s"
	for name, c := range map[string]struct {
		load  string
		reads time.Duration
		want  string
	}{
		"random":   {plan.LoadPoisson, slowly * calls * readOne, ""},
		"slower":   {plan.LoadPoisson, slowly*calls*readOne + 2*time.Second, silent},
		"constant": {plan.LoadConstant, 2 * time.Second, silent},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := &player{reads: c.reads}
				spec := counted(c.load, time.Second, calls, beats(4, works))
				spec.OfferedPerSec = 1000
				s := played(t, Config{Silence: time.Second, Stall: time.Hour}, spec, &player{}, client)
				if err := s.run(t.Context()); (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
					t.Errorf("error %v, want %q", err, c.want)
				}
			})
		})
	}
}

// Several clients begin together when each has read its arrivals.
func TestClientsBeginWhenTheyHaveReadTheirArrivals(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first, second := &player{}, &player{}
		spec := counted(plan.LoadPoisson, time.Second, 10_000_000, beats(4, works))
		spec.OfferedPerSec = 1000
		config := Config{Silence: time.Second, Stall: time.Second, Now: time.Now}
		if err := played(t, config, ofTwo(spec), &player{}, first, second).run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := []time.Duration{beginTogether + time.Second}; !slices.Equal(first.waits, want) || !slices.Equal(second.waits, want) {
			t.Errorf("the clients began after %v and %v, want %v", first.waits, second.waits, want)
		}
	})
}

// A scenario's word for its load goes to workers as it is.
func TestLoadsAreNamedAsWorkersNameThem(t *testing.T) {
	t.Parallel()
	for scenarios, workers := range map[string]string{
		plan.LoadClosed: control.LoadClosed, plan.LoadConstant: control.LoadConstant, plan.LoadPoisson: control.LoadPoisson,
	} {
		s := &sides{driver: &driver{}, sideTrial: sideTrial{evidence: &result.Trial{}, spec: plan.Spec{Load: scenarios}}}
		if got := s.begin(control.Measured, 0).GetLoad().GetArrivals(); got != workers {
			t.Errorf("%q goes to workers as %q, want %q", scenarios, got, workers)
		}
	}
}
