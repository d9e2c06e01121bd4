package launch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/patience"
)

// exitPatience is how long a worker may take to end after its input has ended. The protocol asks for five seconds; only a worker
// that hangs should be killed, even on an overloaded machine.
const exitPatience = 30 * time.Second

// abortPatience is how long an aborted worker may take to end by itself, which distinguishes a crash from a hang.
const abortPatience = 100 * time.Millisecond

// crashPatience is how long an aborted worker may take whose output has ended: it is ending by itself, and how says what went
// wrong.
const crashPatience = 10 * time.Second

// A Worker is a process that has said Hello, and the session with it.
type Worker struct {
	*control.Session

	process Process
	ended   chan struct{}
	exit    error // of the process; set before ended is closed
	once    sync.Once
	found   error // by the first Close or Abort
}

// Start has the launcher start a worker, and opens it.
func Start(ctx context.Context, launcher Launcher, order Order) (*Worker, error) {
	w, err := begin(ctx, launcher, order)
	if err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	return w, nil
}

func begin(ctx context.Context, launcher Launcher, order Order) (*Worker, error) {
	process, err := launcher.Launch(ctx, order)
	if err != nil {
		return nil, err
	}
	return Open(ctx, process)
}

// Ask starts a worker, ends it, and returns what it said of itself. The error is what a sentence says of the worker, in one line:
// that it can't be started, or did not end well.
func Ask(ctx context.Context, launcher Launcher, order Order) (*control.Hello, error) {
	w, err := begin(ctx, launcher, order)
	if err != nil {
		return nil, fmt.Errorf("can't be started: %w", WithLastWords(err))
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("did not end well: %w", err)
	}
	return w.Hello, nil
}

// WithLastWords adds the last words of a worker that said no Hello to an error, in one line.
func WithLastWords(err error) error {
	if lost, ok := errors.AsType[*LostError](err); ok && lost.LastWords != "" {
		return fmt.Errorf("%w; its last output: %s", err, strings.Join(strings.Fields(lost.LastWords), " "))
	}
	return err
}

// Open waits for the Hello of a process that was started. A worker that says none is ended; the error, a LostError, then
// carries its last words.
func Open(ctx context.Context, process Process) (*Worker, error) {
	w := &Worker{process: process, ended: make(chan struct{})}
	go func() {
		w.exit = process.Wait()
		close(w.ended)
	}()
	ctx, cancel := patience.WithTimeout(ctx, control.Patience)
	defer cancel()
	var err error
	if w.Session, err = control.Open(ctx, process, process); err != nil {
		return nil, &LostError{Err: err, Exit: w.Abort(), LastWords: w.LastWords()}
	}
	return w, nil
}

// A LostError is a worker that was started and said no Hello.
type LostError struct {
	Err       error
	Exit      error  // how it ended by itself, if it did, and badly
	LastWords string // the end of its standard error
}

func (e *LostError) Error() string {
	if e.Exit != nil {
		return e.Err.Error() + ": " + e.Exit.Error()
	}
	return e.Err.Error()
}

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Err }

// Mark asks the worker what it has used so far. TCP segments that the worker does not report are read from outside, unless one of
// its sockets was closed: its segments would be missing.
func (w *Worker) Mark(ctx context.Context) (*control.Snapshot, error) {
	s, err := w.Session.Mark(ctx)
	if meter, can := w.process.(SocketMeter); err == nil && can && s.SegmentsOut == nil && s.BytesOut != nil {
		if sockets, out, in, again, known := meter.Segments(); known && sockets > 0 && sockets == s.GetSockets() {
			s.SegmentsOut, s.SegmentsIn, s.Retransmits = &out, &in, &again
		}
	}
	return s, err
}

// Host returns where the worker runs.
func (w *Worker) Host() Host { return w.process.Host() }

// LastWords returns the end of the worker's standard error.
func (w *Worker) LastWords() string { return w.process.LastWords() }

// Ended is closed when the worker has ended, for whatever reason.
func (w *Worker) Ended() <-chan struct{} { return w.ended }

// Close ends the worker: its input ends, and it is killed if it still runs after 30 seconds. It returns nil if the worker ended
// well by itself. Of several Closes and Aborts the first counts, and all return its result.
func (w *Worker) Close() error { return w.CloseWithin(exitPatience) }

// CloseWithin is Close with another patience.
func (w *Worker) CloseWithin(most time.Duration) error {
	w.once.Do(func() {
		w.endInput()
		if !w.endsWithin(most) && w.kill() {
			w.found = fmt.Errorf("the worker did not end within %v and was killed", most)
			return
		}
		w.found = w.exit
	})
	return w.found
}

// Abort ends the worker at once, or, where it is ending already, within 10 seconds. It returns how the worker ended if it had
// ended, badly, by itself.
func (w *Worker) Abort() error {
	w.once.Do(func() {
		w.endInput()
		if w.endsWithin(abortPatience) || w.silent() && w.endsWithin(crashPatience) || !w.kill() {
			w.found = w.exit
		}
	})
	return w.found
}

func (w *Worker) endInput() {
	_ = w.process.Close() // it may be gone already
	w.Abandon()           // so that the worker can end, which may be in the middle of a write
}

// endsWithin reports whether the worker has ended when patience is over, or before.
func (w *Worker) endsWithin(most time.Duration) bool {
	over, cancel := patience.WithTimeout(context.Background(), most)
	defer cancel()
	select {
	case <-w.ended:
		return true
	case <-over.Done():
	}
	return closed(w.ended)
}

func (w *Worker) silent() bool { return closed(w.Silent()) }

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// kill kills the worker, and reports whether that ended it: on a machine that stood still, it may have ended by itself before.
func (w *Worker) kill() bool {
	w.process.Kill()
	<-w.ended
	_, killed := errors.AsType[*KilledError](w.exit)
	return killed
}
