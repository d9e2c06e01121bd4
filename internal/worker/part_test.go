package worker

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/load"
)

// A lagging is a connection to a foreign service whose calls of a slot have their whole answer after 900 ms and are
// over when so much more time has passed, as on a machine that has more to do.
type lagging struct {
	stack.Conn

	more []time.Duration // of each slot
}

func (l *lagging) Caller(call stack.Call, slot int) (stack.Caller, error) {
	return &lag{replies: stack.NewReplies(call, slot), slot: slot, more: l.more[slot]}, nil
}

type lag struct {
	replies stack.Replies
	slot    int
	more    time.Duration
}

func (l *lag) Call(context.Context) error {
	l.replies.Begin()
	time.Sleep(900 * ms)
	l.replies.AddSent(5)
	l.replies.AddBytes(7 + l.slot)
	l.replies.End()
	time.Sleep(l.more)
	return nil
}

func (l *lag) After() error { return l.replies.Verify() }

// The window ends at 1 s. A call is late with all that it carried, or with none of it.
func TestALateCallIsInTheTailWithWhatItCarried(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		method := &stack.Method{}
		parts := []*part{{call: stack.Call{Kind: stack.KindUnary, Method: method}}}
		made, err := callsOn([]stack.Conn{
			&lagging{more: []time.Duration{0, 200 * ms}}, &lagging{more: []time.Duration{100 * ms, 300 * ms}},
		}, stack.NetworkTCP, parts, nil, 2)
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		pool := load.NewSlotPool(load.Config{
			Callers: made.callers, Now: func() time.Duration { return time.Since(begun) }, Deadline: time.Minute,
		})
		s := connected(t, 2, &client{call: parts[0].call, parts: parts, pool: pool})
		for phase := range 2 {
			done, _ := measured(t, s, time.Second)
			// Slot 0 of the first connection is late with its second call, at 1.8 s, and that of the second ends at the end of
			// the window and makes no other.
			want := &control.Tail{Ok: 3, MessagesOut: 3, MessagesIn: 3, PayloadBytesOut: 15, PayloadBytesIn: 7 + 8 + 8}
			if got := done.GetTail(); got.String() != want.String() {
				t.Errorf("phase %d has the tail %v, want %v", phase, got, want)
			}
			if done.GetMessagesIn() != 5 || done.GetPayloadBytesIn() != 7+7+7+8+8 {
				t.Errorf("phase %d: %d messages with %d bytes came", phase, done.GetMessagesIn(), done.GetPayloadBytesIn())
			}
		}
	})
}
