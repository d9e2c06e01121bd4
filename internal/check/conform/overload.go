package conform

import (
	"fmt"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

const (
	overloadPerSec = 1000
	overloadWindow = 400 * time.Millisecond
	overloadDrain  = 200 * time.Millisecond
)

// overload requests a rate from a stopped server: every arrival must end in an outcome, and calls that were never answered must
// be in the histogram with the minimum time that they waited.
func overload(r *rig) (string, error) {
	s := shape{1, 4}
	done, _, err := r.overloaded(s)
	if err != nil {
		return "", err
	}
	return judgeOverload(done, s)
}

// overloaded runs the phase and returns how long it took.
func (r *rig) overloaded(s shape) (*control.Done, time.Duration, error) {
	client, server, err := r.tried(unary(s))
	if err != nil {
		return nil, 0, err
	}
	if err := server.stop(r.ctx); err != nil {
		return nil, 0, err
	}
	begin := openFor(control.LoadConstant, overloadPerSec, overloadWindow)
	begin.DrainNs = int64(overloadDrain)
	begun := time.Now()
	done, err := r.phase(client, begin)
	return done, time.Since(begun), err
}

func judgeOverload(done *control.Done, s shape) (string, error) {
	codes := outcomes(done)
	due := int64(overloadPerSec * overloadWindow.Seconds())
	switch {
	case done.GetArrivals() != due:
		return "", fmt.Errorf("%d arrivals, %d were due", done.GetArrivals(), due)
	case codes["UNSENT"] != due-s.slots() || codes["UNFINISHED"] != s.slots():
		return "", fmt.Errorf("outcomes are %s, want %d UNSENT and %d UNFINISHED", describe(done), due-s.slots(), s.slots())
	}
	h, err := decodeAll(done)
	if err != nil {
		return "", err
	}
	if got := h["response"].TotalCount(); got != due {
		return "", fmt.Errorf("the response histogram has %d calls, want %d: lower bounds belong in it", got, due)
	}
	const exactness = time.Millisecond // of three digits, and of the clock's reading
	if got := record.CountAbove(h["response"], overloadDrain-exactness); got < due {
		return "", fmt.Errorf("%d responses are over %v, but %d calls waited that long without an answer", got, overloadDrain, due)
	}
	return fmt.Sprintf("%d UNSENT, %d UNFINISHED of %d", codes["UNSENT"], codes["UNFINISHED"], due), nil
}

// maxOverloadLateness is how long canceled calls may take to return after the drain.
const maxOverloadLateness = 1500 * time.Millisecond

// overloadLate measures how much longer than its window and its drain such a phase is.
func overloadLate(r *rig) (lateness, error) {
	_, took, err := r.overloaded(shape{1, 4})
	return lateness{took - overloadWindow - overloadDrain, "the end of a phase after its drain"}, err
}
