package conform

import (
	"errors"
	"fmt"
	"time"

	"rpcbench/internal/control"
	"rpcbench/internal/record"
)

const (
	overloadPerSec = 1000
	overloadWindow = 400 * time.Millisecond
	overloadDrain  = 200 * time.Millisecond
)

// cutGrace is how long a cancelled call may take to return after the drain.
const cutGrace = 1500 * time.Millisecond

// overload stops the server for good under a rate that it will not see again: every arrival must end in an outcome, and
// what was never answered must stand in the histogram with the time that it waited at least.
func overload(r *rig) (string, error) {
	s := shape{1, 4}
	client, server, err := r.warmed(unary(s))
	if err != nil {
		return "", err
	}
	begin := openFor("constant", overloadPerSec, overloadWindow)
	begin.DrainNs = int64(overloadDrain)
	begun := time.Now()
	done, err := r.stopAtFirst(client, begin, func() error { return server.stop(r.ctx) })
	if err != nil {
		return "", err
	}
	if took := time.Since(begun); took > overloadWindow+overloadDrain+cutGrace {
		return "", fmt.Errorf("the phase took %v, with a window of %v and a drain of %v", took, overloadWindow, overloadDrain)
	}
	return judgeOverload(done, s)
}

// stopAtFirst runs a phase and does something at its first interval.
func (r *rig) stopAtFirst(client *child, begin *control.Begin, do func() error) (*control.Done, error) {
	var seen int
	var failed error
	done, err := r.watched(client, begin, func(*control.Interval) {
		if seen++; seen == 1 {
			failed = do()
		}
	})
	return done, errors.Join(err, failed)
}

func judgeOverload(done *control.Done, s shape) (string, error) {
	codes := outcomes(done)
	due := int64(overloadPerSec * overloadWindow.Seconds())
	lost := codes["UNSENT"] + codes["UNFINISHED"]
	switch {
	case done.GetArrivals() != due:
		return "", fmt.Errorf("%d arrivals, %d were due", done.GetArrivals(), due)
	case codes["OK"]+lost != due || codes["OK"] == 0 || codes["UNSENT"] == 0 || codes["UNFINISHED"] != s.slots():
		return "", fmt.Errorf("outcomes are %s, want OK, UNSENT and %d UNFINISHED, %d in all", describe(done), s.slots(), due)
	}
	h, err := decodeAll(done)
	if err != nil {
		return "", err
	}
	if got := h["response"].TotalCount(); got != due {
		return "", fmt.Errorf("the response histogram has %d calls, want %d: lower bounds belong into it", got, due)
	}
	const exactness = time.Millisecond // of three digits, and of the clock's reading
	if got := record.CountAbove(h["response"], overloadDrain-exactness); got < lost {
		return "", fmt.Errorf("%d responses are over %v, but %d calls waited that long for nothing", got, overloadDrain, lost)
	}
	return fmt.Sprintf("%d OK, %d UNSENT, %d UNFINISHED of %d", codes["OK"], codes["UNSENT"], codes["UNFINISHED"], due), nil
}
