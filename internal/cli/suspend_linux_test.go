package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rpcbench/internal/results/result"
)

// isStopped reports whether rpcbench itself stands still.
func (p *program) isStopped() bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	_, state, found := strings.Cut(string(stat), ") ")
	return err == nil && found && state[0] == 'T'
}

// Nothing loads a server while rpcbench is stopped, and the trial that was measured is measured again.
func TestASuspendedRunLoadsNobodyAndMeasuresTheTrialAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		trial, call int // at which the run is suspended
		kept        int // trials in the results by then
	}{
		"while calls are made":      {2, 4, 2},
		"before a call is answered": {2, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			yaml := strings.Replace(fourTrials, "calls: 3, ", "calls: 8, ", 1)
			p, g := prepare(t, gatedScenario(t, yaml), gatedArgs...), gate{t.TempDir()}
			p.cmd.Env = append(p.cmd.Env, g.environment(c.trial, c.call)...)
			p.begin(t)
			g.await(t, p)
			p.signal(t, syscall.SIGTSTP)
			waitUntil(t, "a stop", p.isStopped)
			if left := p.workers(); len(left) > 0 {
				t.Errorf("workers %v go on", left)
			}
			file := filepath.Join(p.folder, "r.jsonl")
			kept := whole(t, file).Trials
			if len(kept) != c.kept || kept[0].Interrupted || c.kept > 1 && !kept[1].Interrupted {
				t.Errorf("kept are %+v, want %d trials, a second of which is interrupted", kept, c.kept)
			}
			p.signal(t, syscall.SIGCONT)
			if got := p.exit(t); got != 0 {
				t.Errorf("exit code %d; stderr: %s", got, p.err.String())
			}
			if want := "\nsuspending when the load has ended; "; strings.Count(p.err.String(), want) != 1 {
				t.Errorf("stderr %q, want %q in it", p.err.String(), want)
			}
			measured := whole(t, file).Trials
			if len(measured) != 4 {
				t.Fatalf("%d trials, want 4", len(measured))
			}
			for _, trial := range measured {
				if trial.Interrupted || trial.Status != result.StatusOK {
					t.Errorf("trial %d is %s, interrupted %v", trial.Repetition, trial.Status, trial.Interrupted)
				}
			}
		})
	}
}
