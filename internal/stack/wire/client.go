package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/blocking"
	"rpcbench/internal/stack/loop"
	"rpcbench/internal/stack/ring"
)

// A Client is one connection to a server. When the connection is lost, or the server goes away, the next call reopens it. Replies
// of a server that goes away in good order still arrive meanwhile.
type Client struct {
	config Config
	window int
	ctx    context.Context // of dialling
	cancel context.CancelFunc
	wake   chan struct{} // holds one: Wait has something to look at, and no link to read
	blocks bool          // its reader waits in the kernel, where it can
	loop   *loop.Loop    // that serves it, instead of Wait; nil without one

	mu        sync.Mutex
	link      *link   // nil while there is none
	retired   []*link // that take no more streams, and have some open
	waiting   ring.Ring[waiting]
	ends      []ended
	telling   []ended // of Wait
	dialling  bool
	dialAfter time.Time
	closed    bool
	retries   int64
}

// waiting is a call that can't begin yet.
type waiting struct {
	slot *slot
	call uint64
}

// ended is a call that has ended and is to be told.
type ended struct {
	slot *slot
	err  error
}

var errClosed = stack.Errorf(stack.Canceled, "the connection was closed")

// Dial connects and returns when the server's settings have come. Its errors are *stack.Error.
func Dial(ctx context.Context, config Config) (*Client, error) {
	c := &Client{config: config, window: config.WindowBytes, wake: make(chan struct{}, 1)}
	if c.window == 0 {
		c.window = WindowMax
	}
	l, err := c.open(ctx)
	if err != nil {
		return nil, stack.Failure(ctx, stack.NetCode(err), err)
	}
	c.link = l
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c, nil
}

// Block has Wait wait in the kernel rather than in Go's poller, where that is possible: see package blocking. It pays where
// Wait's own goroutine has all to do that follows, and is for before the first call.
func (c *Client) Block() {
	c.blocks = true
	c.link.yield = blocking.Take(c.link.bare)
}

// Retries returns how many calls have been resent so far, because the server had not processed them.
func (c *Client) Retries() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.retries
}

// Close ends the connection, and the calls on it with CANCELLED.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.cancel()
	if c.link != nil {
		c.link.socket.Close()
	}
	for _, l := range c.retired {
		l.socket.Close()
	}
	c.rouse()
}

// Wait writes what is ready, reads once, and reports to the Lanes which calls have ended: often several, sometimes none. It
// returns false once the Client is closed. It is for one goroutine, and keeps the connection alive: without it nothing is
// answered.
func (c *Client) Wait() bool {
	l, ok := c.awaitLink()
	if l != nil {
		c.flush(l)
		c.read(l)
	}
	c.tell()
	return ok
}

// tell reports to the Lanes which calls have ended, and whether any have.
func (c *Client) tell() bool {
	c.mu.Lock()
	c.telling, c.ends = c.ends, c.telling[:0]
	c.mu.Unlock()
	for _, e := range c.telling {
		e.slot.lane.told(e.slot.index, e.err)
	}
	return len(c.telling) > 0
}

// awaitLink returns the link to read from; nil if calls have ended or, with false, if the Client is closed.
func (c *Client) awaitLink() (*link, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.closed:
			c.endAll(errClosed)
			return nil, false
		case len(c.ends) > 0:
			return nil, true
		case c.link != nil:
			return c.link, true
		}
		c.connect()
		c.mu.Unlock()
		<-c.wake
		c.mu.Lock()
	}
}

// rouse makes Wait, or the loop, check for work.
func (c *Client) rouse() {
	switch {
	case c.loop != nil:
		c.loop.Ask(c)
	case c.link != nil:
		c.link.rouse()
	default:
		select {
		case c.wake <- struct{}{}:
		default:
		}
	}
}

// rouse makes the reader check for work.
func (l *link) rouse() {
	if on := l.client.loop; on != nil {
		on.Ask(l)
		return
	}
	_ = l.socket.SetReadDeadline(past) // a socket that can't is closed
}

var past = time.Unix(1, 0)

// read reads once and takes the frames that came.
func (c *Client) read(l *link) {
	var err error
	if l.unparsed {
		l.unparsed = false
	} else {
		err = l.hear()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.take(l, err)
}

// take takes the frames that were read, and the error that ended the reading.
func (c *Client) take(l *link, err error) {
	if wrong := l.parse(); wrong != nil {
		err = wrong
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		_ = l.socket.SetReadDeadline(time.Time{}) // as in rouse
	case err != nil:
		c.lose(l, err)
		return
	}
	c.admit()
	if l.leaving {
		c.retire(l)
	}
}

// retire takes a link out of use that accepts no more streams. While some are open, it is read in parallel with the next link.
func (c *Client) retire(l *link) {
	switch {
	case l.open == 0:
		c.drop(l)
	case c.link == l:
		c.link = nil
		c.retired = append(c.retired, l)
		l.yield()
		if c.loop == nil {
			go c.attend(l)
		}
	}
}

// attend reads a retired link to its end.
func (c *Client) attend(l *link) {
	for open := true; open; {
		c.flush(l)
		c.read(l)
		c.mu.Lock()
		open = slices.Contains(c.retired, l)
		if len(c.ends) > 0 || c.link == nil {
			c.rouse()
		}
		c.mu.Unlock()
	}
}

// lose ends a connection that can't go on, and its calls.
func (c *Client) lose(l *link, err error) {
	var violated *violation
	if l.torn != nil && errors.Is(err, net.ErrClosed) {
		err = l.torn
	}
	switch {
	case c.closed:
		err = errClosed
	case errors.As(err, &violated):
		l.farewell(violated.code)
		err = stack.Errorf(stack.Internal, "%w", err)
	case errors.Is(err, io.EOF) && l.leaving:
		err = stack.Errorf(stack.Unavailable, "the server closed the connection: %s", l.why)
	case errors.Is(err, io.EOF):
		err = stack.Errorf(stack.Unavailable, "the server closed the connection")
	case stack.CodeOf(err) == stack.Unknown: // it has none
		err = &stack.Error{Code: stack.Unavailable, Err: err}
	}
	for _, s := range l.streams {
		switch {
		case s == nil:
		case s.opened >= l.writes && !c.closed: // nothing of it was written; after a write that failed, also of what began during it
			l.refuse(s, err)
		default:
			l.tell(s, err)
			l.closeStream(s)
		}
	}
	c.drop(l)
}

// farewell tells the server about its error, if it still reads. Nothing depends on that.
func (l *link) farewell(code errorCode) {
	if l.writing {
		return
	}
	l.goAway(code)
	_, _ = l.socket.Write(l.out)
}

func (c *Client) drop(l *link) {
	l.socket.Close()
	for l.queue.Len() > 0 {
		l.dequeue() // or idle streams would keep the memory of l
	}
	if c.link == l {
		c.link = nil
	}
	c.retired = slices.DeleteFunc(c.retired, func(one *link) bool { return one == l })
}

// end notes that a call has ended. Outside of Wait's goroutine rouse goes with it.
func (c *Client) end(s *slot, err error) {
	s.busy = false
	c.ends = append(c.ends, ended{s, err})
}

// endNow ends a call from any goroutine.
func (c *Client) endNow(s *slot, err error) {
	c.end(s, err)
	c.rouse()
}

// endAll ends every call.
func (c *Client) endAll(err error) {
	if c.link != nil {
		c.lose(c.link, err)
	}
	for len(c.retired) > 0 {
		c.lose(c.retired[0], err)
	}
	c.endWaiting(err)
}

func (c *Client) endWaiting(err error) {
	for c.waiting.Len() > 0 {
		if w := c.waiting.Pop(); w.slot.busy && w.slot.call == w.call {
			c.end(w.slot, err)
		}
	}
}

// begin begins the call of a slot, and reports whether it could.
func (c *Client) begin(s *slot) bool {
	l := c.link
	if l == nil || l.leaving || l.isFull() {
		return false
	}
	s.stream = s.lane.streamOf(s)
	if s.stream.link == nil {
		if !l.mayOpen() {
			return false
		}
		l.openStream(s.stream, s.exchange.Fields(), s.sends == 0)
	}
	s.stream.places.Push(place{slot: s, call: s.call, sends: s.sends, unsent: s.sends, due: s.lane.call.Replies})
	l.push(s.stream)
	if l.usedUp() {
		l.leave("its stream IDs are used up")
		l.rouse() // it is to be retired
	}
	return true
}

// again resends a call of which the server has seen nothing, once, as in gRPC's transparent retry.
func (c *Client) again(s *slot) bool {
	if s.again {
		return false
	}
	s.again = true
	c.retries++
	c.waiting.Push(waiting{s, s.call})
	return true
}

// admit begins waiting calls, as far as the server accepts them.
func (c *Client) admit() {
	for c.waiting.Len() > 0 {
		w := c.waiting.At(0)
		if w.slot.busy && w.slot.call == w.call && !c.begin(w.slot) {
			return
		}
		c.waiting.Pop()
	}
}
