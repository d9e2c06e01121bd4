package conform

import (
	"fmt"
	"math"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

// stopDrain is how long late calls may still be answered after the Stop. None is.
const stopDrain = 200 * time.Millisecond

// stopDraining stops a load whose server is stopped, and which would drain for an hour. Calls that were due by then must end in
// an outcome, and have waited at least for the drain of the Stop.
func stopDraining(r *rig) (string, error) {
	s := shape{1, 4}
	client, server, err := r.tried(unary(s))
	if err != nil {
		return "", err
	}
	if !client.Hello.GetStopDrain() {
		return "hello.stop_drain is false", nil
	}
	if err := server.stop(r.ctx); err != nil {
		return "", err
	}
	begin := openFor(control.LoadConstant, overloadPerSec, time.Hour)
	begin.DrainNs = int64(time.Hour)
	done, _, err := r.stopped(client, begin, stopDrain, func() error { return client.StopWithin(r.ctx, stopDrain) })
	if err != nil {
		return "", err
	}
	return judgeStopped(done, s)
}

func judgeStopped(done *control.Done, s shape) (string, error) {
	codes, stopped := outcomes(done), time.Duration(done.GetStoppedNs())
	due := int64(math.Ceil(overloadPerSec * stopped.Seconds())) // call i is due at i/overloadPerSec, and before the Stop
	h, err := decodeAll(done)
	switch {
	case err != nil:
		return "", err
	case stopped <= 0 || done.GetElapsedNs() < int64(stopped+stopDrain):
		return "", fmt.Errorf("it says that it was stopped at %v and ended at %v, want %v between", stopped,
			time.Duration(done.GetElapsedNs()), stopDrain)
	case done.GetWindowNs() != int64(stopped):
		return "", fmt.Errorf("its window is %v, but it was stopped at %v", time.Duration(done.GetWindowNs()), stopped)
	case done.GetArrivals() != due:
		return "", fmt.Errorf("%d arrivals, %d were due when it was stopped at %v", done.GetArrivals(), due, stopped)
	case codes["UNSENT"] != due-s.slots() || codes["UNFINISHED"] != s.slots():
		return "", fmt.Errorf("outcomes are %s, want %d UNSENT and %d UNFINISHED", describe(done), due-s.slots(), s.slots())
	}
	const exactness = time.Millisecond // of three digits, and of the clock's reading
	if got := record.CountAbove(h["response"], stopDrain-exactness); got < due {
		return "", fmt.Errorf("%d responses are over %v, but %d calls waited that long without an answer", got, stopDrain, due)
	}
	return fmt.Sprintf("%d UNSENT, %d UNFINISHED of %d", codes["UNSENT"], codes["UNFINISHED"], due), nil
}
