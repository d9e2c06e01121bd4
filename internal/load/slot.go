package load

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// States of slot.sent besides a time of sending.
const (
	idle    = int64(-1)
	givenUp = int64(-2) // the phase is over and has recorded the call as Unfinished

	// cancelled is a flag of a time of sending: that call is being cancelled, and no other one.
	cancelled = int64(1) << 62
)

// A slot makes one call at a time. Its context lives as long as its calls return in time, over phases too, because
// streams hang on it.
type slot struct {
	index  int
	caller Caller
	hand   chan arrival // an open load's arrivals, from the pacer

	sent atomic.Int64          // when the call in flight was sent, in ns, perhaps cancelled; idle or givenUp otherwise
	due  atomic.Int64          // when that call was due, in ns
	why  atomic.Pointer[error] // the call in flight was cancelled: ErrDeadline or errCut; nil when it was not

	sample   Sample       // of the last call, in the slot's memory so that the Sink's costs none
	arrivals atomic.Int64 // of this phase
	last     atomic.Int64 // this phase's latest completion, in ns

	parent context.Context
	ctx    context.Context // nil before the first call
	cancel atomic.Pointer[context.CancelFunc]

	_ [64]byte // keeps the next slot's atomics off this one's cache line
}

// An arrival is a due call in the hands of a slot that has been free since free.
type arrival struct {
	due  time.Duration
	free time.Duration
}

func newSlot(parent context.Context, index int, caller Caller) *slot {
	s := &slot{index: index, caller: caller, parent: parent}
	s.sent.Store(idle)
	return s
}

// call makes the call of an arrival, sent now, and tells whether the slot may go on. It is the hot path: beyond the Caller's own
// work it costs a clock read, the one for sent, five uncontended atomic operations and the Sink, and allocates nothing.
func (s *slot) call(p *phase, a arrival, sent time.Duration) (goOn bool) {
	ctx := s.context()
	s.due.Store(int64(a.due))
	s.sent.Store(int64(sent))
	err := s.caller.Call(ctx)
	done := p.now()
	wrong := s.caller.After()
	if !s.sent.CompareAndSwap(int64(sent), idle) {
		if s.sent.Load() == givenUp {
			return false
		}
		<-ctx.Done() // at once: who flagged the call cancels it, and must not cancel the next
		if err != nil {
			err = *s.why.Load()
		}
		if !s.sent.CompareAndSwap(int64(sent)|cancelled, idle) {
			return false
		}
	}
	if err == nil {
		err = wrong
	}
	s.sample = a.sample(sent, done, err)
	p.take(s, &s.sample)
	return true
}

// sample tells the story of an arrival that was sent.
func (a arrival) sample(sent, done time.Duration, err error) Sample {
	if err != nil && errors.Is(err, errCut) {
		return Sample{Due: a.due, Sent: sent, Done: done, Fate: Unfinished}
	}
	return Sample{
		Due: a.due, Sent: sent, Done: done, Err: err,
		Queue: max(0, a.free-a.due),
		Wake:  sent - max(a.due, a.free),
	}
}

// context returns the slot's context, made anew after a call was cancelled through it.
func (s *slot) context() context.Context {
	if s.ctx == nil || s.ctx.Err() != nil {
		ctx, cancel := context.WithCancel(s.parent)
		s.ctx = ctx
		s.why.Store(nil)
		s.cancel.Store(&cancel)
	}
	return s.ctx
}

// expire cancels the call that was sent then, unless it is over. The first reason counts.
func (s *slot) expire(sent int64, why *error) {
	if sent >= 0 && sent < cancelled && s.sent.CompareAndSwap(sent, sent|cancelled) {
		s.why.Store(why)
		(*s.cancel.Load())()
	}
}

// giveUp takes the call in flight away from the slot, and returns when it was sent; false where there is none.
func (s *slot) giveUp() (sent time.Duration, ok bool) {
	for {
		was := s.sent.Load()
		if was < 0 {
			return 0, false
		}
		if s.sent.CompareAndSwap(was, givenUp) {
			return time.Duration(was &^ cancelled), true
		}
	}
}
