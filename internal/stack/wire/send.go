package wire

import (
	"errors"

	"rpcbench/internal/stack"
)

// push prepares what s has to send, and queues it where the windows are exhausted.
func (l *link) push(s *stream) {
	if s.queued != l && l.advance(s) {
		s.queued = l
		l.queue.Push(s)
	}
}

// dequeue takes the stream that has waited longest from the queue.
func (l *link) dequeue() *stream {
	s := l.queue.Pop()
	if s.queued == l {
		s.queued = nil
	}
	return s
}

// fill goes on with queued streams, the one that has waited longest first, until enough is ready or no window is left.
func (l *link) fill() {
	for l.queue.Len() > 0 && len(l.out) < outBytes && l.window > 0 {
		if s := l.dequeue(); s.link == l {
			l.push(s)
		}
	}
}

// advance prepares frames as long as there is room, and reports whether s has more that could be sent at once. A WINDOW_UPDATE
// resumes what waits for the stream's own window.
func (l *link) advance(s *stream) (more bool) {
	for s.sending < s.places.Len() {
		p := s.places.At(s.sending)
		if p.unsent == 0 {
			s.sending++
			continue
		}
		if len(s.rest) == 0 {
			message, err := p.slot.exchange.Message(p.sends - p.unsent)
			if errors.Is(err, ErrNoMore) {
				l.endSending(s, p)
				continue
			}
			if err != nil {
				l.spoil(s, p.slot, err)
				return false
			}
			if len(message) == 0 {
				return false // until Resume
			}
			s.rest = message
		}
		switch {
		case s.window <= 0:
			return false
		case l.window <= 0 || len(l.out) >= outBytes:
			return true
		}
		l.appendData(s, p)
	}
	return false
}

// endSending ends sending for p, which has no more messages.
func (l *link) endSending(s *stream, p *place) {
	p.unsent, s.ended = 0, true
	l.out = appendFrameHeader(l.out, 0, frameData, flagEndStream, s.id)
}

// spoil ends a call that has no more messages than it sent, and its stream.
func (l *link) spoil(s *stream, of *slot, err error) {
	l.client.endNow(of, err)
	l.fail(s, codeCancel, stack.Errorf(stack.Unavailable, "another call failed on the stream that they share"))
}

// appendData makes one DATA frame of the message that s is sending for p.
func (l *link) appendData(s *stream, p *place) {
	n := int(min(int64(len(s.rest)), int64(l.frameBytes), s.window, l.window))
	flags := byte(0)
	if n == len(s.rest) {
		p.unsent--
		if p.unsent == 0 && !s.lane.call.Open {
			flags = flagEndStream
			s.ended = true
		}
	}
	l.out = append(appendFrameHeader(l.out, n, frameData, flags, s.id), s.rest[:n]...)
	s.rest = s.rest[n:]
	s.window -= int64(n)
	l.window -= int64(n)
}

// flush writes what is ready, as far as the server accepts it at once. The rest, and large amounts, are left to a separate
// goroutine. If another goroutine is already writing, flush leaves it to that one.
func (c *Client) flush(l *link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l.fill()
	switch {
	case l.writing || len(l.out) == 0:
		return
	case len(l.out) > inlineBytes || c.write(l):
		l.leaveWriting()
	}
}

// leaveWriting leaves the rest to the loop, or to a goroutine that may wait for the server.
func (l *link) leaveWriting() {
	l.writing = true
	if on := l.client.loop; on != nil {
		l.left = true
		on.Ask(l)
	} else {
		go l.client.writeOn(l)
	}
}

// writeOn writes until nothing is ready, and waits for the server.
func (c *Client) writeOn(l *link) {
	for stuck := true; stuck; {
		err := l.gate.Drain()
		c.mu.Lock()
		if err != nil {
			l.tear(err)
			stuck = false
		} else {
			stuck = c.write(l)
		}
		l.writing = stuck
		c.mu.Unlock()
	}
}

// write writes until nothing is ready, on a loop once, or until the server accepts no more at once: then it is stuck, or has more
// to write. The caller holds mu, which is released meanwhile.
func (c *Client) write(l *link) (stuck bool) {
	l.writing = true
	defer func() { l.writing = false }()
	for l.torn == nil {
		if !c.prepare(l) {
			break
		}
		ready := l.out
		l.out = l.spare[:0]
		l.writes++
		c.mu.Unlock()
		n, err := l.socket.Write(ready)
		stuck = l.gate.Kept() > 0
		c.mu.Lock()
		l.spare = ready
		if err != nil {
			if n == 0 {
				l.writes-- // nothing of it has left
			}
			l.tear(err)
			return false
		}
		if stuck {
			return true
		}
		if c.loop != nil {
			return c.prepare(l) // a loop has others to visit
		}
	}
	return false
}

// prepare makes ready what may be written next, and reports whether there is any.
func (c *Client) prepare(l *link) bool {
	l.fill()
	if c.link == l {
		c.admit()
	}
	return len(l.out) > 0
}

// tear ends a connection that can't be written to, so that the reader learns it.
func (l *link) tear(err error) {
	l.torn = err
	l.socket.Close()
	if l.client.loop != nil {
		l.rouse() // it hears no more of the socket
	}
}
