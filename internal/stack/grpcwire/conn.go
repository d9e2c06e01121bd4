package grpcwire

import (
	"sync"

	"rpcbench/internal/stack"
	"rpcbench/internal/wire"
)

// A conn is one Client.
type conn struct {
	client   *wire.Client
	inFlight int
	gzip     bool

	pump   sync.Once // that waits for Callers
	pulled bool      // a Pipeline waits, and for Callers too
	lane   *wire.Lane
	group  []*caller // of the call that Callers are being made of
	script *script
}

// Caller is stack.Conn's.
func (c *conn) Caller(call stack.Call, slot int) (stack.Caller, error) {
	if err := (grpcWire{}).Info().CheckCall(call, slot, c.inFlight); err != nil {
		return nil, err
	}
	if slot == 0 || c.group == nil {
		if err := c.newGroup(call); err != nil {
			return nil, err
		}
	}
	one := newCaller(c.lane, slot)
	c.group[slot] = one
	c.lane.Add(newExchange(c.lane, c.script, call, slot))
	return one, nil
}

// newGroup begins the Callers of a call.
func (c *conn) newGroup(call stack.Call) error {
	s, err := newScript(call, c.gzip)
	if err != nil {
		return err
	}
	group := make([]*caller, c.inFlight)
	c.script, c.group = s, group
	c.lane = c.client.Lane(s.call, func(slot int, err error) { group[slot].ended <- err })
	if !c.pulled {
		c.pump.Do(func() { go c.wait() })
	}
	return nil
}

func (c *conn) wait() {
	for c.client.Wait() {
	}
}

// Pipeline is stack.Pipeliner's.
func (c *conn) Pipeline(call stack.Call) (stack.Pipeline, error) {
	if err := (grpcWire{}).Info().CheckCall(call, 0, c.inFlight); err != nil {
		return nil, err
	}
	if c.group != nil {
		return nil, stack.Errorf(stack.Internal, "a pipeline was asked for after Callers")
	}
	s, err := newScript(call, c.gzip)
	if err != nil {
		return nil, err
	}
	c.pulled = true
	c.client.Sit()
	p := &pipeline{c.client, c.client.Lane(s.call, nil)}
	for slot := range c.inFlight {
		p.Add(newExchange(p.Lane, s, call, slot))
	}
	return p, nil
}

// A pipeline is all slots of a connection.
type pipeline struct {
	client *wire.Client
	*wire.Lane
}

// Wait is stack.Pipeline's.
func (p *pipeline) Wait(ended func(slot int, err error)) bool {
	p.Tell(ended)
	return p.client.Wait()
}

// Close is stack.Conn's.
func (c *conn) Close() error {
	c.client.Close()
	return nil
}
