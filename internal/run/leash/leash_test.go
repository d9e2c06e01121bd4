//go:build unix

package leash

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

const asLeash = "as-leash"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == asLeash {
		os.Exit(Run(os.Stdin, os.Args[2:]))
	}
	os.Exit(m.Run())
}

// held starts a command on a leash, in a process group.
func held(t *testing.T, words ...string) (command *exec.Cmd, input io.Closer, output *bufio.Reader) {
	t.Helper()
	command = exec.Command(os.Args[0], append([]string{asLeash}, words...)...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) })
	return command, input, bufio.NewReader(out)
}

func TestItEndsAsTheProgramDoes(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]int{
		"exit 0": 0, "exit 3": 3, "kill -KILL $$": 137, "kill -SEGV $$": 139, "exec /nonexistent 2>/dev/null": 127,
	} {
		command, _, _ := held(t, "sh", "-c", script)
		_ = command.Wait()
		if got := command.ProcessState.ExitCode(); got != want {
			t.Errorf("%s: exit code %d, want %d", script, got, want)
		}
	}
	command, _, _ := held(t, "/nonexistent")
	_ = command.Wait()
	if got := command.ProcessState.ExitCode(); got != exitNotStarted {
		t.Errorf("exit code %d, want %d", got, exitNotStarted)
	}
	for code, want := range map[int]syscall.Signal{
		0: 0, 3: 0, 126: 0, 128: 0, 129: syscall.SIGHUP, 137: syscall.SIGKILL, 192: 64, 193: 0, 255: 0,
	} {
		if signal, ok := Signal(code); ok != (want > 0) || ok && signal != want {
			t.Errorf("%d is the signal %v, %v", code, signal, ok)
		}
	}
}

// The program handles signals that end the group, and may take its time.
func TestTheProgramAnswersSignals(t *testing.T) {
	t.Parallel()
	command, _, output := held(t, "sh", "-c", `trap 'echo asked; exit 5' TERM; echo ready; while :; do sleep 0.01; done`)
	for _, want := range []string{"ready\n", "asked\n"} {
		if line, err := output.ReadString('\n'); err != nil || line != want {
			t.Fatalf("it printed %q, %v; want %q", line, err, want)
		}
		if want == "ready\n" {
			if err := syscall.Kill(-command.Process.Pid, syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = command.Wait()
	if got := command.ProcessState.ExitCode(); got != 5 {
		t.Errorf("exit code %d, want 5", got)
	}
}

// The end of the output says that no process of the program is left: each has it open.
func TestNothingOutlivesTheInput(t *testing.T) {
	t.Parallel()
	for _, script := range []string{
		"echo ready; exec sleep 1000",
		"trap '' TERM HUP INT; echo ready; sleep 1000 & wait",
		"(sleep 1000 &); echo ready; exec sleep 1000",
	} {
		command, input, output := held(t, "sh", "-c", script)
		if line, err := output.ReadString('\n'); err != nil || line != "ready\n" {
			t.Fatalf("%s: it printed %q, %v", script, line, err)
		}
		input.Close()
		rest, err := io.ReadAll(output)
		if err != nil || strings.TrimSpace(string(rest)) != "" {
			t.Errorf("%s: %q, %v", script, rest, err)
		}
		_ = command.Wait()
	}
}
