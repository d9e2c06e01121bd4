package driver

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/credential"
)

// The first trial of another row only looks whether compilers are quiet under its load; later ones don't. All have a warm-up.
func TestCompilersAreWaitedForOnceForAllRows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := &player{anew: true, compiling: []float64{0.5}}
		row := spec(200*ms, 0, 300*ms)
		row.Load, row.OfferedPerSec = plan.LoadConstant, 10 // before which harder loads would come
		row.Connections, row.RequestBytes, row.CompilersMostNs = 1, 10, int64(time.Minute)
		s := played(t, Config{Silence: time.Second, Stall: time.Second, Keys: &credential.Set{}}, row, &player{}, client)
		s.trial, s.addresses, s.rows = plan.Trial{ID: "t1", Spec: row}, []string{"fd00::7:1"}, map[string]*result.Compilers{}
		s.connected = s.trial.Point()
		compilers := &result.Compilers{ElapsedNs: 1234, Quiet: true}
		s.rows[s.connected] = compilers

		other := row
		other.Connections, other.RequestBytes = 3, 1000
		var evidence []*result.Trial
		for _, trial := range []plan.Trial{{ID: "t2", Spec: other}, {ID: "t3", Spec: other}, {ID: "t4", Spec: row}} {
			next := &result.Trial{ID: trial.ID, Spec: trial.Spec}
			s.goOn(trial, next)
			begun := time.Now()
			if err := s.measure(t.Context()); err != nil {
				t.Fatal(err)
			}
			lasts := 500 * ms
			if trial.ID == "t2" {
				lasts += (1+measuredWindow)*time.Second + beatLength // after a second in which they were busy
			}
			took(t, trial.ID, begun, lasts)
			evidence = append(evidence, next)
		}
		measured := []string{"begin warmup", "mark", "begin measured", "mark"}
		settle := slices.Concat([]string{"begin warmup"}, slices.Repeat([]string{"brief mark"}, 6), []string{"stop"})
		want := slices.Concat(
			[]string{"connect 3 of 1000 bytes"}, settle, measured, measured, []string{"connect 1 of 10 bytes"}, measured)
		if len(client.heard) > 2 {
			slices.Sort(client.heard[1:3]) // the first look at compilers and the beginning of the load that they are watched under
		}
		if !slices.Equal(client.heard, want) {
			t.Errorf("heard %q, want %q", client.heard, want)
		}
		for i, wanted := range []*result.Compilers{evidence[0].Compilers, evidence[0].Compilers, compilers} {
			e := evidence[i]
			if e.ProcessesOf != "t1" || e.Compilers == nil || e.Compilers != wanted || !e.Compilers.Quiet || e.ProcessRows != 2 {
				t.Errorf("%s: processes of %q, which ran %d rows; compilers %+v", e.ID, e.ProcessesOf, e.ProcessRows, e.Compilers)
			}
		}
	})
}

func TestProcessesAreSharedAsFarAsTheirClientsCan(t *testing.T) {
	t.Parallel()
	row := spec(0, 0, time.Second)
	other := row
	other.RequestBytes = 1000
	for name, test := range map[string]struct {
		clients []*player
		shares  bool
	}{
		"all":  {[]*player{{anew: true}, {anew: true}}, true},
		"one":  {[]*player{{anew: true}, {}}, false},
		"none": {[]*player{{}}, false},
	} {
		s := played(t, Config{}, row, &player{}, test.clients...)
		s.trial = plan.Trial{ID: "t1", Spec: row}
		next := plan.Trial{ID: "t2", Spec: other, Reuse: true}
		p := newPool(Config{Silence: time.Second, Trials: []plan.Trial{s.trial, next, {ID: "t3", Spec: row, Reuse: true}}})
		p.idle[s.shared()] = s
		if got := p.take(t.Context(), next) != nil; got != test.shares {
			t.Errorf("%s: shared %v, want %v", name, got, test.shares)
		}
		if got := p.take(t.Context(), s.trial) != nil; got == test.shares {
			t.Errorf("%s: still there for its own row: %v", name, got)
		}
	}
}

// A frozen process is given up as soon as one that measures would be, not only after the patience for a command.
func TestProcessesThatFellSilentMeanwhileAreGivenUpSoon(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		frozen := &player{answered: 1}
		s := played(t, Config{}, spec(0, 0, time.Second), frozen, &player{})
		next := plan.Trial{ID: "t2", Spec: s.spec, Reuse: true}
		p := newPool(Config{Silence: 3 * time.Second, Trials: []plan.Trial{next}})
		if p.isGone(t.Context(), s.servers[0]) {
			t.Fatal("a server that answers is gone")
		}
		p.idle[next.Point()] = s
		begun := time.Now()
		if p.take(t.Context(), next) != nil {
			t.Error("the next trial goes on with a frozen server")
		}
		if took := time.Since(begun); took < 3*time.Second || took > 4*time.Second {
			t.Errorf("given up after %v, want 3 s and the end of the processes", took)
		}
	})
}
