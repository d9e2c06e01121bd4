package relay

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// A pipe is one direction of one tunnel. It reads from src, and the releasing goroutine writes to dst.
type pipe struct {
	relay    *Relay
	tunnel   *tunnel
	lane     *lane
	src, dst socket
	back     *pipe // the other direction
	direct   attempt

	// The relay's lock guards the following fields.
	queue   queue
	due     time.Duration // of the queue's first, while the pipe is in the schedule
	last    time.Duration // when the last that was queued is due: nothing overtakes it
	held    int           // bytes read, and not yet written
	away    bool          // somebody is writing to dst; the pipe is not in the schedule
	blocked bool          // and waits for dst to take it
	dead    bool          // dst takes nothing any more: what comes is dropped
	room    sync.Cond     // held, blocked or dead has changed
}

// A segment is a unit of transfer: bytes or an act.
type segment struct {
	due    time.Duration
	data   []byte
	buffer *buffer // that data is in; nil when it is in its own
	act    act
}

// An act is performed at the end of a pipe after the preceding bytes have been written.
type act uint8

const (
	none  act = iota
	open      // src is to be heard from now on
	end       // src has ended its output
	reset     // the connection is broken off
)

func newPipe(t *tunnel, l *lane, src, dst socket) *pipe {
	p := &pipe{relay: t.relay, tunnel: t, lane: l, src: src, dst: dst}
	p.room.L = &t.relay.mu
	p.direct.to(dst)
	return p
}

// buffers are the read buffers of pipes.
var buffers = sync.Pool{New: func() any { return new(buffer) }}

type buffer [segmentMax]byte

// cloneMax is the size up to which bytes are copied rather than kept in their read buffer, so that many small segments don't hold
// large buffers.
const cloneMax = segmentMax / 8

// read reads from src until it ends.
func (p *pipe) read() {
	in := buffers.Get().(*buffer)
	for p.admit() {
		n, err := p.src.Read(in[:p.lane.segment])
		if n > 0 {
			s := segment{data: in[:n], buffer: in}
			if n <= cloneMax {
				s = segment{data: bytes.Clone(in[:n])}
			} else {
				in = buffers.Get().(*buffer)
			}
			p.relay.holdBack(p.carry(s))
		}
		if err != nil {
			p.finish(err)
			break
		}
	}
	buffers.Put(in)
}

// admit waits until there is room for more; false when the tunnel is over.
func (p *pipe) admit() bool {
	p.relay.mu.Lock()
	defer p.relay.mu.Unlock()
	for p.full() {
		p.room.Wait()
	}
	return !p.tunnel.over
}

// full reports whether the pipe must not hold more. A pipe whose receiver accepts nothing keeps a socket's buffer full, in
// addition to what was on the way already; so all pipes together never hold more than the link does, plus a buffer each.
func (p *pipe) full() bool {
	limit := p.lane.window + socketBuffer
	if p.blocked {
		limit = socketBuffer
	}
	return !p.dead && p.held >= limit
}

// carry sends bytes on their way, and returns when the last of them leaves.
func (p *pipe) carry(s segment) (departs time.Duration) {
	p.relay.mu.Lock()
	defer p.relay.mu.Unlock()
	if p.dead {
		return 0
	}
	departs = p.lane.depart(p.relay.now(), len(s.data))
	s.due = p.lane.arrive(departs)
	p.held += len(s.data)
	p.push(s)
	return departs
}

// finish passes on that src ended, or broke the connection off.
func (p *pipe) finish(err error) {
	p.relay.mu.Lock()
	switch {
	case p.dead: // that dst is gone src hears from the other direction
	case errors.Is(err, io.EOF):
		p.push(segment{due: p.lane.arrive(p.relay.now()), act: end})
	default:
		p.breakOff()
		return
	}
	p.relay.mu.Unlock()
}

// breakOff resets the tunnel a delay later; at once when dst takes nothing, for a reset does not wait for that, or is gone
// too. It is called with the lock, and gives it back.
func (p *pipe) breakOff() {
	if p.blocked || p.dead {
		p.relay.mu.Unlock()
		p.tunnel.abort()
		return
	}
	p.push(segment{due: p.lane.arrive(p.relay.now()), act: reset})
	p.relay.mu.Unlock()
}

// push queues a segment behind those that are there.
func (p *pipe) push(s segment) {
	if p.tunnel.over {
		return
	}
	s.due = max(s.due, p.last)
	p.last = s.due
	p.queue.push(s)
	if !p.away && p.queue.length() == 1 {
		p.relay.enter(p)
	}
}

// take removes due bytes from the queue, as many as there is room for, and the act after them. late records by how much each
// segment is late; it is nil if the relay is not the cause.
func (p *pipe) take(room []byte, now time.Duration, late *hdrhistogram.Histogram) (data []byte, a act) {
	for data = room[:0]; p.queue.length() > 0; {
		s := p.queue.first()
		if s.due > now || len(data)+len(s.data) > len(room) {
			break
		}
		if late != nil {
			_ = late.RecordValue(int64(now - s.due)) // nothing is an hour late
		}
		data = append(data, s.data...)
		if s.buffer != nil {
			buffers.Put(s.buffer)
		}
		if a = p.queue.pop().act; a != none {
			break
		}
	}
	p.lane.arrived += int64(len(data))
	return data, a
}

// wrote takes account of bytes that dst has taken.
func (p *pipe) wrote(n int) {
	p.held -= n
	p.room.Signal()
}

// leave returns the pipe to the schedule when nothing writes to dst any more.
func (p *pipe) leave() {
	p.away, p.blocked = false, false
	p.room.Signal()
	if p.queue.length() > 0 {
		p.relay.enter(p)
	}
}

// lose takes account of a dst that is gone, which src hears a delay later.
func (p *pipe) lose() {
	p.relay.mu.Lock()
	p.drop()
	p.back.breakOff()
}

// drop discards everything queued, and everything that may still arrive.
func (p *pipe) drop() {
	p.dead, p.queue, p.held = true, queue{}, 0
	p.room.Broadcast()
}
