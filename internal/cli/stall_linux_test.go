package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A server that stands still stalls the trial: what the client's threads were doing is kept, heaps only when asked for.
func TestAStalledTrialLeavesWhatItsThreadsWereDoing(t *testing.T) {
	t.Parallel()
	for _, dumps := range []string{"threads", "heap"} {
		t.Run(dumps, func(t *testing.T) {
			t.Parallel()
			folder := write(t, "name: mine\nquestion: Why does it stand still?\n"+
				"defaults: {warmup: 0s, duration: 1500ms, trials: 1, drain: 1500ms}\ncases: [{title: a, kind: unary, stack: grpc-go}]\n")
			p := start(t, folder, "run", "mine.yaml", "--no-floor", "--stall", "1s", "--dumps", dumps, "--out", "r.jsonl")
			server := p.awaitServer(t)
			waitUntil(t, "some calls", func() bool { return bytesRead(server) > 100_000 }) // of 1 kB each
			if err := syscall.Kill(server, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			waitUntil(t, "a dump", func() bool { return len(dumped(t, folder, "client-threads.txt")) > 0 })
			if err := syscall.Kill(server, syscall.SIGCONT); err != nil {
				t.Fatal(err)
			}
			p.exit(t)
			trial := whole(t, filepath.Join(folder, "r.jsonl")).Trials[0]
			if trial.Stalled == nil || len(trial.Evidence) == 0 {
				t.Errorf("stalled %+v, evidence %q, %s %s", trial.Stalled, trial.Evidence, trial.Status, trial.Failure)
			}
			if heaps := dumped(t, folder, "client-heap"); (len(heaps) > 0) != (dumps == "heap") {
				t.Errorf("--dumps %s: heaps %q", dumps, heaps)
			}
		})
	}
}

// bytesRead is what a process has read so far, from sockets too.
func bytesRead(pid int) (n int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid)) // an empty one is 0, and the test says so
	_, _ = fmt.Sscanf(string(text), "rchar: %d", &n)
	return n
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
