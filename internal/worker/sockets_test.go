package worker

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

// Too many sockets spoil a result. Where no call was OK there is none, and the calls say what went wrong.
func TestMoreSocketsThanAskedForAreRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, refusesSockets)
}

func refusesSockets(t *testing.T) {
	ok := record.Outcome{Code: int(stack.OK), Calls: 3}
	gone := record.Outcome{Code: int(stack.Unavailable), Calls: 2, Example: "UNAVAILABLE: it sent GOAWAY"}
	for _, c := range []struct {
		multiplexed bool
		open        int64
		outcomes    []record.Outcome
		want        string
	}{
		{true, 2, []record.Outcome{ok}, ""},
		{true, 3, []record.Outcome{ok}, "shop has 3 open sockets, expected 2"},
		{false, 10, []record.Outcome{ok}, ""},
		{false, 11, []record.Outcome{ok}, "shop has 11 open sockets, expected 10"},
		{true, 28, []record.Outcome{gone}, ""},
		{true, 28, nil, ""},
		{true, 28, []record.Outcome{ok, gone},
			"shop has 28 open sockets, expected 2; the first call that failed said: UNAVAILABLE: it sent GOAWAY"},
	} {
		cl := &client{
			info: stack.Info{Name: "shop", Multiplexed: c.multiplexed}, connect: &control.Connect{Connections: 2, InFlight: 5},
		}
		got := ""
		var open atomic.Int64
		open.Store(c.open)
		if err := cl.checkSockets(&open, record.Summary{Outcomes: c.outcomes}); err != nil {
			got = err.Message
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c, got, c.want)
		}
	}
}

// A connection that the server retired with GOAWAY may be closed just as the phase ends.
func TestASocketThatIsBeingClosedIsNotCounted(t *testing.T) {
	t.Parallel()
	for late, want := range map[time.Duration]string{
		499 * ms: "",
		501 * ms: "shop has 2 open sockets, expected 1",
	} {
		synctest.Test(t, func(t *testing.T) {
			cl := &client{info: stack.Info{Name: "shop", Multiplexed: true}, connect: &control.Connect{Connections: 1, InFlight: 5}}
			var open atomic.Int64
			open.Store(2)
			time.AfterFunc(late, func() { open.Add(-1) })
			begun, got := time.Now(), ""
			if err := cl.checkSockets(&open, record.Summary{Outcomes: []record.Outcome{{Code: int(stack.OK), Calls: 3}}}); err != nil {
				got = err.Message
			}
			if took := time.Since(begun); got != want || took > 500*ms {
				t.Errorf("closed after %v: %q after %v, want %q", late, got, took, want)
			}
		})
	}
}
