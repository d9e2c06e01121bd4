package grpcwire

import (
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/loop"
	"rpcbench/internal/stack/wire"
)

// A conn is one Client.
type conn struct {
	*wire.Conn
	inFlight int
	gzip     bool
	share    int  // DialConfig.ReplyBytes
	sends    bool // the deadline with every call
}

// Caller is stack.Conn's.
func (c *conn) Caller(call stack.Call, slot int) (stack.Caller, error) {
	if err := (grpcWire{}).Info().CheckCall(call, slot, c.inFlight); err != nil {
		return nil, err
	}
	return c.Conn.Caller(slot, func() (wire.Script, error) { return c.script(call) })
}

// Pipeline is stack.Pipeliner's.
func (c *conn) Pipeline(call stack.Call) (stack.Pipeline, error) {
	s, err := c.checked(call)
	if err != nil {
		return nil, err
	}
	return c.Conn.Pipeline(s)
}

// Join implements stack.Joiner.
func (c *conn) Join(on *loop.Loop, call stack.Call, ended func(slot int, err error)) (stack.Sender, error) {
	s, err := c.checked(call)
	if err != nil {
		return nil, err
	}
	return c.Conn.Join(on, s, ended)
}

func (c *conn) checked(call stack.Call) (wire.Script, error) {
	if err := (grpcWire{}).Info().CheckCall(call, 0, c.inFlight); err != nil {
		return wire.Script{}, err
	}
	return c.script(call)
}

func (c *conn) script(call stack.Call) (wire.Script, error) {
	s, err := newScript(call, c.gzip, c.share)
	if err != nil {
		return wire.Script{}, err
	}
	if c.sends {
		s.call.Header = append(s.call.Header, timeout(call.SentDeadline())...)
	}
	return wire.Script{
		Call:     s.call,
		Exchange: func(lane *wire.Lane, slot int) wire.Exchange { return newExchange(lane, s, call, slot) },
	}, nil
}
