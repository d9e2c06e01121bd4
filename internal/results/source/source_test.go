package source_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/capacity"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/source"
	"rpcbench/internal/test/coursetest"
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

// Points are called alike on all sides, whichever of them have several scenarios.
func TestFilesOfOneAndOfSeveralScenariosHavePointsInCommon(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	extra := func(trial *result.Trial) {
		if trial.Repetition > 3 {
			trial.Cases, trial.Spec.RequestBytes = []plan.Case{{Scenario: "extra", Title: "Larger"}}, 5000
		}
	}
	other := func(trial *result.Trial) { trial.Cases = []plan.Case{{Scenario: "other", Title: "Echo"}} }
	one, again := reporttest.ResultsFile(t, folder, "here", 1, 1), reporttest.ResultsFile(t, folder, "here", 2, 1)
	several := reporttest.ResultsFile(t, folder, "here", 3, 1, extra)
	renamed := reporttest.ResultsFile(t, folder, "here", 4, 1, other)
	for _, test := range []struct {
		groups [][]string
		lines  int
		named  bool // with the scenario
	}{
		{[][]string{{one}, {several}}, 1, true}, {[][]string{{several}, {one}}, 1, true},
		{[][]string{{one, again}, {several}}, 1, true}, {[][]string{{one}, {again}, {several}}, 2, true},
		{[][]string{{one}, {again}}, 1, false}, {[][]string{{one}, {renamed}}, 1, false},
	} {
		sides, err := source.Sides(test.groups, compare.Selection{}, "", "")
		if err != nil {
			t.Fatal(err)
		}
		c, err := compare.Of(compare.SameUsually, sides[0], sides[1:]...)
		if err != nil {
			t.Errorf("%v: %v", test.groups, err)
			continue
		}
		lines := c.Tables[0].Lines
		if named := strings.HasPrefix(lines[0].Point, "echo: "); len(lines) != test.lines || named != test.named {
			t.Errorf("%v: %d lines, the first of %q; want %d", test.groups, len(lines), lines[0].Point, test.lines)
		}
	}
}

// The same point in another scenario is not the same: the error says in what they differ.
func TestPointsOfOtherScenariosDifferInThem(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	in := func(scenario string) func(*result.Trial) {
		return func(trial *result.Trial) {
			if trial.Cases[0].Scenario = scenario; trial.Repetition > 3 {
				trial.Cases[0].Scenario = scenario + " too"
			}
		}
	}
	a, b := reporttest.ResultsFile(t, folder, "here", 1, 1, in("a")), reporttest.ResultsFile(t, folder, "here", 2, 1, in("b"))
	sides, err := source.Sides([][]string{{a}, {b}}, compare.Selection{}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = compare.Of(compare.SameUsually, sides[0], sides[1:]...)
	const want = "which differ in scenario (a, b); --by scenario compares its values"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, want …%s", err, want)
	}
}

// The answer of a search is that of all its trials, so those that are chosen have none.
func TestChosenTrialsHaveNoAnswerOfACapacity(t *testing.T) {
	t.Parallel()
	base := plan.Trial{ID: "x", Spec: plan.Spec{Stack: "grpc-go", Server: "grpc-go", Kind: "unary", Connections: 1, InFlight: 256,
		Load: plan.LoadPoisson, OfferedPerSec: 1, DurationNs: 10e9}}
	design := &result.Capacity{Requirements: []string{"response_p99<5ms"}, Trials: 1, SearchNs: 2e9, Bases: []plan.Trial{base}}
	name := filepath.Join(t.TempDir(), "capacity.jsonl")
	writer, err := result.Create(name, result.Header{Created: reporttest.Created, Capacity: design})
	if err != nil {
		t.Fatal(err)
	}
	course := capacity.New(design)[0]
	request, _ := course.Next()
	trial := coursetest.Trial(t, 0, 0, 0)
	trial.ID, trial.Spec = course.ID(1), request.Spec
	trial.Cases = []plan.Case{{Scenario: request.Scenario, Title: request.Scenario}}
	if err := writer.Append(trial); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		pattern, kinds string
		answers        int
	}{{"", "", 1}, {request.Scenario, "", 0}, {"", "unary", 0}} {
		choice, err := point.ChoiceOf(test.pattern, test.kinds)
		if err != nil {
			t.Fatal(err)
		}
		r, err := source.Report([]string{name}, choice)
		if err != nil {
			t.Fatal(err)
		}
		if found := capacity.Of(r); len(found) != test.answers {
			t.Errorf("%s: %d answers, want %d", choice, len(found), test.answers)
		}
	}
}
