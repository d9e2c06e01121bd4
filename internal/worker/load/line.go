package load

import (
	"context"
	"time"
)

// A Pipeline performs calls of many slots, one at a time in each, without a goroutine for each. It is the adapter's contract,
// stack.Pipeline, as this package sees it.
type Pipeline interface {
	Send(slots []int)
	Wait(ended func(slot int, err error)) bool
	Cancel(slot int)
}

// A line is a Pipeline with its slots. Its goroutine lives as long as the Pipeline, over phases too: a call that ends
// there is recorded, and the slot's next one is started, there. The clock is read once for all calls that end together,
// after the last of them was read and checked; the next calls of their slots are sent by the same reading, in one write.
type line struct {
	pipeline Pipeline
	slots    []*slot

	// Of the line's goroutine.
	read time.Duration // the clock, for the calls that end together; 0 is not yet
	next []int         // slots whose next call is to be sent

	due []int // slots whose arrival was handed over: of who begins the phase, and then of the pacer or the ramp
}

func newLine(number int, pipeline Pipeline, slots []*slot) *line {
	l := &line{
		pipeline: pipeline, slots: slots,
		next: make([]int, 0, len(slots)), due: make([]int, 0, len(slots)),
	}
	sample := &Sample{} // calls end one after the other
	for i, s := range slots {
		s.line, s.seat, s.from, s.sample = l, i, number, sample
		cancel := context.CancelFunc(func() { pipeline.Cancel(i) })
		s.cancel.Store(&cancel)
	}
	return l
}

// run makes the calls of all phases until the Pipeline is closed.
func (l *line) run(now func() time.Duration) {
	ended := func(seat int, err error) {
		if l.read == 0 {
			l.read = now()
		}
		s := l.slots[seat]
		p := s.phase
		done := l.read - p.origin
		if s.end(p, done, err, nil) && p.another(s, done) {
			l.next = append(l.next, seat)
		}
	}
	for l.pipeline.Wait(ended) {
		l.read = 0
		if len(l.next) > 0 {
			l.pipeline.Send(l.next)
			l.next = l.next[:0]
		}
	}
}

// startLines begins the calls of the lines' slots, one slot of each line after the other.
func (p *phase) startLines() {
	now := p.now()
	for _, s := range p.pool.slots {
		if s.line == nil {
			continue
		}
		s.phase = p
		p.running.Add(1)
		if p.queue != nil {
			p.queue.enter()
		}
		if p.another(s, now) {
			s.line.due = append(s.line.due, s.seat)
		}
	}
	for _, l := range p.pool.lines {
		l.send()
	}
}

// send sends the calls that were handed over.
func (l *line) send() {
	if len(l.due) > 0 {
		l.pipeline.Send(l.due)
		l.due = l.due[:0]
	}
}

// another begins the next call of a line's slot that is free, if one is due now. Where none ever will be, the slot is
// through with the phase.
func (p *phase) another(s *slot, now time.Duration) bool {
	a := arrival{due: now, free: now}
	var what outlook
	if p.queue != nil {
		a, what = p.queue.take(s, now)
	} else {
		what = p.begins(s, now)
	}
	switch what {
	case taken:
		s.begin(a, now)
		return true
	case over:
		p.running.Done()
	case idles: // the pacer, or the ramp, has it
	}
	return false
}
