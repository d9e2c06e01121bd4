package load

import (
	"runtime"
	"sync"
	"time"
)

// open makes the calls that fall due while the slot is free.
func (p *phase) open(s *slot) {
	p.queue.enter()
	for {
		a, what := p.queue.take(s, p.now())
		if what == idles {
			a, what = s.wait()
		}
		if what == over || !s.call(p, a, p.now()) {
			return
		}
	}
}

// wait waits for an arrival from the pacer, or the ramp.
func (s *slot) wait() (arrival, outlook) {
	if a, ok := <-s.hand; ok {
		return a, taken
	}
	return arrival{}, over
}

// near is how long before an arrival the pacer switches from Go's timers, which are late, to its Waiter, which costs more and
// can't be interrupted.
const near = 5 * time.Millisecond

// pace hands arrivals to free slots when they are due. While no slot is free it does nothing: slots that become free take overdue
// arrivals themselves.
func (p *phase) pace() {
	waiter := p.pool.config.Waiter
	for {
		due, ok := p.queue.await()
		if !ok {
			return
		}
		switch early := due - p.now(); {
		case early > near:
			p.queue.rest(early - near)
			continue
		case early > 0:
			waiter.Wait(early)
			continue
		}
		p.queue.dispatch(p.now())
		for _, l := range p.pool.lines {
			l.send()
		}
		runtime.Gosched() // the slot goes on here and now; to wake another thread for it would take longer than a call
	}
}

// A queue deals the arrivals of an open load to slots, each arrival once, in order. Its idle slots wait in the order in
// which they became free, so that an arrival always meets the slot that has been free longest: the lag is then wake
// exactly when some slot was free.
type queue struct {
	mu       sync.Mutex
	changed  sync.Cond // idle grew, or more turned false
	arrivals *arrivals
	due      time.Duration // of the next arrival
	which    int           // of a Mix, the next arrival
	more     bool          // there is a next arrival
	mix      *Mix          // nil without one
	end      time.Duration // nothing is due from here on
	idle     []waiting     // a ring of as many places as there are slots
	head     int
	waiting  int
	outside  int           // slots that have yet to enter
	leave    func(*slot)   // lets an idle slot go
	over     chan struct{} // closed when more has turned false
}

// An outlook says what follows for a free slot.
type outlook uint8

const (
	taken outlook = iota // an arrival
	idles                // to wait for the pacer, or the ramp
	over                 // no more arrivals
)

// waiting is an idle slot and when it became free.
type waiting struct {
	slot *slot
	free time.Duration
}

func newQueue(schedule Schedule, mix *Mix, slots []*slot, leave func(*slot)) *queue {
	q := &queue{
		arrivals: newArrivals(schedule), mix: mix, end: forever, idle: make([]waiting, len(slots)), leave: leave,
		over: make(chan struct{}), outside: len(slots),
	}
	q.changed.L = &q.mu
	openHands(slots)
	q.advance()
	return q
}

// openHands makes slots with a goroutine ready to be handed arrivals while they are idle.
func openHands(slots []*slot) {
	for _, s := range slots {
		if s.line == nil {
			s.hand = make(chan arrival, 1)
		}
	}
}

// take returns the next arrival for a slot that is free now, if it is due. Otherwise the slot is idle, and the pacer hands it an
// arrival later, or makes it leave if there are no more.
func (q *queue) take(s *slot, now time.Duration) (arrival, outlook) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case !q.more:
		return arrival{}, over
	case q.due <= now:
		a := arrival{due: q.due, free: now, which: q.which}
		if q.waiting > 0 {
			a.free = q.idle[q.head].free
		}
		q.advance()
		return a, taken
	}
	q.idle[(q.head+q.waiting)%len(q.idle)] = waiting{s, now}
	q.waiting++
	q.changed.Signal()
	return arrival{}, idles
}

// await returns when the next arrival is due, once a slot is free for it; false if there are no more.
func (q *queue) await() (due time.Duration, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.more && q.waiting == 0 {
		q.changed.Wait()
	}
	return q.due, q.more
}

// enter precedes a slot's first take.
func (q *queue) enter() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.outside--
}

// idleSlots returns how many slots make no call; false if there are no more arrivals, because it is unknown then.
func (q *queue) idleSlots() (n int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.outside + q.waiting, q.more
}

// rest returns after d, or when there are no more arrivals.
func (q *queue) rest(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-q.over:
	}
}

// dispatch hands due arrivals to idle slots.
func (q *queue) dispatch(now time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.more && q.due <= now && q.waiting > 0 {
		w := q.pop()
		w.slot.give(arrival{due: q.due, free: w.free, which: q.which}, now)
		q.advance()
	}
}

// give hands an arrival to an idle slot. A line's is sent when all that are due have been handed over.
func (s *slot) give(a arrival, now time.Duration) {
	if s.line == nil {
		s.hand <- a
		return
	}
	s.begin(a, now)
	s.line.due = append(s.line.due, s.seat)
}

// endAt ends the schedule: only arrivals due before end are made.
func (q *queue) endAt(end time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.end = min(q.end, end)
	q.settle()
}

// goesOn reports whether there are arrivals to come.
func (q *queue) goesOn() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.more
}

// drop takes all remaining arrivals, and reports those that were due at about the same time before now: the due time of the last
// one, and their number, by the calls of a Mix.
func (q *queue) drop(now time.Duration, each func(last time.Duration, arrivals []int64)) {
	q.mu.Lock()
	due, which, more, end := q.due, q.which, q.more, q.end
	q.more = false
	q.settle()
	q.mu.Unlock()
	for more {
		first, last, counts := due, due, make([]int64, q.mix.size())
		for latest := first + (now-first)/1000; more && due <= latest; {
			last = due
			counts[which]++
			due, which, more = q.next()
			more = more && due < end
		}
		each(last, counts)
	}
}

func (q *queue) advance() {
	q.due, q.which, q.more = q.next()
	q.settle()
}

// next returns when the following arrival is due, and which call of a Mix it is.
func (q *queue) next() (due time.Duration, which int, ok bool) {
	due, ok = q.arrivals.next()
	if ok && q.mix != nil {
		which = q.mix.Draw(q.arrivals.number())
	}
	return due, which, ok
}

// settle makes all slots leave once there are no more arrivals.
func (q *queue) settle() {
	q.more = q.more && q.due < q.end
	if q.more {
		return
	}
	for q.waiting > 0 {
		q.leave(q.pop().slot)
	}
	q.changed.Broadcast()
	select {
	case <-q.over: // it is known
	default:
		close(q.over)
	}
}

func (q *queue) pop() waiting {
	w := q.idle[q.head]
	q.head = (q.head + 1) % len(q.idle)
	q.waiting--
	return w
}
