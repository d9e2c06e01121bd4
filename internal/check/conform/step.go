package conform

import (
	"fmt"
	"strconv"
)

// A Step is one of docs/new-worker.md, which says in which order to build a worker. Each case tests one.
type Step int

// The steps of the tutorial that have cases, with its numbers.
const (
	StepPipe Step = 1 + iota
	StepServer
	StepClosedLoop
	StepKinds
	StepFaults
	StepOpenLoop
	StepNetworks
	StepExtras
	StepTiming
)

// stepTitles are the tutorial's headings.
var stepTitles = [...]string{
	StepPipe: "The pipe", StepServer: "A server", StepClosedLoop: "A client with a closed loop", StepKinds: "The other kinds",
	StepFaults: "What goes wrong", StepOpenLoop: "An open loop", StepNetworks: "Other networks and keys", StepExtras: "Extras",
	StepTiming: "On time",
}

// ParseStep reads the number of a step. An empty text stands for all steps.
func ParseStep(text string) (Step, error) {
	n, err := strconv.Atoi(text)
	if text != "" && (err != nil || n < int(StepPipe) || n > int(StepTiming)) {
		return 0, fmt.Errorf("%q is not a step of docs/new-worker.md that has cases, which are %d to %d", text, StepPipe, StepTiming)
	}
	return Step(n), nil
}

// String is the heading of the step in docs/new-worker.md.
func (s Step) String() string { return fmt.Sprintf("%d. %s", int(s), stepTitles[s]) }

// at returns cases as those of a step.
func at(step Step, cases ...Case) []Case {
	for i := range cases {
		cases[i].Step = step
	}
	return cases
}

// tallies count the cases of each step that were run.
type tallies [StepTiming + 1]struct{ run, failed int }

func (t *tallies) add(step Step, f finding) {
	switch f.verdict {
	case isSkipped:
	case isFailed:
		t[step].run, t[step].failed = t[step].run+1, t[step].failed+1
	default:
		t[step].run++
	}
}

// advice says where to begin when cases failed: at the earliest step, because later ones build on it.
func (t *tallies) advice() string {
	for step := StepPipe; step <= StepTiming; step++ {
		if of := t[step]; of.failed > 0 {
			return fmt.Sprintf("Begin with step %v: %d of its %d cases failed, and later steps build on it. "+
				"docs/new-worker.md explains it, and --step %d runs its cases alone.", step, of.failed, of.run, step)
		}
	}
	return ""
}
