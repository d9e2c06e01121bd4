package wire

import "rpcbench/internal/stack"

// A Lane is slots of a Client that make the same calls.
type Lane struct {
	client  *Client
	call    Call
	form    form
	block   *block
	slots   []*slot
	streams []*stream // where next calls begin: of each slot, or, of an Open call, of slots that share one
	told    func(slot int, err error)
}

// Lane makes one without slots. told is called by Wait when a call has ended: its error is an *stack.Error.
func (c *Client) Lane(call Call, told func(slot int, err error)) *Lane {
	f := formOf(call)
	return &Lane{client: c, call: call, form: f, block: newBlock(c.config, call, f), told: told}
}

// Add adds a slot. Its number is the number of slots before it.
func (a *Lane) Add(exchange Exchange) {
	a.client.mu.Lock()
	defer a.client.mu.Unlock()
	s := &slot{lane: a, index: len(a.slots), exchange: exchange}
	if !a.call.Open || s.index < a.call.Streams {
		a.streams = append(a.streams, newStream(a))
	}
	s.stream = a.streams[s.index%len(a.streams)]
	a.slots = append(a.slots, s)
}

// streamOf returns the stream for the next call of a slot. It is a new one if the old one's connection accepts no more streams.
func (a *Lane) streamOf(s *slot) *stream {
	next := &a.streams[s.index%len(a.streams)]
	if l := (*next).link; l != nil && l.leaving {
		*next = newStream(a)
	}
	return *next
}

// Tell sets the function that is told of ended calls, from the goroutine of Wait.
func (a *Lane) Tell(told func(slot int, err error)) { a.told = told }

// Send starts a call in each of the slots, which must be idle. It never blocks: a call that can't begin yet, for want of a
// connection or because the server accepts no more streams, begins when it can.
func (a *Lane) Send(slots []int) {
	if l := a.begin(slots...); l != nil {
		a.client.flush(l)
	}
}

// begin begins the calls of slots, and returns the link to be flushed; nil if there is none.
func (a *Lane) begin(slots ...int) *link {
	c := a.client
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, i := range slots {
		s := a.slots[i]
		s.busy, s.again = true, false
		s.call++
		sends, err := s.exchange.Begin()
		s.sends = sends
		switch {
		case err != nil:
			c.endNow(s, err)
		case !c.begin(s):
			c.waiting.Push(waiting{s, s.call})
		}
	}
	if c.link == nil {
		c.rouse()
	}
	return c.link
}

// Resume asks the Exchange of a slot again, which had no message to send yet. It waits for nothing.
func (a *Lane) Resume(slot int) {
	c := a.client
	c.mu.Lock()
	s := a.slots[slot].stream
	l := s.link
	if l == nil {
		c.mu.Unlock()
		return // the call has ended, or has not begun
	}
	l.push(s)
	c.mu.Unlock()
	c.flush(l)
}

// Cancel ends the call of a slot with CANCELLED, if it has one, and says what it waited for. Wait reports it soon.
func (a *Lane) Cancel(slot int) {
	c := a.client
	c.mu.Lock()
	defer c.mu.Unlock()
	s := a.slots[slot]
	if !s.busy {
		return
	}
	canceled := stack.CanceledWaiting(c.awaits(s))
	if l := s.stream.link; l != nil {
		l.abandon(s, canceled)
		if l != c.link {
			l.rouse() // it has something to write, or has nothing open any more
		}
	}
	if s.busy { // it has not begun
		c.end(s, canceled)
	}
	c.rouse()
}

// abandon takes a canceled call off its stream. On a shared stream it leaves its place for the replies still to come. If the call
// was not even sent, the stream accepts no more, and is given up.
func (l *link) abandon(s *slot, canceled error) {
	stream := s.stream
	if !s.lane.call.Open || s.lane.call.Streams == len(s.lane.slots) {
		l.fail(stream, codeCancel, canceled)
		return
	}
	l.client.end(s, canceled)
	for i := range stream.places.Len() {
		if p := stream.places.At(i); p.slot == s && p.call == s.call && p.unsent > 0 {
			l.fail(stream, codeCancel, stack.Errorf(stack.Unavailable, "the stream accepted no more messages and was closed"))
			return
		}
	}
	l.release(stream)
}
