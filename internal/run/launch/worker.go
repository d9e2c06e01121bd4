package launch

import (
	"context"
	"fmt"
	"os/exec"
	"sync"
	"time"

	"rpcbench/internal/run/child"
	"rpcbench/internal/worker/control"
)

// exitPatience is how long a worker may take to end after its input has ended. The protocol asks for five seconds; what
// is killed is what hangs, on a machine that has no time for it either.
const exitPatience = 30 * time.Second

// abortPatience is what an aborted worker is given to end by itself, so that one that crashed is told from one that hangs.
const abortPatience = 100 * time.Millisecond

// A Worker is a worker that runs as a child, and the session with it.
type Worker struct {
	*control.Session
	*child.Piped

	exit error
	once sync.Once
}

// Start starts command on the given processors (none is all) and waits for its Hello. A worker that says none is
// ended; the error then carries its last words.
func Start(ctx context.Context, command []string, cpus []int) (*Worker, error) {
	started, err := child.StartPiped(exec.Command(command[0], command[1:]...), cpus)
	if err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	w := &Worker{Piped: started}
	ctx, cancel := context.WithTimeoutCause(ctx, control.Patience, fmt.Errorf("%v have passed", control.Patience))
	defer cancel()
	w.Session, err = control.Open(ctx, w.In, w.Out)
	if err != nil {
		_ = w.Abort() // err says more
		return nil, &LostError{Err: err, LastWords: w.LastWords()}
	}
	return w, nil
}

// A LostError is a worker that could not be started.
type LostError struct {
	Err       error
	LastWords string // the end of its standard error
}

func (e *LostError) Error() string { return "start a worker: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Err }

// Close ends the worker: its input ends, and its process group is killed if it still runs after 30 seconds. It returns
// nil when the worker ended well by itself. Of several Closes and Aborts the first counts, and all return what it found.
func (p *Worker) Close() error { return p.CloseWithin(exitPatience) }

// CloseWithin is Close with another patience.
func (w *Worker) CloseWithin(patience time.Duration) error {
	w.once.Do(func() {
		if w.killedAfter(patience) {
			w.exit = fmt.Errorf("the worker did not end within %v and was killed", patience)
			return
		}
		w.exit = w.Wait()
	})
	return w.exit
}

// Abort ends the worker at once. It returns how the worker ended if it had ended, badly, by itself.
func (w *Worker) Abort() error {
	w.once.Do(func() {
		if w.killedAfter(abortPatience) {
			return // our own doing
		}
		w.exit = w.Wait()
	})
	return w.exit
}

// killedAfter ends the worker's input, and kills the worker when patience is over. It reports whether that ended it: on a
// machine that stood still meanwhile, the worker may have ended by itself before.
func (w *Worker) killedAfter(patience time.Duration) bool {
	_ = w.In.Close() // it may be gone already
	w.Abandon()      // so that the worker can end, which may be in the middle of a write
	over := time.NewTimer(patience)
	defer over.Stop()
	select {
	case <-w.Ended():
		return false
	case <-over.C:
	}
	select {
	case <-w.Ended():
		return false
	default:
	}
	w.Kill()
	return w.WasKilled()
}
