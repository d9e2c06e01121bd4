package browser

import (
	"fmt"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/call/target"
	"rpcbench/internal/cli/ui"
	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/results/result"
)

// TestMain lets a copy of this test binary be the rpcbench that the site starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "run" {
		os.Exit(played(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// played is a run of three trials. Each but the first waits for a file in the folder that the test makes when it has seen the one
// before; an interrupt ends it.
func played(args []string) int {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	const named = "--out="
	at := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, named) })
	out := strings.TrimPrefix(args[at], named)
	t := new(testing.T)
	writer, err := result.Create(out, result.Header{Created: time.Now().UTC(), Hosts: []result.Host{{Name: "here", OS: "linux"}},
		Scenarios: []result.Scenario{{Name: "quick", Question: "How fast?"}}, Plan: planned()})
	if err != nil {
		fmt.Fprintln(os.Stderr, "rpcbench:", err)
		return 2
	}
	fmt.Fprintln(os.Stderr, "3 trials, about 1s, into <b>results</b>")
	for i := range planned() {
		for i > 0 {
			if _, err := os.Stat(filepath.Join(filepath.Dir(out), fmt.Sprint("go-", i))); err == nil {
				break
			}
			select {
			case <-interrupted:
				return 130
			case <-time.After(10 * time.Millisecond):
			}
		}
		trial := reporttest.Invent(t, reporttest.Points()[1], reporttest.Models[1], i+1)
		trial.ID, trial.Repetition = fmt.Sprint("t", i), i+1
		if err := writer.Append(trial); err != nil {
			return 1
		}
	}
	return 0
}

func planned() []plan.Trial {
	spec := reporttest.Points()[1].Spec
	spec.Stack, spec.Server = "grpc-go", "grpc-go"
	trials := make([]plan.Trial, 3)
	for i := range trials {
		trials[i] = plan.Trial{Spec: spec, Repetition: i + 1}
	}
	return trials
}

// site serves a folder with results of twenty commits, of which the eleventh made calls slower.
func site(t *testing.T) (address, folder string) {
	t.Helper()
	folder = t.TempDir()
	dir, err := archive.Create(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	from := t.TempDir()
	for day := range 20 {
		for _, host := range []string{"lab", "edge"} {
			factor := 1.0
			if day >= 10 && host == "lab" {
				factor = 1.15
			}
			file, err := os.Open(reporttest.ResultsFile(t, from, host, day, factor))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			facts := archive.Facts{Commit: fmt.Sprintf("%02dcafe0123456789", day), Branch: "main", Labels: []string{"nightly"}}
			if _, _, err := dir.Add(t.Context(), host, file, 1<<30, facts); err != nil {
				t.Fatal(err)
			}
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := ui.Tokens("0123456789abcdef")
	if err != nil {
		t.Fatal(err)
	}
	runs := &ui.Runs{Folder: folder, Command: []string{self}}
	t.Cleanup(runs.Close)
	server := httptest.NewServer(ui.Handler(ui.Options{Dir: dir, Tokens: tokens, IsHost: target.IsLoopback, Runs: runs}))
	t.Cleanup(server.Close)
	return server.URL + "/?token=0123456789abcdef", folder
}
