package load

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

func TestACancellationThatComesLateSparesTheNextCall(t *testing.T) {
	t.Parallel()
	s := newSlot(t.Context(), 0, nil)
	ctx := s.context()
	late, next := int64(5), int64(9)
	s.sent.Store(late) // when the watchdog looks
	s.sent.Store(next) // the call is over, and the next is sent, before it acts
	s.expire(late, &ErrDeadline)
	if ctx.Err() != nil || s.sent.Load() != next {
		t.Fatalf("the next call was cancelled: %v, sent %d", ctx.Err(), s.sent.Load())
	}
	s.expire(next, &ErrDeadline)
	s.expire(s.sent.Load(), &errCut)
	if !errors.Is(ctx.Err(), context.Canceled) || !errors.Is(*s.why.Load(), ErrDeadline) {
		t.Errorf("context %v, reason %v; want it cancelled for its deadline", ctx.Err(), *s.why.Load())
	}
	if sent, ok := s.giveUp(); !ok || int64(sent) != next {
		t.Errorf("given up: sent %d, %t; want %d", sent, ok, next)
	}
}

// A call of a mix costs no memory either.
func TestACallOfAMixAllocatesNothing(t *testing.T) {
	caller := ready{}
	for name, config := range map[string]Config{
		"one call": {Callers: []Caller{caller}},
		"a mix":    {Mix: &Mix{Callers: [][]Caller{{caller, caller}}, Draw: func(n uint64) int { return int(n % 2) }}},
	} {
		config.Now, config.Deadline = func() time.Duration { return 1 }, time.Second
		pool := NewSlotPool(config)
		p, err := pool.Begin(Schedule{}, 0, nowhere{})
		if err != nil {
			t.Fatal(err)
		}
		s := pool.slots[0]
		call := func() { s.call(p.p, arrival{due: 1, free: 1, which: p.p.choose(s)}, 1) }
		call() // makes the slot's context
		if got := testing.AllocsPerRun(1000, call); got != 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
		pool.Close()
	}
}

type ready struct{}

func (ready) Call(context.Context) error { return nil }
func (ready) After() error               { return nil }

type nowhere struct{}

func (nowhere) Record(int, *Sample) {}

// Of tens of thousands of goroutines some begin late. Their slots make no call until then.
func TestASlotThatHasYetToBeginIsIdle(t *testing.T) {
	t.Parallel()
	slots := []*slot{newSlot(t.Context(), 0, nil), newSlot(t.Context(), 1, nil), newSlot(t.Context(), 2, nil)}
	q := newQueue(Schedule{PerSec: 1}, nil, slots, func(*slot) {})
	var idle []int
	look := func() {
		n, ok := q.idleSlots()
		if !ok {
			t.Error("there are arrivals to come")
		}
		idle = append(idle, n)
	}
	look()
	for i, s := range slots[:2] { // an arrival for the first, none for the second
		q.enter()
		if _, what := q.take(s, 0); what != []outlook{taken, idles}[i] {
			t.Errorf("slot %d: %v", i, what)
		}
		look()
	}
	if want := []int{3, 2, 2}; !slices.Equal(idle, want) {
		t.Errorf("%v slots are idle, want %v", idle, want)
	}
}
