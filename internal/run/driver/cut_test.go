package driver

import (
	"strings"
	"testing"

	"rpcbench/internal/results/result"
	"rpcbench/internal/stack/cut"
	"rpcbench/internal/worker/control"
)

// A worker of another language passes on what servers say.
func TestWhatAWorkerSaysOfFailuresIsCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 1<<20)
	done := &control.Done{
		Arrivals: 2, Outcomes: []*control.Outcome{{Code: "INTERNAL", Calls: 2, Example: long}},
		Background: &control.BackgroundDone{Errors: 1, Example: long},
	}
	var r result.Record
	if err := addDone(&r, done); err != nil {
		t.Fatal(err)
	}
	var failed result.Trial
	failed.Fail(result.FailureRun, long)
	want := strings.Repeat("a", cut.Most) + "… (cut; 1048576 bytes in all)"
	for name, got := range map[string]string{
		"outcome": r.Outcomes[0].Example, "background": r.Background.Example, "trial": failed.Failure,
	} {
		if got != want {
			t.Errorf("%s: %d bytes, want %d", name, len(got), len(want))
		}
	}
}
