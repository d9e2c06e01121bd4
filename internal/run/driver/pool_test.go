package driver_test

import (
	"errors"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
)

// interleaved are trials of Specs in turns, with IDs that name the Spec and the repetition: "0-1", "1-1", "0-2".
func interleaved(trials int, specs ...plan.Spec) []plan.Trial {
	var all []plan.Trial
	for n := range trials {
		for i, spec := range specs {
			all = append(all, plan.Trial{ID: fmt.Sprintf("%d-%d", i, n+1), Repetition: n + 1, Spec: spec, Reuse: n > 0})
		}
	}
	return all
}

func reusing(t *testing.T, k *kept, workers *starter, trials []plan.Trial) (failed int) {
	t.Helper()
	failed, err := driver.Run(t.Context(), driver.Config{
		Trials: trials, Seed: 1, Launcher: workers, Results: k, Progress: k, Silence: patience, Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	workers.gone(t)
	return failed
}

// processesOf are the trials that started the processes of each.
func (k *kept) processesOf() (ids []string) {
	for _, trial := range k.trials {
		ids = append(ids, trial.ProcessesOf)
	}
	return ids
}

func TestTrialsOfASpecShareProcesses(t *testing.T) {
	t.Parallel()
	workers, k := workers("good"), &kept{}
	small := unary().Spec
	large := unary(func(s *plan.Spec) { s.RequestBytes, s.Calls, s.WarmupNs, s.Payload = 1000, 200, 0, "zeros" }).Spec
	if failed := reusing(t, k, workers, interleaved(3, small, large)); failed != 0 || len(workers.started) != 4 {
		t.Fatalf("%d failed, %d processes; trials %+v", failed, len(workers.started), k.trials)
	}
	if got, want := k.processesOf(), []string{"", "", "0-1", "1-1", "0-1", "1-1"}; !slices.Equal(got, want) {
		t.Errorf("processes of %q, want %q", got, want)
	}
	for i, e := range k.trials {
		client, first := e.Clients[0], k.trials[i%2]
		sentIn := func(c result.Client) int64 { return *c.End.BytesOut - *c.Begin.BytesOut }
		if want := (result.Outcome{Code: "OK", Calls: e.Spec.Calls}); client.Outcomes[0] != want || client.Arrivals != want.Calls {
			t.Errorf("%s: outcomes %+v of %d arrivals, want %+v", e.ID, client.Outcomes, client.Arrivals, want)
		}
		if sent := sentIn(client); sent != sentIn(first.Clients[0]) {
			t.Errorf("%s: %d bytes sent in the measured phase, other than in %s", e.ID, sent, first.ID)
		}
		if len(e.Servers) != 1 || e.Servers[0].Runtime != first.Servers[0].Runtime || client.Library != first.Clients[0].Library {
			t.Errorf("%s: servers %+v, client of %q", e.ID, e.Servers, client.Library)
		}
		if (client.First != nil) != (e.ProcessesOf == "") || *e.Layout != *first.Layout {
			t.Errorf("%s: first call %+v, layout %+v", e.ID, client.First, e.Layout)
		}
		if (client.Warmup != nil) != (e.Spec.WarmupNs > 0) || client.End.Sockets != 2 {
			t.Errorf("%s: warm-up %+v, %d sockets", e.ID, client.Warmup, client.End.Sockets)
		}
	}
}

func TestRowsShareProcesses(t *testing.T) {
	t.Parallel()
	workers, k := workers("good"), &kept{}
	small := unary().Spec
	large := unary(func(s *plan.Spec) { s.RequestBytes, s.Connections, s.Calls = 1000, 3, 200 }).Spec
	if failed := reusing(t, k, workers, interleaved(2, small, large)); failed != 0 || len(workers.started) != 2 {
		t.Fatalf("%d failed, %d processes; trials %+v", failed, len(workers.started), k.trials)
	}
	if got, want := k.processesOf(), []string{"", "0-1", "0-1", "0-1"}; !slices.Equal(got, want) {
		t.Errorf("processes of %q, want %q", got, want)
	}
	for i, e := range k.trials {
		client, first := e.Clients[0], k.trials[i%2]
		sentIn := func(c result.Client) int64 { return *c.End.BytesOut - *c.Begin.BytesOut }
		if want := (result.Outcome{Code: "OK", Calls: e.Spec.Calls}); client.Outcomes[0] != want || client.Arrivals != want.Calls {
			t.Errorf("%s: outcomes %+v of %d arrivals, want %+v", e.ID, client.Outcomes, client.Arrivals, want)
		}
		if sent := sentIn(client); sent != sentIn(first.Clients[0]) || client.End.Sockets != int64(e.Spec.Slots()) {
			t.Errorf("%s: %d bytes sent, %d in %s, on %d sockets", e.ID, sent, sentIn(first.Clients[0]), first.ID, client.End.Sockets)
		}
		if rows := min(2*i, 2); e.ProcessRows != rows || (client.First != nil) != (i == 0) || *e.Layout != *k.trials[0].Layout {
			t.Errorf("%s: processes of %d rows, want %d; first call %+v, layout %+v", e.ID, e.ProcessRows, rows, client.First, e.Layout)
		}
	}
}

func TestProcessesOfAFailedTrialAreNotReused(t *testing.T) {
	t.Parallel()
	workers, k := workers("dies"), &kept{}
	good, dies := unary().Spec, unary(func(s *plan.Spec) { s.Stack = "faulty" }).Spec
	if failed := reusing(t, k, workers, interleaved(2, good, dies)); failed != 2 || len(workers.started) != 6 {
		t.Errorf("%d failed, %d processes", failed, len(workers.started))
	}
	if got, want := k.processesOf(), []string{"", "", "0-1", ""}; !slices.Equal(got, want) {
		t.Errorf("processes of %q, want %q", got, want)
	}
}

func TestProcessesThatEndedMeanwhileAreStartedAnew(t *testing.T) {
	t.Parallel()
	workers, k := workers("good"), &kept{}
	first, second := unary().Spec, unary(func(s *plan.Spec) { s.Calls, s.Payload = 100, "zeros" }).Spec
	k.measured = func(trial plan.Trial) {
		if trial.ID == "1-1" { // the server of the first waits
			_ = syscall.Kill(workers.started[0].PID(), syscall.SIGKILL)
		}
	}
	if failed := reusing(t, k, workers, interleaved(2, first, second)); failed != 0 || len(workers.started) != 6 {
		t.Errorf("%d failed, %d processes; trials %+v", failed, len(workers.started), k.trials)
	}
	if got, want := k.processesOf(), []string{"", "", "", "1-1"}; !slices.Equal(got, want) {
		t.Errorf("processes of %q, want %q", got, want)
	}
}

var errFull = errors.New("no space left on device")

// full takes no results.
type full struct{}

func (full) Append(result.Trial) error { return errFull }

func TestProcessesWhoseNextTrialNeverComesAreEnded(t *testing.T) {
	t.Parallel()
	workers, k := workers("good"), &kept{}
	_, err := driver.Run(t.Context(), driver.Config{
		Trials: interleaved(2, unary().Spec), Seed: 1, Launcher: workers, Results: full{}, Progress: k, Silence: patience,
		Now: time.Now,
	})
	if !errors.Is(err, errFull) || len(workers.started) != 2 {
		t.Errorf("%v, %d processes", err, len(workers.started))
	}
	workers.gone(t)
}
