package conform

import (
	"fmt"
	"time"

	"rpcbench/internal/control"
)

// deadCalls is how many calls go to a port where nobody listens.
const deadCalls = 12

// deadPort calls where nobody listens: every call is UNAVAILABLE, unless Connect has said so already.
func deadPort(of func(shape) setup) func(r *rig) (string, error) {
	return func(r *rig) (string, error) {
		s := of(shape{2, 1})
		address, err := deadAddress()
		if err != nil {
			return "", err
		}
		client, err := r.start(r.pair.client.command)
		if err != nil {
			return "", err
		}
		s.address = address
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

// deadlineOf is the deadline of calls to a server that stands still, deadlineMost what none of them may take.
const (
	deadlineOf   = 100 * time.Millisecond
	deadlineMost = 250 * time.Millisecond
)

// deadline calls a server that stands still.
func deadline(r *rig) (string, error) {
	s := unary(shape{1, 2})
	s.call.DeadlineNs = int64(deadlineOf)
	client, server, err := r.both(s)
	if err != nil {
		return "", err
	}
	if _, err := r.warmUp(client, server); err != nil { // what is new to its work may miss this deadline
		return "", err
	}
	if err := server.stop(r.ctx); err != nil {
		return "", err
	}
	const calls = 4
	done, err := r.phase(client, closedCalls(calls))
	if err != nil {
		return "", err
	}
	if err := wantErrors(done, "DEADLINE_EXCEEDED", calls); err != nil {
		return "", err
	}
	h, err := decodeAll(done)
	if err != nil {
		return "", err
	}
	low, high := time.Duration(h["error"].Min()), time.Duration(h["error"].Max())
	if low < deadlineOf-time.Millisecond || high > deadlineMost {
		return "", fmt.Errorf("with a deadline of %v calls were given up after %v to %v", deadlineOf, low, high)
	}
	return fmt.Sprintf("%d calls given up after %v to %v",
		calls, low.Round(time.Millisecond), high.Round(time.Millisecond)), nil
}

const (
	diesPerSec = 200
	diesWindow = 800 * time.Millisecond
	diesDrain  = time.Second
)

// serverDies kills the server under a load: the calls after that are UNAVAILABLE, and the phase ends when it should.
func serverDies(r *rig) (string, error) {
	client, server, err := r.tried(unary(shape{1, 4}))
	if err != nil {
		return "", err
	}
	begin := openFor("constant", diesPerSec, diesWindow)
	begin.DrainNs = int64(diesDrain)
	done, err := r.stopAtFirst(client, begin, func() error { server.Kill(); return nil })
	if err != nil {
		return "", err
	}
	codes, due := outcomes(done), int64(diesPerSec*diesWindow.Seconds())
	lost := codes["UNAVAILABLE"]
	// The server died about 100 ms after the begin, at the latest by half of the window.
	if codes["OK"]+lost != due || lost < due/2 || codes["OK"] == 0 {
		return "", fmt.Errorf("outcomes are %s, want OK and then UNAVAILABLE, %d in all", describe(done), due)
	}
	elapsed := time.Duration(done.GetElapsedNs())
	if elapsed > diesWindow+diesDrain {
		return "", fmt.Errorf("the phase took %v, with a window of %v and a drain of %v", elapsed, diesWindow, diesDrain)
	}
	return fmt.Sprintf("%d OK, %d UNAVAILABLE, over after %v", codes["OK"], lost, elapsed.Round(time.Millisecond)), nil
}
