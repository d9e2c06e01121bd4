package source_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/source"
)

// What was kept before a file was resumed is no further measurement.
func TestACopyFromBeforeAResumeCountsNoTime(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	whole := reporttest.ResultsFile(t, folder, "here", 1, 1)
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	before := filepath.Join(folder, "before.jsonl")
	if err := os.WriteFile(before, []byte(strings.Join(lines[:3], "")), 0o600); err != nil { // a header and two trials
		t.Fatal(err)
	}
	other := reporttest.ResultsFile(t, folder, "here", 2, 1)
	for _, test := range []struct {
		names []string
		times int
	}{{[]string{whole}, 1}, {[]string{before, whole}, 1}, {[]string{whole, other}, 2}, {[]string{before, whole, other}, 2}} {
		sides, err := source.Sides([][]string{test.names}, compare.Selection{}, "", "")
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(sides[0].Notes, " ")
		said := strings.Contains(notes, before+": 2 trials also in "+whole+", counted once")
		if sides[0].Times != test.times || said != (test.names[0] == before) {
			t.Errorf("%v: measured %d times; %s", test.names, sides[0].Times, notes)
		}
	}
}
