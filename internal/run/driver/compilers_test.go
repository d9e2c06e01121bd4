package driver

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

func TestCompilersAreWarmedUpUntilTheyAreQuiet(t *testing.T) {
	t.Parallel()
	const second = int64(time.Second)
	busy := []float64{0.6, 0.5, 0.4, 0.3, 0.2, 0.2, 0.2}
	for name, c := range map[string]struct {
		client, server []float64
		most           time.Duration
		want           *result.Compilers
		heard          []string // by the client, but for marks
	}{
		"twice in succession": {[]float64{0.6, 0.01, 0.3, 0.05, 0.04}, nil, time.Minute,
			&result.Compilers{ElapsedNs: 5 * second, Share: 0.04, Quiet: true}, []string{"begin warmup", "stop"}},
		"of the server": {nil, []float64{0.6, 0.2, 0.01, 0.02}, time.Minute,
			&result.Compilers{ElapsedNs: 4 * second, Share: 0.02, Quiet: true}, []string{"begin warmup", "stop"}},
		"of both": {[]float64{0.01, 0.01, 0.01, 0.01}, []float64{0.5, 0.2, 0.02, 0.03}, time.Minute,
			&result.Compilers{ElapsedNs: 4 * second, Share: 0.03, Quiet: true}, []string{"begin warmup", "stop"}},
		"never": {busy, nil, 3500 * ms,
			&result.Compilers{ElapsedNs: 3500 * int64(ms), Share: 0.4}, []string{"begin warmup"}},
		"no patience":  {busy, busy, 0, nil, nil},
		"no compilers": {nil, nil, time.Minute, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := &player{compiling: c.client}
				spec := spec(time.Second, 0, time.Second)
				spec.CompilersMostNs = int64(c.most)
				s := played(t, Config{Silence: time.Second, Stall: time.Hour}, spec, &player{compiling: c.server}, client)
				if err := s.warmCompilers(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := s.evidence.Compilers; got != nil { // an interval may pass between a look and the Stop
					got.ElapsedNs -= got.ElapsedNs % (500 * int64(ms))
				}
				if diff := cmp.Diff(c.want, s.evidence.Compilers); diff != "" {
					t.Errorf("evidence (-want +got):\n%s", diff)
				}
				heard := slices.DeleteFunc(client.heard, func(command string) bool { return command == "mark" })
				if !slices.Equal(heard, c.heard) {
					t.Errorf("told %q, want %q", heard, c.heard)
				}
			})
		})
	}
}

// Somebody else's server gets no other load than was asked for.
func TestCompilersAreWarmedUpByAllThatASlotCanMake(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		load, target string
		want         string
		perSec       float64
		closed       bool
	}{
		"an open load":      {plan.LoadPoisson, "", plan.LoadClosed, 0, true},
		"a closed load":     {plan.LoadClosed, "", plan.LoadClosed, 0, false},
		"somebody else's":   {plan.LoadConstant, "[::1]:1", plan.LoadConstant, 500, false},
		"somebody, closed":  {plan.LoadClosed, "[::1]:1", plan.LoadClosed, 0, false},
		"a constant, paced": {plan.LoadConstant, "", plan.LoadClosed, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := &player{compiling: []float64{0, 0, 0}}
				spec := spec(time.Second, 0, time.Second)
				spec.CompilersMostNs, spec.Load, spec.Target = int64(time.Minute), c.load, c.target
				if c.load != plan.LoadClosed {
					spec.OfferedPerSec = 500
				}
				s := played(t, Config{Silence: time.Second, Stall: time.Hour}, spec, &player{}, client)
				if err := s.warmCompilers(t.Context()); err != nil {
					t.Fatal(err)
				}
				got := client.loads[0]
				if got.GetArrivals() != c.want || got.GetPerSec() != c.perSec || s.evidence.Compilers.Closed != c.closed {
					t.Errorf("made %v, closed %v; want %s, %g, %v", got, s.evidence.Compilers.Closed, c.want, c.perSec, c.closed)
				}
			})
		})
	}
}
