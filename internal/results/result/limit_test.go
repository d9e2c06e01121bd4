package result_test

import (
	"os"
	"strings"
	"testing"

	"rpcbench/internal/results/result"
)

// What is outside of the limits of scenarios is no trial, and a plan of it no plan.
func TestWhatNoScenarioCouldAskForIsNotRead(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile("testdata/v2.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	head, trials, _ := strings.Cut(string(good), "\n")
	const old, wild = `"connections":`, `"connections":-`
	if !strings.Contains(head, old) || !strings.Contains(trials, old) {
		t.Fatal("nothing can be made wild")
	}
	_, err = result.Read(strings.NewReader(strings.Replace(head, old, wild, 1)+"\n"+trials), "x.jsonl")
	const begin = `x.jsonl:1: trial 1 of the plan: shape: "-`
	if err == nil || !strings.HasPrefix(err.Error(), begin) {
		t.Errorf("got %v, want %s…", err, begin)
	}
	whole, err := result.Read(strings.NewReader(string(good)), "x.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	file, err := result.Read(strings.NewReader(head+"\n"+strings.Replace(trials, old, wild, 1)), "x.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Trials) != len(whole.Trials)-1 || len(file.Warnings) != len(whole.Warnings)+1 {
		t.Fatalf("%d trials of %d; warnings %q", len(file.Trials), len(whole.Trials), file.Warnings)
	}
	if want := `x.jsonl:2: not a trial, left out: shape: "-`; !strings.HasPrefix(file.Warnings[0], want) {
		t.Errorf("got %s, want %s…", file.Warnings[0], want)
	}
}
