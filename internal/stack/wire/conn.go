package wire

import (
	"sync"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/loop"
)

// A Conn is a Client as adapters have it: with Callers, which wait in their goroutines, with a Pipeline, or on a loop. It
// is for one goroutine.
type Conn struct {
	client   *Client
	inFlight int

	pump   sync.Once // that waits for Callers
	pulled bool      // a Pipeline or a loop waits, and for Callers too
	lane   *Lane
	group  []*caller // of the call that Callers are being made of
	script Script
}

// NewConn returns a Conn with inFlight slots.
func NewConn(client *Client, inFlight int) *Conn { return &Conn{client: client, inFlight: inFlight} }

// A Script specifies what the slots of a call do.
type Script struct {
	Call     Call
	Exchange func(lane *Lane, slot int) Exchange // makes a slot's, which is to be in the lane
}

// Caller makes the Caller of one slot. They are asked for as stack.Conn's are; write makes the script of all slots of a
// call.
func (c *Conn) Caller(slot int, write func() (Script, error)) (stack.Caller, error) {
	if slot == 0 || c.group == nil {
		s, err := write()
		if err != nil {
			return nil, err
		}
		c.begin(s)
	}
	one := newCaller(c.lane, slot)
	c.group[slot] = one
	c.lane.Add(c.script.Exchange(c.lane, slot))
	return one, nil
}

// begin begins the Callers of a call.
func (c *Conn) begin(s Script) {
	group := make([]*caller, c.inFlight)
	c.script, c.group = s, group
	c.lane = c.client.Lane(s.Call, func(slot int, err error) { group[slot].ended <- err })
	if !c.pulled {
		c.pump.Do(func() { go c.wait() })
	}
}

func (c *Conn) wait() {
	for c.client.Wait() {
	}
}

// Pipeline is stack.Pipeliner's, of a script.
func (c *Conn) Pipeline(s Script) (stack.Pipeline, error) {
	if c.group != nil {
		return nil, stack.Errorf(stack.Internal, "a pipeline was requested after Callers")
	}
	c.pulled = true
	c.client.Block()
	return &pipeline{c.client, c.fill(s, nil)}, nil
}

// fill makes a Lane of all slots.
func (c *Conn) fill(s Script, told func(slot int, err error)) *Lane {
	lane := c.client.Lane(s.Call, told)
	for slot := range c.inFlight {
		lane.Add(s.Exchange(lane, slot))
	}
	return lane
}

// Join is stack.Joiner's, of a script.
func (c *Conn) Join(on *loop.Loop, s Script, ended func(slot int, err error)) (stack.Sender, error) {
	if c.group != nil {
		return nil, stack.Errorf(stack.Internal, "a loop was joined after Callers")
	}
	if err := c.client.Join(on); err != nil {
		return nil, stack.Errorf(stack.Internal, "no loop can serve the connection: %w", err)
	}
	c.pulled = true
	return sender{c.fill(s, ended)}, nil
}

// A pipeline is all slots of a connection.
type pipeline struct {
	client *Client
	*Lane
}

// Wait is stack.Pipeline's.
func (p *pipeline) Wait(ended func(slot int, err error)) bool {
	p.Tell(ended)
	return p.client.Wait()
}

// A sender is all slots of a connection that a loop serves: stack.Sender.
type sender struct{ lane *Lane }

// Send implements stack.Sender.
func (s sender) Send(slot int, more bool) {
	l := s.lane.begin(slot)
	if l != nil && !more {
		s.lane.client.flush(l)
	}
}

// Cancel implements stack.Sender.
func (s sender) Cancel(slot int) { s.lane.Cancel(slot) }

// Retries is stack.Retrier's.
func (c *Conn) Retries() int64 { return c.client.Retries() }

// Close is stack.Conn's.
func (c *Conn) Close() error {
	c.client.Close()
	return nil
}
