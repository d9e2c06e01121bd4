package worker

import (
	"net"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/sockettest"
	"rpcbench/internal/worker/control"
)

// A call whose deadline has passed says on how many connections the server has sent nothing, unless more is known of it.
func TestCallsSayThatTheServerSentNothing(t *testing.T) {
	t.Parallel()
	w := newWire()
	explained := func() (late, known, cut, other string) {
		one := &control.Done{Outcomes: []*control.Outcome{
			{Code: "DEADLINE_EXCEEDED", Example: "the deadline passed"},
			{Code: "DEADLINE_EXCEEDED", Example: "the deadline passed while the call waited for a lift"},
			{Code: "UNFINISHED"}, {Code: "UNSENT"},
		}}
		w.explain(&control.Done{Mixed: []*control.Done{one}})
		o := one.GetOutcomes()
		return o[0].GetExample(), o[1].GetExample(), o[2].GetExample(), o[3].GetExample()
	}
	expect := func(unheard string) {
		t.Helper()
		late, known, cut, other := explained()
		want := "the deadline passed"
		if unheard != "" {
			want += ": " + unheard
		}
		if late != want || cut != unheard || known != "the deadline passed while the call waited for a lift" || other != "" {
			t.Errorf("%q, %q, %q, %q; want %q", late, known, cut, other, unheard)
		}
	}
	expect("no socket was connected")
	silent := sockettest.Serve(t, func(conn net.Conn) { _, _ = conn.Read(make([]byte, 1)) })
	talks := sockettest.Serve(t, func(conn net.Conn) { _, _ = conn.Write([]byte("hello")) })
	open := func(address string) net.Conn {
		conn, err := w.dial(t.Context(), stack.NetworkTCP, address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	open(silent)
	expect("the server sent nothing on its connection")
	for range 5 {
		_, _ = open(talks).Read(make([]byte, 1))
	}
	expect("the server sent nothing on 1 of 6 connections, those of the warm-up included")
	if got, want := w.unheard(), "the server sent nothing on 1 of 6 connections"; got != want {
		t.Errorf("while connections are opened: %q, want %q", got, want)
	}
	w = newWire()
	_, _ = open(talks).Read(make([]byte, 1))
	expect("")
}
