package doctest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write docs/reference.md anew")

// patience is how long a test waits for a command, however slow the machine is: until shortly before go test ends all tests,
// so that what hangs is named, and what it started is ended.
func patience(t *testing.T) time.Duration {
	t.Helper()
	if end, ok := t.Deadline(); ok {
		return time.Until(end) - 10*time.Second
	}
	return time.Hour
}

// binary returns the path of a freshly built rpcbench.
var binary = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "rpcbench-doctest-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "rpcbench")
	output, err := exec.Command("go", "build", "-o", path, root+"/cmd/rpcbench").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, output)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := binary(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// program is a command in a folder, with rpcbench on the path.
func program(ctx context.Context, t *testing.T, folder, command string) *exec.Cmd {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	sh := exec.CommandContext(ctx, "sh", "-c", command)
	sh.Dir = folder
	sh.Env = append(os.Environ(), "PATH="+filepath.Dir(path)+string(os.PathListSeparator)+os.Getenv("PATH"),
		"COLUMNS=160") // no table continues below itself because of a long figure
	return sh
}

// shell runs a command in a folder, with rpcbench on the path, and returns all that it prints and its exit code.
func shell(t *testing.T, folder, command string) (output string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience(t))
	defer cancel()
	sh := program(ctx, t, folder, command)
	printed, err := sh.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", command, err)
	}
	return string(printed), sh.ProcessState.ExitCode()
}

// short makes a command of a document take little time, and depend on none: whatever it says, a trial is a few calls after a
// warm-up of 1 ms, unless it follows a schedule or says how many calls it makes, and a call may take as long as it needs. Of run
// there are two trials unless it says how many. The servers of ab listen on a socket, whose name nobody else takes between two
// of its trials.
func short(command string) string {
	verb, _, _ := strings.Cut(strings.TrimPrefix(command, "rpcbench "), " ")
	calls, deadline := " --set calls=3", " --set deadline=10m"
	switch verb {
	case "run":
	case "simple":
		calls += " --set messages=10"
	case "load", "ab":
		calls, deadline = " --calls 3", " --deadline 10m"
		command = strings.ReplaceAll(command, "127.0.0.1:{port}", "unix:ab.sock")
	default:
		return command
	}
	if p99Bound.MatchString(command) {
		calls = strings.Replace(calls, "3", "400", 1)               // which a p99 needs to be judged
		command = p99Bound.ReplaceAllString(command, "_p99<3600s'") // whatever this machine can do
	}
	command = replacedFlags.ReplaceAllString(command, "") + " --warmup 1ms" + deadline
	if verb == "ab" {
		command += " --time 24h --ready 24h" // the few calls of a trial may differ much
	}
	if !bounded.MatchString(command) {
		command = duration.ReplaceAllString(command, "") + calls
	}
	if verb == "run" && !strings.Contains(command, "--trials") {
		command += " --trials 2"
	}
	return command
}

// bounded finds a number of calls, which excludes a duration, and a schedule, which has one.
var bounded = regexp.MustCompile(`calls=|--calls|--iterations|--ramp`)

var duration = regexp.MustCompile(` --duration \S+`)

// replacedFlags are those that commands get with other values, which they can't have twice.
var replacedFlags = regexp.MustCompile(` --(warmup|deadline|time|ready) \S+`)

// p99Bound finds what a p99 is required to be.
var p99Bound = regexp.MustCompile(`_p99<[^']+'`)

// writesFile finds the commands that write a file of a few lines.
var writesFile = regexp.MustCompile(`^printf '[^']*' > [\w.]+$`)

// verdictOfTheMachine finds the commands whose result, their exit code too, is what this machine can do. Of them the flags
// alone are tried; what they print internal/cli holds to in virtual time.
var verdictOfTheMachine = regexp.MustCompile(`^rpcbench (capacity|selftest) `)

// TestCommandsPrintWhatTheDocumentsShow runs the console blocks of a document one after another in one folder, with the
// scenarios of its yaml blocks in it. A command is expected to exit with 0 unless `echo $?` behind it shows otherwise. One
// that ends with " &" is a server: the next waits until it listens, and the end of the block ends it.
func TestCommandsPrintWhatTheDocumentsShow(t *testing.T) {
	t.Parallel()
	for _, path := range documents(t) {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			for _, b := range blocksOf(t, path) {
				runBlock(t, folder, b)
			}
		})
	}
}

func runBlock(t *testing.T, folder string, b block) {
	t.Helper()
	if name, ok := b.scenarioFile(); ok {
		text := strings.Join(b.lines, "\n") + "\n"
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if b.kind != "console" {
		return
	}
	steps, err := b.steps()
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range steps {
		if s.command == "echo $?" {
			continue // it tells what the command before it is expected to exit with
		}
		if !strings.HasPrefix(s.command, "rpcbench ") && !writesFile.MatchString(s.command) {
			t.Errorf("%s: only rpcbench is run here, and what writes a file for it, not: %s", b.where, s.command)
			continue
		}
		if _, ok := background(s.command); ok {
			defer start(t, folder, b.where, s).end(t)
			continue
		}
		if verdictOfTheMachine.MatchString(s.command) {
			if output, code := shell(t, folder, s.command+" --help"); code != 0 {
				t.Errorf("%s: %s\n%s", b.where, s.command, output)
			}
			continue
		}
		want, err := exitCode(steps[i+1:])
		if err != nil {
			t.Errorf("%s: echo $? shows no number: %v", b.where, err)
		}
		output, code := shell(t, folder, short(s.command))
		if code != want {
			t.Errorf("%s: %s\nexits with %d, not %d:\n%s", b.where, s.command, code, want, output)
		}
		checkOutput(t, b.where, s, output)
	}
}

// TestFlagsOfOtherCommandsExist tries the flags of the commands in blocks of text and of shell, which are not run.
func TestFlagsOfOtherCommandsExist(t *testing.T) {
	t.Parallel()
	for _, path := range documents(t) {
		for _, b := range blocksOf(t, path) {
			if b.kind != "text" && b.kind != "sh" {
				continue
			}
			text := strings.ReplaceAll(strings.Join(b.lines, "\n"), "\\\n", "")
			for _, match := range withFlags.FindAllStringSubmatch(text, -1) {
				command, _, _ := strings.Cut(match[1], " -- ")
				if output, code := shell(t, t.TempDir(), command+" --help"); code != 0 {
					t.Errorf("%s: %s\n%s", b.where, command, output)
				}
			}
		}
	}
}

// blocksOf returns the blocks of a document.
func blocksOf(t *testing.T, path string) []block {
	t.Helper()
	found, err := blocks(filepath.Base(path), read(t, path))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// withFlags finds commands that have flags, without a comment behind them.
var withFlags = regexp.MustCompile(`(?m)^(?:\$ )?(rpcbench [a-z][^#\n]* --[^#\n]*)`)

// exitCode is what a command is expected to exit with, by the steps behind it.
func exitCode(next []step) (code int, err error) {
	if len(next) > 0 && next[0].command == "echo $?" {
		_, err = fmt.Sscan(strings.Join(next[0].output, ""), &code)
	}
	return code, err
}

// checkOutput fails where a command printed something else than its document shows.
func checkOutput(t *testing.T, where string, s step, output string) {
	t.Helper()
	if got := strings.Split(output, "\n"); !alike(s.output, got) {
		t.Errorf("%s: %s\nprints\n%s\nwhose shape is\n%s\nand not\n%s", where, s.command, output,
			strings.Join(shapes(got), "\n"), strings.Join(shapes(s.output), "\n"))
	}
}

func TestScenariosOfTheManualAreGood(t *testing.T) {
	t.Parallel()
	for _, path := range documents(t) {
		folder := t.TempDir()
		for _, b := range blocksOf(t, path) {
			file, ok := b.scenarioFile()
			if !ok || file == "hosts.yaml" { // which is no scenario, and whose commands are run
				continue
			}
			runBlock(t, folder, b)
			output, code := shell(t, folder, "rpcbench plan "+file)
			asks := code == 2 && strings.Contains(output, "--trust "+file) // of a service: what it says is good
			if code != 0 && !asks {
				t.Errorf("%s: %s", b.where, output)
			}
		}
	}
}
