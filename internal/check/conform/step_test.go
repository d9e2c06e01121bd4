package conform

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestEachStepIsAHeadingOfTheTutorial(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/new-worker.md")
	if err != nil {
		t.Fatal(err)
	}
	var headings []string
	for line := range strings.Lines(string(page)) {
		if heading, is := strings.CutPrefix(line, "## "); is {
			headings = append(headings, strings.TrimSpace(heading))
		}
	}
	for step := StepPipe; step <= StepTiming; step++ {
		if !slices.Contains(headings, step.String()) {
			t.Errorf("no heading %q among %q", step, headings)
		}
	}
}

func TestEachCaseIsOfAStep(t *testing.T) {
	t.Parallel()
	suite, err := New(t.Context(), Config{Command: command(), Reference: command()})
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]Step{}
	for _, c := range suite.Cases {
		if c.Step < StepPipe || c.Step > StepTiming || (c.Step == StepTiming) != (c.timing != nil) {
			t.Errorf("%s is of step %d", c.Name, c.Step)
		}
		of[c.Name] = c.Step
	}
	for name, want := range map[string]Step{
		"hello": StepPipe, "tcp payload, zeros": StepServer, "tcp unary": StepClosedLoop, "tcp stream": StepKinds,
		"tcp deadline": StepFaults, "tcp rate at 4x10": StepOpenLoop, "tcp unary, mtls": StepNetworks, "a relay": StepExtras,
	} {
		if of[name] != want {
			t.Errorf("%s is of step %d, want %d", name, of[name], want)
		}
	}
}

func TestOnlyTheCasesOfAStepAreRun(t *testing.T) {
	t.Parallel()
	verdict, lines := judge(t, Config{Command: command(), Step: StepPipe})
	if want := (Verdict{OK: 4}); verdict != want || strings.Contains(lines, "tcp") || strings.Contains(lines, "Begin with") {
		t.Errorf("%v, want %v and the cases of the pipe alone:\n%s", verdict, want, lines)
	}
}

func TestFailuresNameTheEarliestStep(t *testing.T) {
	t.Parallel()
	verdict, lines := judge(t, Config{Command: command("drops an outcome"), Stacks: []string{"tcp"}, Case: cases("tcp upload")})
	want := "Begin with step 4. The other kinds: 4 of its 4 cases failed, and later steps build on it. " +
		"docs/new-worker.md explains it, and --step 4 runs its cases alone.\n"
	if verdict.Failed != 4 || !strings.HasSuffix(lines, want) {
		t.Errorf("%v\n%s\nwant at the end\n%s", verdict, lines, want)
	}
	var steps tallies
	for _, found := range []struct {
		step    Step
		verdict string
	}{{StepOpenLoop, isFailed}, {StepFaults, isFailed}, {StepFaults, isOK}, {StepFaults, isSkipped}, {StepPipe, isOK}} {
		steps.add(found.step, finding{verdict: found.verdict})
	}
	if got := steps.advice(); !strings.HasPrefix(got, "Begin with step 5. What goes wrong: 1 of its 2 cases failed") {
		t.Error(got)
	}
}

func TestAStepIsANumberOfTheTutorial(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Step{"": 0, "1": StepPipe, "9": StepTiming} {
		if got, err := ParseStep(text); got != want || err != nil {
			t.Errorf("%q: %v, %v, want %v", text, int(got), err, int(want))
		}
	}
	for _, text := range []string{"0", "10", "-1", "pipe", "1.5", "99999999999999999999"} {
		if _, err := ParseStep(text); err == nil || !strings.Contains(err.Error(), "which are 1 to 9") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}
