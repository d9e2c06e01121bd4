package plan

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan/scenario"
)

var update = flag.Bool("update", false, "write the golden files anew")

func builtin(t *testing.T, name string) scenario.Scenario {
	t.Helper()
	s, err := scenario.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ids(p Plan) []string {
	var ids []string
	for _, t := range p.Trials {
		ids = append(ids, t.ID)
	}
	return ids
}

func TestTheOrderIsTheSeeds(t *testing.T) {
	t.Parallel()
	quick := builtin(t, "quick")
	first := ids(planned(t, Config{Seed: 1, Floor: true}, quick))
	if diff := cmp.Diff(first, ids(planned(t, Config{Seed: 1, Floor: true}, quick))); diff != "" {
		t.Errorf("one seed, two orders:\n%s", diff)
	}
	for seed := uint64(2); seed < 50; seed++ {
		if cmp.Equal(first, ids(planned(t, Config{Seed: seed, Floor: true}, quick))) {
			t.Errorf("the seeds 1 and %d give the same order", seed)
		}
	}
}

func TestOnlyTheFirstTrialsOfSharedProcessesStartThem(t *testing.T) {
	t.Parallel()
	started := map[string]bool{}
	fresh := planned(t, Config{Seed: 1, Floor: true}, builtin(t, "quick"))
	reusing := planned(t, Config{Seed: 1, Floor: true, Reuse: true}, builtin(t, "quick"))
	for i, trial := range reusing.Trials {
		if before := fresh.Trials[i]; before.ID != trial.ID || before.Reuse || trial.Reuse != started[trial.Processes()] {
			t.Errorf("%s of repetition %d reuses processes: %v; else %s: %v", trial.ID, trial.Repetition, trial.Reuse, before.ID,
				before.Reuse)
		}
		started[trial.Processes()] = true
	}
	points := map[string]bool{}
	for _, trial := range reusing.Trials {
		points[trial.Point()] = true
	}
	if len(points) != 23 || len(started) != 18 {
		t.Errorf("%d sorts of processes for %d points, want 18 for 23", len(started), len(points))
	}
}

func TestEveryRepetitionIsACompleteBlock(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		p := planned(t, Config{Seed: seed, Floor: true}, builtin(t, "quick"), builtin(t, "latency"))
		blocks := map[int]map[string]int{}
		last := 1
		for _, trial := range p.Trials {
			if trial.Repetition < last {
				t.Fatalf("seed %d: repetition %d after %d", seed, trial.Repetition, last)
			}
			last = trial.Repetition
			if blocks[last] == nil {
				blocks[last] = map[string]int{}
			}
			blocks[last][identity(trial.Spec)]++
		}
		// quick: 13 + 10 points of 5 and 4 stacks, 3 times; latency: 7 points of 5 stacks, 5 times.
		for repetition, want := range map[int]int{1: 58, 2: 58, 3: 58, 4: 35, 5: 35} {
			if got := len(blocks[repetition]); got != want {
				t.Errorf("seed %d: repetition %d has %d points, want %d", seed, repetition, got, want)
			}
		}
		for repetition, block := range blocks {
			for spec, n := range block {
				if n != 1 || blocks[1][spec] != 1 {
					t.Errorf("seed %d: repetition %d has %s %d times", seed, repetition, spec, n)
				}
			}
		}
	}
}

func TestTheBlocksOfAPlanHaveTheirOwnOrders(t *testing.T) {
	t.Parallel()
	p := planned(t, Config{Seed: 1, Floor: true}, builtin(t, "quick"))
	n := len(p.Trials) / 3
	order := func(block int) (order []string) {
		for _, trial := range p.Trials[block*n : (block+1)*n] {
			order = append(order, identity(trial.Spec))
		}
		return order
	}
	if cmp.Equal(order(0), order(1)) || cmp.Equal(order(1), order(2)) {
		t.Error("two blocks have the same order")
	}
}

func TestIDIsAHashOfSpecAndRepetition(t *testing.T) {
	t.Parallel()
	s := Spec{Stack: "grpc-go", Server: "grpc-go", Protocol: "grpc", Kind: "unary", RequestBytes: 1000, ResponseBytes: 1000,
		Connections: 1, InFlight: 50, Load: "closed", Security: "plaintext", Network: "tcp", Compression: "none",
		Payload: "random", Options: map[string]string{"b": "2", "a": "<1>"}, DeadlineNs: 1e10, DrainNs: 1e10,
		WarmupNs: 1e9, DurationNs: 5e9}
	// The digits are what sha256sum makes of the JSON; results files are resumed by them.
	if got, want := id(s, 1), "876fe90120ef"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	other := s
	other.DrainNs++
	if id(s, 1) == id(s, 2) || id(s, 1) == id(other, 1) {
		t.Error("unlike trials have the same ID")
	}
}

func TestQuickIsTheGoldenPlan(t *testing.T) {
	t.Parallel()
	golden(t, "testdata/quick.golden", planned(t, Config{Seed: 1, Floor: true}, builtin(t, "quick")))
}

// golden compares a plan with the one in a file; -update writes it anew.
func golden(t *testing.T, path string, p Plan) {
	t.Helper()
	var text strings.Builder
	for i, line := range lines(p) {
		fmt.Fprintf(&text, "%s %s\n", p.Trials[i].ID, line)
	}
	fmt.Fprintf(&text, "\n%s\n\nexpected %s\n", strings.Join(texts(p.Notes), "\n"), p.Expected())
	if *update {
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("%s:\n%s", path, diff)
	}
}

func TestQuickTakesLessThanAMinute(t *testing.T) {
	t.Parallel()
	got := planned(t, Config{Seed: 1, Floor: true}, builtin(t, "quick")).Expected()
	// 54 trials of 600 ms, 15 of 300 ms and their 400 calls of 1 ms.
	if want := 42900 * time.Millisecond; got != want || got >= 55*time.Second {
		t.Errorf("got %s, want %s, under 55s", got, want)
	}
}

func TestTheOtherBuiltinScenariosAreWhatTheirQuestionsAsk(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"latency": {"1 B 1x1 closed", "10 B 1x1 closed", "100 B 1x1 closed", "1000 B 1x1 closed", "10000 B 1x1 closed",
			"100000 B 1x1 closed", "1000000 B 1x1 closed"},
		"throughput": {"1000 B 1x1 closed", "1000 B 1x10 closed", "1000 B 1x100 closed", "1000 B 4x25 closed",
			"1000 B 16x16 closed", "1000 B 64x100 closed"},
		"openloop": {"1000 B 1x100 constant 500/s", "1000 B 1x100 constant 2000/s", "1000 B 1x100 constant 5000/s",
			"1000 B 1x100 poisson 500/s", "1000 B 1x100 poisson 2000/s", "1000 B 1x100 poisson 5000/s"},
		"cost": {"1000 B 1x100 constant 1000/s", "1000 B 1x100 constant 4000/s"},
	} {
		s := builtin(t, name)
		if s.Trials() != 10 {
			t.Errorf("%s: %d trials, want 10", name, s.Trials())
		}
		var got []string
		for _, trial := range unshuffled(t, true, s).Trials {
			if trial.Spec.Stack == "http-json-go" {
				got = append(got, strings.TrimPrefix(trial.Spec.String(), "http-json-go unary "))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// texts are the sentences of notes.
func texts(notes []Note) []string {
	var texts []string
	for _, note := range notes {
		texts = append(texts, note.Text)
	}
	return texts
}
