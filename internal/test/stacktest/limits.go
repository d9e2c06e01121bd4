package stacktest

import (
	"testing"
	"time"

	"rpcbench/internal/stack"
)

// Limits of the servers below, and calls just within.
const (
	limitRequestBytes  = 20_000
	limitResponseBytes = 10_000
	limitBatch         = 50
)

// limited has clients exceed the limits of a server, each of which has the protocol's own status.
func limited(t *testing.T, s stack.Stack) {
	t.Parallel()
	r := &rig{t: t, stack: s, network: stack.NetworkTCP, reply: reply, limits: stack.Limits{
		RequestBytes: limitRequestBytes, ResponseBytes: limitResponseBytes, Batch: limitBatch, HeaderTimeout: time.Hour,
	}}
	r.start()
	for _, c := range []struct {
		what                               string
		requestBytes, responseBytes, batch int
		want                               stack.Code
	}{
		{"within", 10_000, limitResponseBytes, 0, stack.OK},
		{"batch within", 10, 100, limitBatch, stack.OK},
		{"request", limitRequestBytes + 1, 10, 0, stack.ResourceExhausted},
		{"response", 10, limitResponseBytes + 1, 0, stack.ResourceExhausted},
		{"batch", 10, 10, limitBatch + 1, stack.ResourceExhausted},
		{"empty batch", 0, 0, limitBatch + 1, stack.ResourceExhausted},
		{"batch's request", 1_000, 10, limitBatch, stack.ResourceExhausted},
		{"batch's response", 10, 1_000, limitBatch, stack.ResourceExhausted},
	} {
		t.Run(c.what, func(t *testing.T) {
			for _, compression := range s.Info().Compressions {
				for name, call := range calls(s, c.requestBytes, c.responseBytes, inFlight) {
					if call.Batch = c.batch; c.batch > 0 && !stack.IsBatchKind(call.Kind) {
						continue
					}
					if call.Kind == stack.KindBurst && c.requestBytes > limitRequestBytes {
						continue // its status may be lost with what is still being sent, as on any stream
					}
					one := callers(t, r.dial(compression, inFlight), call, inFlight)
					wantAll(t, name+" "+compression, callAll(t.Context(), one), c.want)
				}
			}
		})
	}
}
