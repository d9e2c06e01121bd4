package driver

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/protobuf/testing/protocmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// shares are of each look's CPU time, which a fraction of a float need not hit.
var shares = cmpopts.EquateApprox(0, 1e-6)

// warmedCompilers warms up the compilers of players, and returns the evidence. An interval may pass between a look and the
// Stop of each phase, so times are whole half seconds.
func warmedCompilers(t *testing.T, spec plan.Spec, server, client *player) *result.Compilers {
	t.Helper()
	s := played(t, Config{Silence: time.Second, Stall: time.Hour}, spec, server, client)
	if err := s.warmCompilers(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.evidence.Compilers; got != nil {
		got.ElapsedNs -= got.ElapsedNs % (500 * int64(ms))
		got.SettleNs -= got.SettleNs % (500 * int64(ms))
	}
	return s.evidence.Compilers
}

func TestCompilersAreWarmedUpUntilTheyAreQuiet(t *testing.T) {
	t.Parallel()
	const second = int64(time.Second)
	busy := []float64{0.6, 0.5, 0.4, 0.3, 0.2, 0.2, 0.2}
	still := []float64{0.01, 0.01, 0.01, 0.01, 0.01}
	for name, c := range map[string]struct {
		client, server []float64
		uses           time.Duration // CPU time of the client in a second; 0 is all of it
		most           time.Duration
		want           *result.Compilers
		heard          []string // by the client, but for marks
	}{
		"over four seconds": {[]float64{0.6, 0.01, 0.01, 0.01, 0.21, 0.01, 0.01, 0.01, 0.05}, nil, 0, time.Minute,
			&result.Compilers{ElapsedNs: 9 * second, Share: 0.02, Quiet: true}, []string{"begin warmup", "stop"}},
		"of the server": {nil, []float64{0.6, 0.2, 0.01, 0.02, 0.03, 0.04}, 0, time.Minute,
			&result.Compilers{ElapsedNs: 6 * second, Share: 0.025, Quiet: true}, []string{"begin warmup", "stop"}},
		"of both": {still, []float64{0.5, 0.02, 0.02, 0.03, 0.05}, 0, time.Minute,
			&result.Compilers{ElapsedNs: 5 * second, Share: 0.03, Quiet: true}, []string{"begin warmup", "stop"}},
		"a trifle": {[]float64{0.6, 0.6, 0.3, 0.3, 0.1, 0.02}, nil, 5 * ms, time.Minute,
			&result.Compilers{ElapsedNs: 6 * second, Share: 0.18, Quiet: true}, []string{"begin warmup", "stop"}},
		"never": {busy, nil, 0, 3500 * ms,
			&result.Compilers{ElapsedNs: 3500 * int64(ms), Share: 0.5}, []string{"begin warmup"}},
		"no time for it": {still, nil, 0, 3500 * ms,
			&result.Compilers{ElapsedNs: 3500 * int64(ms), Share: 0.01}, []string{"begin warmup"}},
		"no patience":  {busy, busy, 0, 0, nil, nil},
		"no compilers": {nil, nil, 0, time.Minute, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := &player{compiling: c.client, uses: c.uses}
				spec := spec(time.Second, 0, time.Second)
				spec.CompilersMostNs = int64(c.most)
				got := warmedCompilers(t, spec, &player{compiling: c.server}, client)
				if diff := cmp.Diff(c.want, got, shares); diff != "" {
					t.Errorf("evidence (-want +got):\n%s", diff)
				}
				heard := slices.DeleteFunc(client.heard, func(command string) bool { return strings.HasSuffix(command, "mark") })
				if !slices.Equal(heard, c.heard) {
					t.Errorf("told %q, want %q", heard, c.heard)
				}
			})
		})
	}
}

// What is quiet while many calls are made may not be while few are: it is the measured load that counts.
func TestCompilersThatAreQuietUnderAHarderLoadMustBeUnderTheMeasuredOne(t *testing.T) {
	t.Parallel()
	const second = int64(time.Second)
	synctest.Test(t, func(t *testing.T) {
		client := &player{
			beats:     beats(600, beat{ok: 200, inFlight: 1}),
			compiling: []float64{0.6, 0.04, 0.04, 0, 0.5, 0.04, 0.04, 0, 0.3, 0.3, 0.08, 0.08, 0.01, 0.01},
		}
		spec := spec(time.Second, 0, time.Second)
		spec.CompilersMostNs, spec.Load, spec.OfferedPerSec = int64(time.Minute), plan.LoadPoisson, 500
		got := warmedCompilers(t, spec, &player{}, client)
		want := &result.Compilers{ElapsedNs: 12 * second, Closed: true, SettleNs: 6 * second, Share: 0.045, Quiet: true}
		if diff := cmp.Diff(want, got, shares); diff != "" {
			t.Errorf("evidence (-want +got):\n%s", diff)
		}
	})
}

// A foreign server gets no other load than was asked for.
func TestCompilersAreFirstWarmedUpByHarderLoads(t *testing.T) {
	t.Parallel()
	closed := &control.Load{Arrivals: plan.LoadClosed}
	open := func(load string, perSec float64) *control.Load { return &control.Load{Arrivals: load, PerSec: perSec} }
	ramp := &plan.Schedule{Stages: []plan.Stage{{From: 1, To: 2, LengthNs: 1e9}}}
	ramped := &control.Load{Arrivals: plan.LoadClosed, Stages: []*control.Stage{{From: 1, To: 2, LengthNs: 1e9}}}
	for name, c := range map[string]struct {
		load     string
		perSec   float64
		schedule *plan.Schedule
		target   string
		want     []*control.Load
	}{
		"open": {plan.LoadPoisson, 500, nil, "",
			[]*control.Load{closed, open(plan.LoadPoisson, 1000), open(plan.LoadPoisson, 500)}},
		"as fast as that": {plan.LoadConstant, 1000, nil, "", []*control.Load{closed, open(plan.LoadConstant, 1000)}},
		"closed":          {plan.LoadClosed, 0, nil, "", []*control.Load{closed}},
		"a closed ramp":   {plan.LoadClosed, 0, ramp, "", []*control.Load{closed, ramped}},
		"somebody else's": {plan.LoadConstant, 500, nil, "[::1]:1", []*control.Load{open(plan.LoadConstant, 500)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := &player{compiling: []float64{0}, beats: beats(600, beat{ok: 200, inFlight: 1})}
				spec := spec(time.Second, 0, time.Second)
				spec.CompilersMostNs, spec.Target = int64(time.Minute), c.target
				spec.Load, spec.OfferedPerSec, spec.Schedule = c.load, c.perSec, c.schedule
				evidence := warmedCompilers(t, spec, &player{}, client)
				var got []*control.Load
				for _, begin := range client.begins {
					got = append(got, begin.GetLoad())
				}
				if diff := cmp.Diff(c.want, got, protocmp.Transform()); diff != "" {
					t.Errorf("loads (-want +got):\n%s", diff)
				}
				if harder := len(c.want) > 1; evidence.Closed != harder || evidence.SettleNs > 0 != harder {
					t.Errorf("evidence %+v, harder: %v", evidence, harder)
				}
			})
		})
	}
}

func TestEachHarderLoadLeavesHalfOfTheTimeForCompilers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := &player{beats: beats(600, beat{ok: 200, inFlight: 1}), compiling: slices.Repeat([]float64{0.5}, 60)}
		spec := spec(time.Second, 0, time.Second)
		spec.CompilersMostNs, spec.Load, spec.OfferedPerSec = int64(40*time.Second), plan.LoadConstant, 500
		got := warmedCompilers(t, spec, &player{}, client)
		var lasted []time.Duration
		for _, begin := range client.begins {
			lasted = append(lasted, time.Duration(begin.GetDurationNs()))
		}
		if want := []time.Duration{20 * time.Second, 10 * time.Second, 10 * time.Second}; !slices.Equal(lasted, want) {
			t.Errorf("loads lasted %v, want %v", lasted, want)
		}
		if got.Quiet || time.Duration(got.ElapsedNs) != 40*time.Second {
			t.Errorf("evidence %+v", got)
		}
	})
}
