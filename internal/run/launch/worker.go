package launch

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

// exitPatience is how long a worker may take to end after its input has ended. The protocol asks for five seconds; what
// is killed is what hangs, on a machine that has no time for it either.
const exitPatience = 30 * time.Second

// abortPatience is what an aborted worker is given to end by itself, so that one that crashed is told from one that hangs.
const abortPatience = 100 * time.Millisecond

// lastWordsBytes is how much of a worker's standard error is kept.
const lastWordsBytes = 4 << 10

// A Worker is a worker that runs as a child, in a process group of its own, and the session with it.
type Worker struct {
	*control.Session

	command *exec.Cmd
	stdin   io.WriteCloser
	words   tail
	exited  chan struct{}
	exit    error
	once    sync.Once
}

// Start starts command on the given processors (none is all) and waits for its Hello. A worker that says none is
// ended; the error then carries its last words.
func Start(ctx context.Context, command []string, cpus []int) (*Worker, error) {
	p := &Worker{command: exec.Command(command[0], command[1:]...), exited: make(chan struct{})}
	ownGroup(p.command)
	p.command.Stderr = &p.words
	p.command.WaitDelay = exitPatience // a grandchild may hold standard error open
	stdin, err := p.command.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	stdout, err := p.command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	p.stdin = stdin
	if err := host.StartOn(p.command, cpus); err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	out := &draining{Reader: stdout, ended: make(chan struct{})}
	go p.wait(out.ended)
	ctx, cancel := context.WithTimeoutCause(ctx, control.Patience, fmt.Errorf("%v have passed", control.Patience))
	defer cancel()
	p.Session, err = control.Open(ctx, stdin, out)
	if err != nil {
		_ = p.Abort() // err says more
		return nil, &LostError{Err: err, LastWords: p.LastWords()}
	}
	return p, nil
}

// A LostError is a worker that could not be started.
type LostError struct {
	Err       error
	LastWords string // the end of its standard error
}

func (e *LostError) Error() string { return "start a worker: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Err }

// wait collects the process once its output has been read, as exec demands.
func (p *Worker) wait(outputEnded <-chan struct{}) {
	<-outputEnded
	p.exit = p.command.Wait()
	close(p.exited)
}

// Close ends the worker: its input ends, and its process group is killed if it still runs after 30 seconds. It returns
// nil when the worker ended well by itself. Of several Closes and Aborts the first counts, and all return what it found.
func (p *Worker) Close() error { return p.CloseWithin(exitPatience) }

// CloseWithin is Close with another patience.
func (p *Worker) CloseWithin(patience time.Duration) error {
	p.once.Do(func() {
		if p.killedAfter(patience) {
			p.exit = fmt.Errorf("the worker did not end within %v and was killed", patience)
		}
	})
	return p.exit
}

// Abort ends the worker at once. It returns how the worker ended if it had ended, badly, by itself.
func (p *Worker) Abort() error {
	p.once.Do(func() {
		if p.killedAfter(abortPatience) {
			p.exit = nil // our own doing
		}
	})
	return p.exit
}

// killedAfter ends the worker's input, and kills the worker when patience is over. It reports whether that ended it: on a
// machine that stood still meanwhile, the worker may have ended by itself before.
func (p *Worker) killedAfter(patience time.Duration) bool {
	_ = p.stdin.Close() // it may be gone already
	if p.Session != nil {
		p.Abandon() // so that the worker can end, which may be in the middle of a write
	}
	over := time.NewTimer(patience)
	defer over.Stop()
	select {
	case <-p.exited:
		return false
	case <-over.C:
	}
	select {
	case <-p.exited:
		return false
	default:
	}
	p.Kill()
	<-p.exited
	return wasKilled(p.command.ProcessState)
}

// Kill ends the worker's process group at once.
func (p *Worker) Kill() { killGroup(p.command.Process) }

// Ended is closed when the worker has ended, for whatever reason.
func (p *Worker) Ended() <-chan struct{} { return p.exited }

// PID returns the process's id, which is its group's.
func (p *Worker) PID() int { return p.command.Process.Pid }

// LastWords returns the end of the worker's standard error.
func (p *Worker) LastWords() string { return p.words.String() }

// draining tells when its reader met the end, and keeps to that: what is behind it may be closed from then on.
type draining struct {
	io.Reader
	end   error // that was met
	ended chan struct{}
}

func (d *draining) Read(b []byte) (int, error) {
	if d.end != nil {
		return 0, d.end
	}
	n, err := d.Reader.Read(b)
	if err != nil {
		d.end = err
		close(d.ended)
	}
	return n, err
}

// tail keeps the end of what is written.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if over := len(t.kept) - lastWordsBytes; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.kept))
}
