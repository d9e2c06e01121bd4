package relay

import (
	"bytes"
	"container/heap"
	"time"
)

const (
	// waitMin and waitMax bound one wait for a due time. What is pushed meanwhile is due at least a delay later; without a delay
	// it may be late by waitMin. A Close is noticed after waitMax.
	waitMin = 100 * time.Microsecond
	waitMax = 20 * time.Millisecond

	// coarse is more than Go's timers are late on an idle machine.
	coarse = 2 * time.Millisecond

	// releaseMax is the most bytes that are written at once.
	releaseMax = 64 << 10
)

// release passes on due bytes for all tunnels until the relay is closed. It waits in the kernel, because Go's timers are up to 1
// ms late, and it writes by itself, because waking another goroutine would take longer than a write. Only if a receiver does not
// accept bytes does another goroutine wait for it.
func (r *Relay) release() {
	room := make([]byte, releaseMax)
	for {
		p, data, a := r.next(room)
		if p == nil {
			return
		}
		p.pass(data, a)
	}
}

// next waits for the pipe whose first segment is due first, and takes its due bytes. It returns nil when the relay is closed.
func (r *Relay) next(room []byte) (*pipe, []byte, act) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !r.closed {
		if len(r.schedule) == 0 {
			r.pushed.Wait()
			continue
		}
		if early := r.schedule[0].due - r.now(); early > 0 {
			r.mu.Unlock()
			r.wait(early)
			r.mu.Lock()
			continue
		}
		p := heap.Pop(&r.schedule).(*pipe)
		p.away = true
		data, a := p.take(room, r.now(), r.late)
		return p, data, a
	}
	return nil, nil, none
}

// wait returns when what is due early from now is due, or sooner, to check what was pushed meanwhile. Long waits use Go's timers,
// which cost nothing; the rest is waited for exactly.
func (r *Relay) wait(early time.Duration) {
	horizon := max(waitMin, min(waitMax, r.link.RTT/2-r.link.Jitter)) // nothing that is pushed from now on is due before
	if early = min(early, horizon); early > 2*coarse {
		time.Sleep(early - coarse)
		return
	}
	r.waiter.Wait(early)
}

// enter puts a pipe into the schedule.
func (r *Relay) enter(p *pipe) {
	p.due = p.queue.first().due
	heap.Push(&r.schedule, p)
	if len(r.schedule) == 1 {
		r.pushed.Signal()
	}
}

// pass writes what dst accepts at once, and starts a goroutine that waits with the rest.
func (p *pipe) pass(data []byte, a act) {
	n, err := 0, error(nil)
	if len(data) > 0 {
		n, err = p.direct.write(data)
	}
	if err != nil {
		p.lose()
		return
	}
	blocked := n < len(data)
	if !blocked {
		p.perform(a)
	}
	p.relay.mu.Lock()
	defer p.relay.mu.Unlock()
	p.wrote(n)
	if !blocked {
		p.leave()
		return
	}
	p.blocked = true
	rest := bytes.Clone(data[n:]) // data is the releasing goroutine's
	p.relay.running.Go(func() { p.wait(rest, a) })
}

// wait writes everything that is due, as slowly as dst accepts it.
func (p *pipe) wait(rest []byte, a act) {
	room := make([]byte, releaseMax)
	for {
		if _, err := p.dst.Write(rest); err != nil {
			p.lose()
			return
		}
		p.perform(a)
		if rest, a = p.more(len(rest), room); len(rest) == 0 && a == none {
			return
		}
	}
}

// more takes what has become due while n bytes were written, or nothing at the end. Lateness is then caused by dst.
func (p *pipe) more(n int, room []byte) (data []byte, a act) {
	p.relay.mu.Lock()
	defer p.relay.mu.Unlock()
	p.wrote(n)
	if data, a = p.take(room, p.relay.now(), nil); len(data) == 0 && a == none {
		p.leave()
	}
	return data, a
}

// perform performs an act at the end of a pipe.
func (p *pipe) perform(a act) {
	switch a {
	case none:
	case open:
		p.relay.running.Go(p.read)
	case end:
		_ = p.dst.CloseWrite() // where it fails dst is gone, and the other direction tells
		p.tunnel.ended()
	case reset:
		p.tunnel.abort()
	}
}
