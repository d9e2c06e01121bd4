package stacktest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/loop"
)

// OnLoops returns a stack whose connections make their first calls on loops, if they can and the system has loops.
func OnLoops(s stack.Stack) stack.Stack { return dialling{s, onLoops} }

func onLoops(conn stack.Conn, config stack.DialConfig) stack.Conn {
	joiner, ok := conn.(stack.Joiner)
	if !ok || !slices.Contains([]string{stack.NetworkTCP, stack.NetworkUnix, stack.NetworkWSH}, config.Network) {
		return conn
	}
	return &loopConn{Joiner: joiner, inFlight: config.InFlight}
}

// A loopConn's first Callers are a loop's.
type loopConn struct {
	stack.Joiner
	inFlight int
	loop     *loop.Loop // nil before the first, and where there is none
	sender   stack.Sender
	slots    []*loopCaller // of the first call
	made     int           // of them
	once     sync.Once
}

// Caller implements stack.Conn.
func (c *loopConn) Caller(call stack.Call, slot int) (stack.Caller, error) {
	if c.loop == nil && c.made == 0 {
		if err := c.join(call); err != nil {
			return nil, err
		}
	}
	if c.loop == nil || c.made != slot || slot >= c.inFlight {
		return c.Joiner.Caller(call, slot)
	}
	c.made++
	return c.slots[slot], nil
}

func (c *loopConn) join(call stack.Call) error {
	l, err := loop.New()
	if errors.Is(err, loop.ErrUnsupported) {
		return nil
	}
	if err != nil {
		return err
	}
	for slot := range c.inFlight {
		c.slots = append(c.slots, &loopCaller{conn: c, slot: slot, ended: make(chan error, 1)})
	}
	c.sender, err = c.Join(l, call, func(slot int, err error) { c.slots[slot].ended <- err })
	if err != nil {
		l.Close()
		return err
	}
	c.loop = l
	go func() {
		for l.Turn() {
		}
	}()
	return nil
}

// Close implements stack.Conn. Calls that it ends are reported within a second, before the loop is closed.
func (c *loopConn) Close() error {
	err := c.Joiner.Close()
	c.once.Do(func() {
		if c.loop != nil {
			time.AfterFunc(time.Second, c.loop.Close)
		}
	})
	return err
}

// A loopCaller is a slot on a loop.
type loopCaller struct {
	conn  *loopConn
	slot  int
	ended chan error
}

// Call implements stack.Caller.
func (l *loopCaller) Call(ctx context.Context) error {
	l.conn.sender.Send(l.slot, false)
	var err error
	select {
	case err = <-l.ended:
	case <-ctx.Done():
		l.conn.sender.Cancel(l.slot)
		err = <-l.ended
	}
	if err != nil {
		return stack.Failure(ctx, stack.CodeOf(err), err)
	}
	return nil
}

// After implements stack.Caller. The reply was checked when it arrived.
func (l *loopCaller) After() error { return nil }
