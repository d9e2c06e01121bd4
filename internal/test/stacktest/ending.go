package stacktest

import (
	"crypto/tls"
	"sync/atomic"
	"testing"

	"rpcbench/internal/stack"
)

// endingStreams has streams of ping_pong end after some calls, and counts them: a server is asked for each who calls. tcp has
// none but its sockets.
func endingStreams(t *testing.T, s stack.Stack) {
	t.Parallel()
	const rounds, perStream = 7, 3
	for name, call := range withBatches(calls(s, 10, 20, inFlight), 2) {
		if call.Kind != stack.KindPingPong {
			continue
		}
		var asked atomic.Int64
		r := &rig{t: t, stack: s, network: stack.NetworkTCP, reply: reply}
		r.authorize = func(tls.ConnectionState) error { asked.Add(1); return nil }
		r.start()
		conn := r.dial(stack.CompressionNone, inFlight)
		call.PerStream = perStream
		if call.Streams != inFlight {
			if _, err := conn.Caller(call, 0); stack.CodeOf(err) != stack.InvalidArgument {
				t.Errorf("%s: got %v, want that streams that end are not shared", name, err)
			}
			continue
		}
		slots := callers(t, conn, call, inFlight)
		for range rounds {
			wantAll(t, name, callAll(t.Context(), slots), stack.OK)
		}
		want := int64(inFlight * (rounds + perStream - 1) / perStream)
		if got := asked.Load(); got != want && s.Info().Protocol != stack.ProtocolTCP {
			t.Errorf("%s: %d streams, want %d", name, got, want)
		}
	}
}
