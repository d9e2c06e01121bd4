package worker

import (
	"testing"

	"rpcbench/internal/stack"
)

// retrying is a connection that has sent so many calls once more.
type retrying struct {
	stack.Conn

	calls int64
}

func (r *retrying) Retries() int64 { return r.calls }

// silent is a connection of a library, which tells nobody.
type silent struct{ stack.Conn }

func TestRetriesAreThoseOfThePhaseOnAllConnections(t *testing.T) {
	t.Parallel()
	first, second := &retrying{calls: 2}, &retrying{calls: 3}
	cl := &client{conns: []stack.Conn{first, second}}
	if got := cl.retries(); got == nil || *got != 5 {
		t.Errorf("the first phase has %v, want 5", got)
	}
	first.calls += 4
	if got := cl.retries(); got == nil || *got != 4 {
		t.Errorf("the second phase has %v, want 4", got)
	}
	for _, conns := range [][]stack.Conn{nil, {silent{}}, {first, silent{}}} {
		if got := (&client{conns: conns}).retries(); got != nil {
			t.Errorf("%d connections, one of which does not tell, have %d retries", len(conns), *got)
		}
	}
}
