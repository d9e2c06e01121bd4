package stacktest

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/sockettest"
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
					one := callers(t, r.ready(t, compression, inFlight), call, inFlight)
					wantAll(t, name+" "+compression, callAll(t.Context(), one), c.want)
				}
			}
		})
	}
}

// slow makes a client send one byte per second, and expects its connection to be closed after the time limit.
func slow(t *testing.T, s stack.Stack) {
	t.Parallel()
	if !s.Info().Serves {
		t.Skip("it has no server")
	}
	const patience = 10 * time.Second
	for what, says := range map[string]string{
		"nothing": "", "HTTP/1.1": "POST / HTTP/1.1\r\nhost: localhost\r\n", "HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	} {
		synctest.Test(t, func(t *testing.T) {
			pipes := sockettest.NewPipes()
			server, err := s.Serve(stack.ServeConfig{Listener: pipes, Reply: reply, Limits: stack.Limits{HeaderTimeout: patience}})
			if err != nil {
				t.Fatal(err)
			}
			client, err := pipes.Dial(t.Context(), "", "")
			if err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			var speaking sync.WaitGroup
			speaking.Go(func() {
				for i := range says {
					time.Sleep(time.Second)
					_, _ = client.Write([]byte(says[i : i+1])) // in vain once it is closed
				}
			})
			for err == nil {
				_, err = client.Read(make([]byte, 100))
			}
			if took := time.Since(begin); took > patience+time.Second {
				t.Errorf("%s: the connection was open for %v, want %v", what, took, patience)
			}
			speaking.Wait()
			client.Close()
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := server.Stop(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}
