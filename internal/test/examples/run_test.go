package examples

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"rpcbench/internal/results/result"
)

// script runs an example's run.sh in a copy, with variables, and returns the folder and the exit code.
func script(t *testing.T, name string, variables ...string) (folder string, code int) {
	t.Helper()
	folder = copied(t, name)
	return folder, scriptIn(t, folder, variables...)
}

// scriptIn runs the run.sh of a copy, with variables, and returns the exit code.
func scriptIn(t *testing.T, folder string, variables ...string) (code int) {
	t.Helper()
	text, err := scriptCommand(t, folder, variables...).CombinedOutput()
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case ended:
		code = exit.ExitCode()
	case err != nil:
		t.Fatal(err)
	}
	t.Logf("the script ends with %d\n%s", code, text)
	return code
}

func scriptCommand(t *testing.T, folder string, variables ...string) *exec.Cmd {
	t.Helper()
	// Not the copy itself: while it was written, another process may have been forked, which holds it open for a moment.
	command := exec.CommandContext(patience(t), "sh", filepath.Join(folder, "run.sh"))
	command.Dir = folder
	command.Env = append(append(os.Environ(), "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH")), variables...)
	return command
}

// trials reads a results file.
func trials(t *testing.T, folder, name string) []result.Trial {
	t.Helper()
	file, err := result.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return file.Trials
}

// brief and briefCases are loads of a few calls, whose times nobody judges.
const (
	brief      = "LOAD=--calls 20 --in-flight 2 --warmup 0s"
	briefCases = "MEASURE=--trials 1 --set calls=20 --set warmup=0s"
)

func TestInCITheRequirementDecidesAndTheReportIsKept(t *testing.T) {
	t.Parallel()
	for requirement, want := range map[string]int{"errors<1%": 0, "errors>50%": 3} {
		summary := filepath.Join(t.TempDir(), "summary.md")
		folder, code := script(t, "ci", brief, "REQUIRE="+requirement, "GITHUB_STEP_SUMMARY="+summary)
		if code != want {
			t.Errorf("%s: exit code %d, want %d", requirement, code, want)
		}
		if n := len(trials(t, folder, "results.jsonl")); n != 1 {
			t.Errorf("%d trials are kept", n)
		}
		junit := readFile(t, filepath.Join(folder, "junit.xml"))
		if failures := fmt.Sprintf(` tests="2" failures="%d" errors="0"`, min(want, 1)); !strings.Contains(junit, failures) {
			t.Errorf("%s: junit.xml is\n%s", requirement, junit)
		}
		report := readFile(t, filepath.Join(folder, "report.md"))
		if !strings.Contains(report, "- **Calls**: 20 in ") || readFile(t, summary) != report {
			t.Errorf("the report is\n%s", report)
		}
	}
}

func TestInCIAServiceThatEndsIsNoHang(t *testing.T) {
	t.Parallel()
	if _, code := script(t, "ci", brief, "SERVICE=false"); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
}

// The first call needs the flags of the load.
func TestInCIAServiceMayUseTLS(t *testing.T) {
	t.Parallel()
	folder, code := script(t, "ci", brief, "REQUIRE=errors<1%", "ACCESS=--insecure-skip-verify",
		"SERVICE=rpcbench serve --listen unix:shop.sock --security tls --credentials keys")
	if code != 0 {
		t.Fatalf("exit code %d, want 0", code)
	}
	if all := trials(t, folder, "results.jsonl"); len(all) != 1 || all[0].Spec.Security != "tls" {
		t.Errorf("the trials are %+v", all)
	}
}

func TestInCIAServiceThatAnswersNoCallIsNoHang(t *testing.T) {
	t.Parallel()
	// It lives as long as it may read, and listens nowhere.
	folder, code := script(t, "ci", brief, "SERVICE=tail -f run.sh", "TRIES=1")
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	if said := readFile(t, filepath.Join(folder, "first-call.txt")); !strings.Contains(said, "shop.sock") {
		t.Errorf("the first call says %q", said)
	}
}

func TestTwoBuildsAreCompared(t *testing.T) {
	t.Parallel()
	folder, code := script(t, "compare-builds", "LIMIT=calls_per_sec<-99%",
		"LOAD=--in-flight 2 --calls 20 --warmup 0s --aa-pairs 8 --same-within 100% --time 20m")
	if code != 0 && code != 4 { // on a busy machine it can't be told
		t.Errorf("exit code %d", code)
	}
	if n := len(trials(t, folder, "builds.jsonl")); n < 16 {
		t.Errorf("%d trials, want 8 pairs of A with itself first", n)
	}
}

// Without a limit, nothing would end with the exit codes that the script promises.
func TestTwoBuildsAreHeldAgainstALimit(t *testing.T) {
	t.Parallel()
	if _, code := script(t, "compare-builds", "LIMIT=slower"); code != 2 {
		t.Errorf("exit code %d of a limit that is none, want 2", code)
	}
}

func TestTwoStacksAreCompared(t *testing.T) {
	t.Parallel()
	folder, code := script(t, "two-stacks", "MEASURE=--trials 2 --set request_bytes=1kB --set calls=20 --set warmup=0s")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	stacks := map[string]int{}
	for _, trial := range trials(t, folder, "stacks.jsonl") {
		stacks[trial.Spec.Stack]++
	}
	if stacks["grpc-go"] != 2 || stacks["connect-go"] != 2 {
		t.Errorf("trials by stack: %v", stacks)
	}
}

func TestSeveralCasesAreMeasured(t *testing.T) {
	t.Parallel()
	folder, code := script(t, "several-cases", briefCases)
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	var loads []string
	for _, trial := range trials(t, folder, "shop.jsonl") {
		loads = append(loads, trial.Spec.Load)
	}
	slices.Sort(loads)
	if want := []string{"closed", "closed", "constant"}; !slices.Equal(loads, want) {
		t.Errorf("the loads are %q, want %q", loads, want)
	}
}

// Nothing but GitHub and GitLab runs these files: what they name must be there.
func TestWhatRunsInCINamesWhatThereIs(t *testing.T) {
	t.Parallel()
	var action struct {
		Inputs map[string]any
		Runs   struct {
			Using string
			Steps []struct{ Shell, Run string }
		}
	}
	var github struct {
		Jobs map[string]struct {
			Minutes int `yaml:"timeout-minutes"` //nolint:tagliatelle // as GitHub spells it
			Steps   []struct {
				Uses string
				With map[string]string
			}
		}
	}
	var gitlab map[string]struct {
		Script    []string
		Artifacts struct{ Paths []string }
	}
	for path, to := range map[string]any{
		"action.yml": &action, "examples/ci/github.yml": &github, "examples/ci/gitlab-ci.yml": &gitlab,
	} {
		if err := yaml.Unmarshal([]byte(readFile(t, filepath.Join(root, path))), to); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	if action.Runs.Using != "composite" || len(action.Runs.Steps) != 2 {
		t.Errorf("the action is %+v", action)
	}
	for _, step := range action.Runs.Steps {
		do(t, root, step.Shell, "-n", "-c", step.Run)
	}
	called := 0
	for _, step := range github.Jobs["load"].Steps {
		if !strings.HasPrefix(step.Uses, "OWNER/rpcbench@") {
			continue
		}
		called++
		for name := range step.With {
			if _, ok := action.Inputs[name]; !ok {
				t.Errorf("the workflow gives the action %q, which it does not take", name)
			}
		}
	}
	kept := gitlab["latency"].Artifacts.Paths
	if called != 1 || github.Jobs["load"].Minutes == 0 || !slices.Equal(kept, []string{"results.jsonl", "report.md"}) {
		t.Errorf("the action is called %d times, and GitLab keeps %v", called, kept)
	}
}
