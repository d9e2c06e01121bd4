package conform

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/patience"
)

// A party is a worker that a case has started. Should this process be killed before it can end a worker that it has
// stopped, the kernel continues and hangs up the group that it leaves behind; the others meet the end of their input.
type party struct {
	*launch.Worker
	process  *process.Process // nil for a session in a shared process
	patience time.Duration    // with its end
}

func start(ctx context.Context, command []string, patience time.Duration) (*party, error) {
	return startProgram(ctx, process.Program{Command: command}, patience)
}

func startProgram(ctx context.Context, program process.Program, patience time.Duration) (*party, error) {
	p, err := process.Start(program, launch.Order{})
	if err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	w, err := launch.Open(ctx, p)
	if err == nil {
		return &party{w, p, patience}, nil
	}
	if lost, ok := errors.AsType[*launch.LostError](err); ok {
		err = explain(lost.Err, lost.LastWords)
	}
	return nil, err
}

// explain adds a worker's last words to an error.
func explain(err error, lastWords string) error {
	if err == nil || lastWords == "" {
		return err
	}
	return fmt.Errorf("%w; its last output: %s", err, lastWords)
}

func (c *party) explain(err error) error { return explain(err, c.LastWords()) }

// end ends the worker's input and waits for its end. The error says that it did not end, or not well.
func (c *party) end() error { return c.explain(c.CloseWithin(c.patience)) }

// close ends the worker in any case, a stopped one too.
func (c *party) close() {
	if c.process != nil {
		_ = c.process.Resume() // it may be gone already
	}
	_ = c.Abort() // how a worker ends is for the cases about that
}

// stop stops the group and returns when it has stopped: a process goes on until one of its threads has run to see the signal.
func (c *party) stop(ctx context.Context) error {
	if err := c.process.Pause(); err != nil {
		return fmt.Errorf("stop the server: %w", err)
	}
	for {
		switch still, err := c.process.Paused(); {
		case err != nil:
			return fmt.Errorf("stop the server: %w", err)
		case still:
			return nil
		}
		if err := patience.Pause(ctx, 50*time.Microsecond); err != nil {
			return err
		}
	}
}

// A stopTime bounds how long a process group was stopped, as exactly as is visible from outside.
type stopTime struct{ least, most time.Duration }

// freeze stops the group for d.
func (c *party) freeze(ctx context.Context, d time.Duration) (stopTime, error) {
	begun := time.Now()
	if err := c.stop(ctx); err != nil {
		return stopTime{}, err
	}
	stopped := time.Now()
	waited := patience.Pause(ctx, d)
	resumed := time.Now()
	err := c.process.Resume()
	ended := time.Now()
	if err != nil {
		return stopTime{}, fmt.Errorf("continue the server: %w", err)
	}
	return stopTime{least: resumed.Sub(stopped), most: ended.Sub(begun)}, waited
}

// asFault returns the Fault that err is.
func asFault(err error) (*control.FaultError, bool) {
	var fault *control.FaultError
	return fault, errors.As(err, &fault)
}
