package conform

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/patience"
)

// connectAgain connects a client several times: during a phase and wrongly, which are Faults, and with another call of another
// shape, whose counts are its own. A worker that does not begin anew refuses a further Connect.
func connectAgain(p pair) func(r *rig) (string, error) {
	other := ofKind(stack.KindUnary)
	if slices.Contains(p.kinds, stack.KindStream) {
		other = ofKind(stack.KindStream)
	}
	other.shape = shape{3, 1}
	other.call.RequestBytes, other.call.ResponseBytes = 1100, 20
	return func(r *rig) (string, error) {
		s := ofKind(stack.KindUnary)
		client, _, err := r.served(&s)
		if err != nil {
			return "", err
		}
		wire, err := listen(s.address)
		if err != nil {
			return "", err
		}
		defer wire.close()
		s.address, other.address = wire.address(), wire.address()
		again := client.Hello.GetReconnects()
		if !again {
			s.shape = shape{1, 1} // a browser connects once in name
		}
		if _, err := r.connect(client, s); err != nil {
			return "", err
		}
		if !again {
			_, err := client.Connect(r.ctx, r.connectCommand(s)) // which it took before
			return "hello.reconnects is false", wantFault(err, "connect")
		}
		if err := r.connectWrongly(client, wire, s); err != nil {
			return "", err
		}
		return r.countedAgain(client, wire, other)
	}
}

// connectWrongly connects a client during a phase, which goes on, and after it to a stack that nobody has, which leaves it
// without connections.
func (r *rig) connectWrongly(client *party, wire *recorder, s setup) error {
	seen := 0
	answered := make(chan error, 1)
	done, err := r.watched(client, openFor(control.LoadConstant, constantPerSec, time.Hour), func(*control.Interval) {
		if seen++; seen != 2 {
			return
		}
		go func() {
			_, err := client.Connect(r.ctx, r.connectCommand(s))
			answered <- err
			_ = client.Stop(r.ctx) // the phase ends with it, or the case does
		}()
	})
	if err != nil {
		return err
	}
	if seen < 2 {
		return fmt.Errorf("an hour's phase ended after %d intervals", seen)
	}
	if err := errors.Join(wantFault(<-answered, "connect"), wantOutcome(done, "OK", done.GetArrivals())); err != nil {
		return fmt.Errorf("a Connect during a phase: %w", err)
	}
	command := r.connectCommand(s)
	command.Stack = noWord
	_, err = client.Connect(r.ctx, command)
	if err := wantFault(err, "connect.stack"); err != nil {
		return fmt.Errorf("a further Connect: %w", err)
	}
	_, err = client.Begin(r.ctx, closedCalls(1), func(*control.Interval) {})
	if err := wantFault(err, "begin"); err != nil {
		return fmt.Errorf("after a further Connect that was refused: %w", err)
	}
	return r.allClosed(wire, 0)
}

// allClosed waits until no more sockets of the client are open. They are closed on the other side of a network.
func (r *rig) allClosed(wire *recorder, most int) error {
	for begun := time.Now(); wire.stillOpen() > most; {
		if time.Since(begun) > r.patience {
			return fmt.Errorf("%d sockets are open after a further Connect, expected at most %d", wire.stillOpen(), most)
		}
		if err := patience.Pause(r.ctx, time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// checkAgain checks that a client counts the sockets and bytes since a further Connect, and no others.
func checkAgain(mark *control.Snapshot, sockets, sent int64) error {
	switch {
	case mark.GetSockets() != sockets:
		return fmt.Errorf("after a further Connect, the client opened %d sockets and counts %d", sockets, mark.GetSockets())
	case mark.BytesOut != nil && mark.GetBytesOut() != sent:
		return fmt.Errorf("after a further Connect, the client sent %d bytes and counts %d", sent, mark.GetBytesOut())
	default:
		return nil
	}
}

// countedAgain connects a client that was connected before, and checks that what is counted is of this Connect alone.
func (r *rig) countedAgain(client *party, wire *recorder, s setup) (string, error) {
	passed, _ := wire.recorded()
	before := wire.came()
	if _, err := r.connect(client, s); err != nil {
		return "", err
	}
	done, err := r.phase(client, closedCalls(countedCalls))
	if err != nil {
		return "", err
	}
	if err := errors.Join(checkCounts(done, s), checkFirst(done, s)); err != nil {
		return "", fmt.Errorf("after a further Connect: %w", err)
	}
	for begun := time.Now(); ; {
		mark, err := client.Mark(r.ctx)
		if err != nil {
			return "", err
		}
		if _, _, err := checkOpened(s, r.pair.client.info, mark); err != nil {
			return "", fmt.Errorf("after a further Connect, %w", err)
		}
		now, _ := wire.recorded()
		err = checkAgain(mark, wire.came()-before, int64(len(now)-len(passed)))
		if err == nil {
			return fmt.Sprintf("%d calls, %d sockets, %s", countedCalls, mark.GetSockets(), wireText(mark)),
				r.allClosed(wire, int(mark.GetSockets()))
		}
		if time.Since(begun) > r.patience {
			return "", err
		}
		if err := patience.Pause(r.ctx, 10*time.Millisecond); err != nil {
			return "", err
		}
	}
}
