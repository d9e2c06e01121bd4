package conform

import (
	"errors"
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

const (
	stillPerSec = 200
	stillWindow = 500 * time.Millisecond // in which calls are due
	stillFor    = 600 * time.Millisecond // the server stands still at least, from when a call was in flight
	stillStep   = 100 * time.Millisecond
)

// standsStill makes calls due at a constant rate while the server is stopped, and continues it after all of them were due. Each
// call waited at least from its due time until then, however few slots there are, and however busy the machine is: this is where
// coordinated omission shows.
func standsStill(s shape) func(r *rig) (string, error) {
	return func(r *rig) (string, error) {
		client, server, err := r.tried(unary(s))
		if err != nil {
			return "", err
		}
		done, still, err := r.stillThrough(client, server, openFor(control.LoadConstant, stillPerSec, stillWindow))
		if err != nil {
			return "", err
		}
		due := int64(stillPerSec * stillWindow.Seconds())
		if err := wantOutcome(done, "OK", due); err != nil {
			return "", err
		}
		h, err := decodeAll(done)
		if err != nil {
			return "", err
		}
		if err := checkWaits(h, still, s); err != nil {
			return "", err
		}
		if _, err := checkParts(done); err != nil {
			return "", err
		}
		return fmt.Sprintf("%d calls waited for a frozen server", due), nil
	}
}

// stillThrough runs a phase with a stopped server, and continues the server once it has been stopped for stillFor with a call in
// flight. It returns the minimum time for which it was stopped, counted from then.
func (r *rig) stillThrough(client, server *party, begin *control.Begin) (*control.Done, time.Duration, error) {
	if err := server.stop(r.ctx); err != nil {
		return nil, 0, err
	}
	var inFlight time.Time // a moment at which a call was in flight: the phase had begun
	var still time.Duration
	var failed error
	done, err := r.watched(client, begin, func(i *control.Interval) {
		switch {
		case still > 0 || i.GetInFlight() == 0:
		case inFlight.IsZero():
			inFlight = time.Now()
		case time.Since(inFlight) >= stillFor:
			still = time.Since(inFlight)
			failed = server.process.Resume()
		}
	})
	return done, still, errors.Join(err, failed)
}

// checkWaits checks that call k, due k gaps after the beginning, waited at least still minus k gaps, and that calls not in flight
// meanwhile were queued.
func checkWaits(h histogramsByName, still time.Duration, s shape) error {
	for waited := stillStep; waited < still; waited += stillStep {
		if err := checkCount(h["response"], waited, dueBefore(still-waited)); err != nil {
			return fmt.Errorf("the response histogram: %w", err)
		}
		if err := checkCount(h["queue"], waited, dueBefore(still-waited)-s.slots()); err != nil {
			return fmt.Errorf("the queue histogram: %w", err)
		}
	}
	return nil
}

// dueBefore returns how many calls were due in the first d of the phase.
func dueBefore(d time.Duration) int64 {
	return int64(min(d, stillWindow).Seconds() * stillPerSec)
}

// checkCount checks that a histogram has at least that many calls that took at least that long.
func checkCount(h *hdrhistogram.Histogram, waited time.Duration, least int64) error {
	const exactness = 1000 // a histogram's three digits
	if got := record.CountAbove(h, waited-waited/exactness); got < least {
		return fmt.Errorf("%d calls took over %v, but %d waited that long for a frozen server", got, waited, least)
	}
	return nil
}
