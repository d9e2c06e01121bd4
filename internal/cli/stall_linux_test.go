package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rpcbench/internal/results/result"
)

// Its second call waits at the gate, in the warm-up: there a machine that stands still is taken for nothing else.
const stalling = `
name: mine
question: Why does it stand still?
defaults: {warmup: 1h, calls: 2, trials: 1, deadline: 1h}
cases: [{title: a, kind: unary, stack: grpc-gated}]
`

// A server that stands still stalls the trial: what the client's threads were doing is kept, heaps only when asked for.
func TestAStalledTrialLeavesWhatItsThreadsWereDoing(t *testing.T) {
	t.Parallel()
	for _, dumps := range []string{"threads", "heap"} {
		t.Run(dumps, func(t *testing.T) {
			t.Parallel()
			folder, g := gatedScenario(t, stalling), gate{t.TempDir()}
			p := prepare(t, folder, "run", "mine.yaml", "--workers", ".", "--no-floor", "--stall", "1s", "--dumps", dumps,
				"--out", "r.jsonl")
			p.cmd.Env = append(p.cmd.Env, g.environment(1, 2)...)
			p.begin(t)
			waitUntil(t, "a dump", func() bool { return len(dumped(t, folder, "client-threads.txt")) > 0 })
			g.open(t)
			if got := p.exit(t); got != 0 {
				t.Errorf("exit code %d; stderr: %s", got, p.err.String())
			}
			trial := whole(t, filepath.Join(folder, "r.jsonl")).Trials[0]
			if trial.Clients[0].Stalled == nil || trial.Clients[0].Stalled.Phase != result.PhaseWarmup || len(trial.Evidence) == 0 {
				t.Errorf("stalled %+v, evidence %q, %s %s", trial.Clients[0].Stalled, trial.Evidence, trial.Status, trial.Failure)
			}
			if heaps := dumped(t, folder, "client-heap"); (len(heaps) > 0) != (dumps == "heap") {
				t.Errorf("--dumps %s: heaps %q", dumps, heaps)
			}
		})
	}
}

// dumped lists the files of the folder of evidence whose names hold a word.
func dumped(t *testing.T, folder, word string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(folder, "r.evidence"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var found []string
	for _, entry := range entries {
		if strings.Contains(entry.Name(), word) {
			found = append(found, entry.Name())
		}
	}
	return found
}
