package conform

import (
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

// deadCalls is the number of calls to a port without a listener.
const deadCalls = 12

// deadPort calls a port without a listener: every call is UNAVAILABLE, unless Connect has already failed.
func deadPort(of func(shape) setup) func(r *rig) (string, error) {
	return func(r *rig) (string, error) {
		s := of(shape{2, 1})
		vacant, err := newVacancy()
		if err != nil {
			return "", err
		}
		defer vacant.Close()
		client, err := r.start(r.pair.client.command)
		if err != nil {
			return "", err
		}
		s.address = vacant.address()
		if _, err := client.Connect(r.ctx, r.connectCommand(s)); err != nil {
			if fault, ok := asFault(err); ok && !opensByCall(s) {
				return "Fault: " + fault.Error(), nil
			}
			return "", err
		}
		done, err := r.phase(client, closedCalls(deadCalls))
		if err != nil {
			return "", err
		}
		if err := wantErrors(done, "UNAVAILABLE", deadCalls); err != nil {
			return "", err
		}
		return fmt.Sprintf("%d UNAVAILABLE", deadCalls), nil
	}
}

// wantErrors checks that all of calls failed with one code, which has an example and a histogram.
func wantErrors(done *control.Done, code string, calls int64) error {
	if err := wantOutcome(done, code, calls); err != nil {
		return err
	}
	if done.GetOutcomes()[0].GetExample() == "" {
		return fmt.Errorf("%s has no example", code)
	}
	h, err := decodeAll(done)
	if err != nil {
		return err
	}
	if h["error"] == nil || h["error"].TotalCount() != calls {
		return fmt.Errorf("there is no histogram \"error\" with %d calls", calls)
	}
	return nil
}

// deadlineOf is the deadline of calls to a stopped server.
const deadlineOf = 100 * time.Millisecond

// deadline calls a stopped server: no call is given up early, and all are in the end.
func deadline(r *rig) (string, error) { return deadlineAt(r, deadlineOf) }

func deadlineAt(r *rig, at time.Duration) (string, error) {
	const calls = 4
	given, err := r.givenUp(calls, at)
	if err != nil {
		return "", err
	}
	const exactness = time.Millisecond // of three digits
	if low := time.Duration(given.Min()); low < at-exactness {
		return "", fmt.Errorf("with a deadline of %v a call was given up after %v", at, low)
	}
	return fmt.Sprintf("%d calls given up, none before %v", calls, at), nil
}

// givenUp returns how long calls took that were never answered.
func (r *rig) givenUp(calls int64, at time.Duration) (*hdrhistogram.Histogram, error) {
	s := unary(shape{1, 2})
	s.call.DeadlineNs = int64(at)
	client, server, err := r.both(s)
	if err != nil {
		return nil, err
	}
	if err := server.stop(r.ctx); err != nil {
		return nil, err
	}
	done, err := r.phase(client, closedCalls(calls))
	if err != nil {
		return nil, err
	}
	if err := wantErrors(done, "DEADLINE_EXCEEDED", calls); err != nil {
		return nil, err
	}
	h, err := decodeAll(done)
	return h["error"], err
}

// maxDeadlineLateness is how long after its deadline a call may be given up.
const maxDeadlineLateness = 50 * time.Millisecond

// deadlineLate measures how late the latest call is given up, once the worker has done so before.
func deadlineLate(r *rig) (lateness, error) {
	const calls = 20
	given, err := r.givenUp(calls, deadlineOf)
	if err != nil {
		return lateness{}, err
	}
	by := time.Duration(record.Quantile(given, 0.5)) - deadlineOf
	return lateness{by, fmt.Sprintf("half of %d calls given up", calls)}, nil
}

const (
	diesPerSec = 200
	diesWindow = 800 * time.Millisecond
)

// serverDies kills the server under a load that it has not answered: all calls are UNAVAILABLE, those in flight and those
// that come after.
func serverDies(r *rig) (string, error) {
	done, err := r.dying()
	if err != nil {
		return "", err
	}
	due := int64(diesPerSec * diesWindow.Seconds())
	return fmt.Sprintf("%d UNAVAILABLE", due), wantErrors(done, "UNAVAILABLE", due)
}

// dying stops the server, so that it answers nothing, and kills it once a phase has calls in flight.
func (r *rig) dying() (*control.Done, error) {
	client, server, err := r.tried(unary(shape{1, 4}))
	if err != nil {
		return nil, err
	}
	if err := server.stop(r.ctx); err != nil {
		return nil, err
	}
	killed := false
	return r.watched(client, openFor(control.LoadConstant, diesPerSec, diesWindow), func(i *control.Interval) {
		if i.GetInFlight() > 0 && !killed {
			killed = true
			server.process.Kill()
		}
	})
}

// maxDeathLateness is how much longer than its window a phase may be if all calls fail at once.
const maxDeathLateness = 500 * time.Millisecond

// diesLate measures how much longer than its window the phase is.
func diesLate(r *rig) (lateness, error) {
	done, err := r.dying()
	return lateness{time.Duration(done.GetElapsedNs()) - diesWindow, "the end of a phase whose server is gone"}, err
}
