package wire

import (
	"errors"
	"os"
	"slices"

	"rpcbench/internal/stack/loop"
)

// Join has a loop serve the Client from now on, instead of Wait: its turns report to the Lanes which calls have ended. It must
// be called before the first call. It fails if the socket has no descriptor.
func (c *Client) Join(on *loop.Loop) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.link.join(on); err != nil {
		return err
	}
	c.loop = on
	return nil
}

// join has a loop serve the link.
func (l *link) join(on *loop.Loop) error {
	if err := l.gate.Join(on, l); err != nil {
		return err
	}
	l.rest, l.in = slices.Clone(l.in[l.start:l.end]), nil
	on.Ask(l) // something may have come with the settings
	return nil
}

// Ready implements loop.Owner, for a Client that has no link, or has something to write.
func (c *Client) Ready() {
	c.mu.Lock()
	switch {
	case c.closed:
		c.endAll(errClosed)
	case c.link == nil:
		c.connect()
	}
	l := c.link
	c.mu.Unlock()
	if l != nil {
		c.flush(l)
	}
	c.tell()
}

// Ready implements loop.Owner: it writes on, reads what there is, and reports which calls have ended.
func (l *link) Ready() {
	c := l.client
	c.mu.Lock()
	lives := c.has(l)
	c.mu.Unlock()
	if !lives {
		return
	}
	l.writeOn()
	ready := l.read()
	switch ended := c.tell(); {
	case !ready:
	case ended:
		c.loop.Ask(l) // what is ready may be written together with the next call
	default:
		c.flush(l)
	}
}

// has reports whether a link is still in use.
func (c *Client) has(l *link) bool { return c.link == l || slices.Contains(c.retired, l) }

// writeOn goes on with what was left to the loop.
func (l *link) writeOn() {
	c := l.client
	c.mu.Lock()
	defer c.mu.Unlock()
	if !l.left {
		return
	}
	c.mu.Unlock() // nobody else writes meanwhile
	err := l.gate.Push()
	c.mu.Lock()
	switch {
	case err != nil:
		l.left, l.writing = false, false
		l.tear(err)
	case l.gate.Kept() == 0:
		l.left = false
		if c.write(l) {
			l.leaveWriting()
		}
	}
}

// read reads into the loop's memory: what came with one system call, which over TLS is several records, or none. It reports
// whether there is something to write.
func (l *link) read() (ready bool) {
	c := l.client
	l.in = c.loop.Buffer()
	l.start, l.end = 0, copy(l.in, l.rest)
	for goesOn := true; goesOn; {
		n, err := l.socket.Read(l.in[l.end:])
		l.end += n
		c.mu.Lock()
		c.take(l, err)
		if c.link == nil {
			c.connect()
		}
		ready = len(l.out) > 0 || l.queue.Len() > 0
		goesOn = c.config.TLS != nil && !errors.Is(err, os.ErrDeadlineExceeded) && c.has(l)
		c.mu.Unlock()
	}
	l.rest, l.in = append(l.rest[:0], l.in[:l.end]...), nil
	return ready
}
