package cli_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

const escape = "\x1b["

func TestOnATerminalThereIsProgressAndColour(t *testing.T) {
	t.Parallel()
	folder := write(t, oneTrial)
	out, err := onTerminal(t, folder, nil, "run", "mine.yaml", "--no-floor", "--out", "r.jsonl")
	if !strings.Contains(err, "[1/1] grpc-go unary 1000 B 1x1 closed, ") || !strings.Contains(err, " left") {
		t.Errorf("stderr %q, want what is running and the time left in it", err)
	}
	if !strings.Contains(out, escape) {
		t.Errorf("stdout %q, want colour in it", out)
	}
	for _, variable := range []string{"NO_COLOR=1", "TERM=dumb"} {
		out, _ = onTerminal(t, folder, []string{variable}, "report", "r.jsonl")
		if strings.Contains(out, escape) || !strings.Contains(out, "grpc-go") {
			t.Errorf("with %s stdout is %q, want no colour", variable, out)
		}
	}
	_, err = onTerminal(t, folder, []string{"TERM=dumb"}, "run", "mine.yaml", "--no-floor", "--out", "d.jsonl")
	if strings.ContainsAny(strings.ReplaceAll(err, "\r\n", "\n"), "\x1b\r") {
		t.Errorf("with TERM=dumb stderr is %q, want plain lines", err)
	}
}

const oneTrial = `
name: mine
question: How long?
defaults: {warmup: 10ms, calls: 20, trials: 1}
cases:
  - {title: echo, kind: unary, stack: grpc-go}
`

// onTerminal runs rpcbench with a terminal each for its two outputs.
func onTerminal(t *testing.T, folder string, environment []string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.Command("rpcbench", args...)
	cmd.Dir, cmd.Env = folder, append(append(withoutNoColor(), "TERM=xterm"), environment...)
	out, outText := terminal(t)
	err, errText := terminal(t)
	cmd.Stdout, cmd.Stderr = out, err
	failure := cmd.Run()
	out.Close()
	err.Close()
	stdout, stderr = <-outText, <-errText
	if failure != nil {
		t.Fatalf("rpcbench %v: %v; stderr: %s", args, failure, stderr)
	}
	return stdout, stderr
}

func withoutNoColor() []string {
	var kept []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "NO_COLOR=") {
			kept = append(kept, variable)
		}
	}
	return kept
}

// terminal opens a pseudo-terminal, and gives what was written to it once all its writers have closed it.
func terminal(t *testing.T) (*os.File, <-chan string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there is no terminal to be had: %v", err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := make(chan string, 1)
	go func() {
		defer master.Close()
		read, _ := io.ReadAll(master) // it ends in EIO when the last writer has gone
		text <- string(read)
	}()
	return slave, text
}
