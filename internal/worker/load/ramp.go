package load

import (
	"iter"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// A ramp changes how many slots of a closed load make calls: those whose index is below its level. Neighbours are of
// different connections, so that all connections have their part of every level. A slot at the level or above it ends the
// call that it makes, and is then idle until the level has risen past it.
type ramp struct {
	level atomic.Int64
	slots []*slot
	leave func(*slot) // lets an idle slot go

	mu    sync.Mutex
	idle  []bool // by the slot's index
	over  bool
	ended chan struct{} // closed when over turns true
}

func newRamp(schedule Schedule, slots []*slot, leave func(*slot)) *ramp {
	openHands(slots)
	r := &ramp{slots: slots, leave: leave, idle: make([]bool, len(slots)), ended: make(chan struct{})}
	r.level.Store(schedule.Part.Share(int64(nearest(schedule.Stages[0].From))))
	return r
}

// climb follows the stages until the phase ends, in its own goroutine, so slots need neither sleep nor look at the stages.
func (p *phase) climb() {
	end := p.span.end
	for at, level := range levels(p.schedule.Stages) {
		if at >= end || !p.ramp.wait(at-p.now()) {
			break
		}
		p.ramp.move(int(p.schedule.Part.Share(int64(level))), p.now())
		for _, l := range p.pool.lines {
			l.send()
		}
	}
	p.ramp.wait(end - p.now())
	p.ramp.end()
}

// take reports whether a free slot may make a call. Otherwise it is idle, and will be handed one or have to leave, unless
// the phase is over.
func (r *ramp) take(s *slot) outlook {
	if int64(s.index) < r.level.Load() {
		return taken
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.over:
		return over
	case int64(s.index) < r.level.Load():
		return taken
	}
	r.idle[s.index] = true
	return idles
}

// move sets the level, and hands a call to the slots below it that were idle.
func (r *ramp) move(level int, now time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := int(r.level.Swap(int64(level)))
	for i := was; i < min(level, len(r.slots)); i++ {
		if r.idle[i] {
			r.idle[i] = false
			r.slots[i].give(arrival{due: now, free: now}, now)
		}
	}
}

// end lets all idle slots go.
func (r *ramp) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	r.over = true
	close(r.ended)
	for i, idle := range r.idle {
		if idle {
			r.idle[i] = false
			r.leave(r.slots[i])
		}
	}
}

// wait returns true after d, and false when the ramp has ended before.
func (r *ramp) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-r.ended:
		return false
	case <-timer.C:
		return true
	}
}

// levels yields the changes of the level, which is the stages' value rounded to a whole number, each with its time. The initial
// level is not a change.
func levels(stages []Stage) iter.Seq2[time.Duration, int] {
	return func(yield func(time.Duration, int) bool) {
		level, began := nearest(stages[0].From), time.Duration(0)
		for _, s := range stages {
			if first := nearest(s.From); first != level {
				level = first
				if !yield(began, level) {
					return
				}
			}
			step := 1
			if s.To < s.From {
				step = -1
			}
			for last := nearest(s.To); level != last; {
				part := (float64(level) + float64(step)/2 - s.From) / (s.To - s.From)
				level += step
				if !yield(began+time.Duration(part*float64(s.Length)), level) {
					return
				}
			}
			began += s.Length
		}
	}
}

func nearest(value float64) int { return int(math.Round(value)) }
