package doctest

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// A server is a command of a block that ends with " &". It runs beside the block's other commands, and ends with it.
type server struct {
	step
	where   string
	process *exec.Cmd
	printed *firstLine
}

// listening begins the line by which a server says that it is there.
const listening = "Listening on "

// background reports whether a command runs beside those below it, and returns it without the sign of that.
func background(command string) (string, bool) { return strings.CutSuffix(command, " &") }

// start runs a server until it listens.
func start(t *testing.T, folder, where string, s step) *server {
	t.Helper()
	command, _ := background(s.command)
	process := program(t.Context(), t, folder, "exec "+command) // so that a signal reaches it and not the shell
	served := &server{step: s, where: where, process: process, printed: &firstLine{begun: make(chan struct{})}}
	process.Stdout, process.Stderr = served.printed, served.printed
	process.Cancel = func() error { return process.Process.Signal(os.Interrupt) }
	process.WaitDelay = patience(t)
	if err := process.Start(); err != nil {
		t.Fatalf("%s: %s: %v", where, command, err)
	}
	select {
	case <-served.printed.begun:
	case <-time.After(patience(t)):
		t.Fatalf("%s: %s\ndoes not listen:\n%s", where, command, served.printed.text())
	}
	return served
}

// end stops the server as a user does. It is expected to end well, and to have printed what the document shows.
func (s *server) end(t *testing.T) {
	t.Helper()
	if err := s.process.Process.Signal(os.Interrupt); err != nil {
		t.Errorf("%s: %s: %v", s.where, s.command, err)
	}
	late := time.AfterFunc(patience(t), func() { _ = s.process.Process.Kill() }) // which Wait then tells
	defer late.Stop()
	if err := s.process.Wait(); err != nil {
		t.Errorf("%s: %s\nends with %v:\n%s", s.where, s.command, err, s.printed.text())
	}
	checkOutput(t, s.where, s.step, s.printed.text())
}

// A firstLine keeps what is written, and tells when a server listens.
type firstLine struct {
	mu    sync.Mutex
	all   bytes.Buffer
	begun chan struct{} // closed then
	told  bool
}

// Write implements io.Writer.
func (l *firstLine) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.all.Write(text)
	if _, rest, found := strings.Cut("\n"+l.all.String(), "\n"+listening); found && !l.told && strings.Contains(rest, "\n") {
		l.told = true
		close(l.begun)
	}
	return n, err
}

func (l *firstLine) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

func TestAServerIsThereOnceItsLineIsWhole(t *testing.T) {
	t.Parallel()
	line := &firstLine{begun: make(chan struct{})}
	there := func() bool {
		select {
		case <-line.begun:
			return true
		default:
			return false
		}
	}
	for _, c := range []struct {
		text string
		want bool
	}{{"made keys\n", false}, {"Listening ", false}, {"on unix:x", false}, {"\n", true}, {"Listening on y\n", true}} {
		if _, err := line.Write([]byte(c.text)); err != nil || there() != c.want {
			t.Errorf("after %q it is there: %v, %v", c.text, there(), err)
		}
	}
	if _, ok := background("rpcbench serve"); ok {
		t.Error("a command without & runs in the background")
	}
}
