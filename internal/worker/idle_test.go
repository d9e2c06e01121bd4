package worker

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// A far connection opens a stream in its time, or never where that is 0.
type far struct {
	stack.Conn
	stream time.Duration
	opened *int
}

func (f far) Caller(stack.Call, int) (stack.Caller, error) { return f, nil }

func (f far) Call(ctx context.Context) error {
	var open <-chan time.Time
	if f.stream > 0 {
		open = time.After(f.stream)
	}
	select {
	case <-open:
		*f.opened++
		return nil
	case <-ctx.Done():
		return stack.Errorf(stack.Canceled, "%v", ctx.Err())
	}
}

func (far) After() error { return nil }

// withIdle opens three streams on each of the connections.
func withIdle(t *testing.T, conns ...stack.Conn) error {
	t.Helper()
	return withIdleBeside(t, &control.Call{Payload: stack.PayloadZeros}, conns...)
}

func withIdleBeside(t *testing.T, call *control.Call, conns ...stack.Conn) error {
	t.Helper()
	connect := &control.Connect{IdleStreams: 3, InFlight: 1, Call: call}
	cl := &client{connect: connect, conns: conns}
	err := cl.openIdle(t.Context())
	cl.endIdle()
	return err
}

func TestEachIdleStreamIsWaitedForAnew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun, opened := time.Now(), 0
		conn := far{stream: 20 * time.Second, opened: &opened}
		if err := withIdle(t, conn, conn); err != nil || opened != 6 {
			t.Errorf("%d of 6 were opened: %v", opened, err)
		}
		if took := time.Since(begun); took != 2*time.Minute {
			t.Errorf("it took %v, want 2m", took)
		}
	})
}

func TestAnIdleStreamThatIsNotOpenInTimeIsLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun, opened := time.Now(), 0
		err := withIdle(t, far{stream: 5 * time.Second, opened: &opened}, far{})
		if want := "DEADLINE_EXCEEDED: it was not open within 30s"; err == nil || err.Error() != want {
			t.Errorf("it failed with %v, want %s", err, want)
		}
		if took := time.Since(begun); opened != 3 || took != 45*time.Second {
			t.Errorf("%d were opened, and it took %v; want 3, and 45s", opened, took)
		}
	})
}

// A zeroing server answers with zeros, as long as they are asked to be.
type zeroing struct {
	stack.Conn
	call stack.Call
}

func (zeroing) Caller(call stack.Call, _ int) (stack.Caller, error) { return zeroing{call: call}, nil }

func (zeroing) Call(context.Context) error { return nil }

func (z zeroing) After() error {
	if z.call.Check == nil {
		return nil
	}
	return z.call.Check(make([]byte, z.call.ResponseBytes))
}

// A server that is not ours has what it likes in its answers.
func TestTheBytesOfIdleStreamsAreCheckedWhereThoseOfTheCallAre(t *testing.T) {
	t.Parallel()
	for lengthsOnly, want := range map[bool]string{true: "", false: "MISMATCH: the reply has 8 bytes, expected 8"} {
		call := &control.Call{Payload: stack.PayloadRandom, Seed: 1, RequestBytes: 8, LengthsOnly: lengthsOnly}
		got := ""
		if err := withIdleBeside(t, call, zeroing{}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("lengths_only %v: got %q, want %q", lengthsOnly, got, want)
		}
	}
}
