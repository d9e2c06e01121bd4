package load

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// States of slot.sent besides a time of sending.
const (
	idle    = int64(-1)
	givenUp = int64(-2) // the phase is over and has recorded the call as Unfinished

	// cancelled is a flag of a time of sending: that call is being canceled, and no other one.
	cancelled = int64(1) << 62
)

// A slot makes one call at a time, by a Caller in its own goroutine or by a Pipeline. The context of a Caller lives as long as
// its calls return in time, across phases too, because streams depend on it.
type slot struct {
	// Fields that every call touches, in neighboring cache lines: with many slots, fetching them is a large part of a call's
	// cost.

	sent     atomic.Int64  // when the call in flight was sent, in ns, perhaps cancelled; idle or givenUp otherwise
	due      atomic.Int64  // when that call was due, in ns
	arrivals atomic.Int64  // of this phase
	last     atomic.Int64  // this phase's latest completion, in ns
	late     int64         // OK calls of this phase that were done after its window
	arrival  arrival       // of the call in flight
	began    time.Duration // when it was sent: sent, for the slot itself
	sample   *Sample       // of the last call, so that the Sink's costs no memory; a line's slots share one
	phase    *phase        // of a line's slot
	line     *line         // nil with a Caller
	seat     int           // its number in the line
	from     int           // its number for the Sink: the slot's, or the line's

	index  int
	caller Caller       // nil in a line, and with a Mix
	mixed  []Caller     // of a Mix
	which  atomic.Int32 // of mixed, which the call in flight has
	hand   chan arrival // what the pacer, or the ramp, has for an idle slot; of a Caller

	why        atomic.Pointer[error] // the call in flight was cancelled: ErrDeadline or errCut; nil when it was not
	cancelling sync.Mutex            // held by who cancels a call
	parent     context.Context
	ctx        context.Context // nil before the first call, and in a line
	cancel     atomic.Pointer[context.CancelFunc]

	_ [64]byte // keeps the next slot's atomics off this one's cache line
}

// An arrival is a due call in the hands of a slot that has been free since free.
type arrival struct {
	due   time.Duration
	free  time.Duration
	which int // of a Mix
}

func newSlot(parent context.Context, index int, caller Caller) *slot {
	s := &slot{index: index, from: index, caller: caller, parent: parent, sample: &Sample{}}
	s.sent.Store(idle)
	return s
}

func newMixedSlot(parent context.Context, index int, callers []Caller) *slot {
	s := newSlot(parent, index, nil)
	s.mixed = callers
	return s
}

// call makes the call of an arrival, sent now, and reports whether the slot may go on. It is the hot path: beyond the Caller's
// own work it costs a clock read, the one for sent, five uncontended atomic operations and the Sink, and it allocates nothing.
func (s *slot) call(p *phase, a arrival, sent time.Duration) (goOn bool) {
	ctx := s.context()
	caller := s.caller
	if s.mixed != nil {
		caller = s.mixed[a.which]
		s.which.Store(int32(a.which))
	}
	s.begin(a, sent)
	err := caller.Call(ctx)
	done := p.now()
	return s.end(p, done, err, caller.After())
}

// begin notes that the call of an arrival is sent now.
func (s *slot) begin(a arrival, sent time.Duration) {
	s.arrival, s.began = a, sent
	s.due.Store(int64(a.due))
	s.sent.Store(int64(sent))
}

// end records the call in flight; false says that it was given up, and the slot is lost. An answer may yet be wrong.
func (s *slot) end(p *phase, done time.Duration, err, wrong error) (goOn bool) {
	if !s.sent.CompareAndSwap(int64(s.began), idle) {
		if goOn, err = s.endCancelled(err); !goOn {
			return false
		}
	}
	if err == nil {
		err = wrong
	}
	*s.sample = s.arrival.sample(s.began, done, err)
	p.take(s, s.sample)
	return true
}

// endCancelled ends a call that was canceled, or given up. A failed one has failed for the reason of its cancellation.
func (s *slot) endCancelled(err error) (goOn bool, reason error) {
	s.cancelling.Lock() // who flagged the call is cancelling it, and must not cancel the next
	defer s.cancelling.Unlock()
	if err != nil {
		err = because(*s.why.Load(), err)
	}
	return s.sent.CompareAndSwap(int64(s.began)|cancelled, idle), err
}

// sample returns the Sample of an arrival that was sent.
func (a arrival) sample(sent, done time.Duration, err error) Sample {
	if err != nil && errors.Is(err, errCut) {
		cut := Sample{Due: a.due, Sent: sent, Done: done, Fate: Unfinished, Which: a.which}
		if err != errCut { //nolint:errorlint // it says more
			cut.Err = err
		}
		return cut
	}
	return Sample{
		Due: a.due, Sent: sent, Done: done, Err: err, Which: a.which,
		Queue: max(0, a.free-a.due),
		Wake:  sent - max(a.due, a.free),
	}
}

// context returns the slot's context, made anew after a call was canceled through it.
func (s *slot) context() context.Context {
	if s.ctx == nil || s.ctx.Err() != nil {
		ctx, cancel := context.WithCancel(s.parent)
		s.ctx = ctx
		s.why.Store(nil)
		s.cancel.Store(&cancel)
	}
	return s.ctx
}

// expire cancels the call that was sent then, unless it is over. The first reason counts. A call of a line is canceled
// again each time: the first may have been before the Pipeline had it.
func (s *slot) expire(sent int64, why *error) {
	if sent < 0 {
		return
	}
	s.cancelling.Lock()
	defer s.cancelling.Unlock()
	switch {
	case sent < cancelled && s.sent.CompareAndSwap(sent, sent|cancelled):
		s.why.Store(why)
	case s.line == nil || sent < cancelled || s.sent.Load() != sent:
		return
	}
	(*s.cancel.Load())()
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
