package plan

import (
	"testing"

	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// What scenarios plan is within their own limits, whatever a plan makes of it.
func TestWhatIsPlannedCanBeReplayed(t *testing.T) {
	t.Parallel()
	stacks, config := foreign()
	config.Floor = true
	for i := range stacks {
		stacks[i].Multiplexed = true
	}
	coding, _ := codecs()
	stacks = append(stacks, coding[len(fakes()):]...)
	planned := 0
	for _, name := range scenario.BuiltinNames() {
		s, err := scenario.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := New([]scenario.Scenario{s}, stacks, config)
		if err != nil {
			continue // it names stacks that are not among the fakes
		}
		again, err := Replay(p.Trials, 1, stacks, nil)
		if err != nil || len(again.Trials) != len(p.Trials) {
			t.Errorf("%s: %v", name, err)
		}
		planned += len(p.Trials)
	}
	if planned < 1000 {
		t.Errorf("only %d trials were planned", planned)
	}
}

func TestAPlanThatIsTooLongIsNotReplayed(t *testing.T) {
	t.Parallel()
	trials := make([]Trial, TrialsMax+1)
	for i := range trials {
		trials[i].Spec = base(func(*Spec) {})
	}
	_, err := Replay(trials, 1, []stack.Info{}, nil)
	checkError(t, err, "its 100001 trials are over the limit of 100000")
}
