package load

import (
	"context"
	"errors"
	"testing"
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
