package load

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// Config is what a SlotPool receives from outside.
type Config struct {
	Callers  []Caller             // one per slot; nil with Pipelines and with a Mix
	Mix      *Mix                 // nil where all calls are of one Caller of their slot
	Lines    []Pipeline           // nil with Callers
	LineOf   []int                // for each slot, which of Lines it is in; see Evenly
	Now      func() time.Duration // a monotonic clock from any origin
	Waiter   Waiter               // for open loads
	Deadline time.Duration        // of every call; a call is cancelled at most a twentieth (or 1 ms) later
}

// A Mix has each call made by one of several Callers of its slot. Which one depends on the call's number alone: of an open load
// that of its arrival; of a closed one m + 2^40·(s·parts + part), for call m of the phase, from 0, in slot s of a Part.
type Mix struct {
	Callers [][]Caller              // of each slot, in the order of the calls that Draw chooses from
	Draw    func(number uint64) int // may be called concurrently
}

// size returns how many calls a Mix has; no Mix has one.
func (m *Mix) size() int {
	if m == nil || len(m.Callers) == 0 {
		return 1
	}
	return len(m.Callers[0])
}

// A SlotPool holds the slots of one worker. Phases run in it one after another. What depends on a slot's context, such as an open
// stream, stays alive between them.
type SlotPool struct {
	config Config
	slots  []*slot
	lines  []*line
	queue  atomic.Pointer[queue] // of the phase that runs; nil without one, or where its load is closed
	close  context.CancelFunc
}

// NewSlotPool makes a pool with a slot for every Caller or every entry of LineOf. The goroutines of Lines live until their Wait
// says that they are closed.
func NewSlotPool(config Config) *SlotPool {
	ctx, cancel := context.WithCancel(context.Background())
	pool := &SlotPool{config: config, close: cancel}
	for i, caller := range config.Callers {
		pool.slots = append(pool.slots, newSlot(ctx, i, caller))
	}
	if config.Mix != nil {
		for i, callers := range config.Mix.Callers {
			pool.slots = append(pool.slots, newMixedSlot(ctx, i, callers))
		}
	}
	pool.addLines()
	return pool
}

// Evenly returns a LineOf for lines with equally many slots. Neighbors are of different lines, so that few calls in flight use
// all.
func Evenly(lines, slots int) []int {
	lineOf := make([]int, 0, lines*slots)
	for range slots {
		for i := range lines {
			lineOf = append(lineOf, i)
		}
	}
	return lineOf
}

// addLines makes the slots of lines. Within a line they have the order in which they are in LineOf.
func (r *SlotPool) addLines() {
	seats := make([][]*slot, len(r.config.Lines))
	for _, line := range r.config.LineOf {
		s := &slot{index: len(r.slots)}
		s.sent.Store(idle)
		seats[line] = append(seats[line], s)
		r.slots = append(r.slots, s)
	}
	for i, pipeline := range r.config.Lines {
		l := newLine(i, pipeline, seats[i])
		r.lines = append(r.lines, l)
		go l.run(r.config.Now)
	}
}

// Close cancels everything that the slots still hold.
func (r *SlotPool) Close() { r.close() }

// InFlight returns how many calls are being made now.
func (r *SlotPool) InFlight() int64 {
	if q := r.queue.Load(); q != nil {
		if idle, ok := q.idleSlots(); ok {
			return int64(len(r.slots) - idle)
		}
	}
	var n int64
	for _, s := range r.slots {
		if s.sent.Load() >= 0 {
			n++
		}
	}
	return n
}

// Begin prepares a phase: schedule's calls, recorded to sink, late ones sent and answered until drain after the last
// was due. It fails when a slot never came back from an earlier phase. One phase at a time.
func (r *SlotPool) Begin(schedule Schedule, drain time.Duration, sink Sink) (*Phase, error) {
	for _, s := range r.slots {
		if s.sent.Load() != idle {
			return nil, fmt.Errorf("slot %d has not returned from a call of the previous phase", s.index)
		}
	}
	for _, s := range r.slots {
		s.arrivals.Store(0)
		s.last.Store(0)
		s.late = 0
	}
	r.queue.Store(nil)
	p := &phase{pool: r, schedule: schedule, sink: sink, stopped: make(chan struct{}), told: make(chan struct{}, 1)}
	p.drain.Store(int64(drain))
	p.end.Store(undecided)
	p.left.Store(schedule.Part.Share(schedule.Limit.Calls))
	return &Phase{p}, nil
}
