package worker_test

import (
	"testing"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

func coding(kind string) *control.Connect {
	return &control.Connect{
		Stack: "codec-go", Connections: 1, InFlight: 1,
		Call: &control.Call{
			Kind: kind, Message: "address-book", Codec: "json", Seed: 7, SampleNs: int64(2 * time.Millisecond),
			DeadlineNs: int64(patience),
		},
	}
}

func TestACodecIsCalibratedAndMeasured(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{stack.KindEncode, stack.KindDecode} {
		client := open(t)
		connected, err := client.Connect(t.Context(), coding(kind))
		if err != nil {
			t.Fatal(err)
		}
		found := connected.GetCodec()
		if found.GetRepeat() < 1 || found.GetEncodedBytes() == 0 || found.GetGzippedBytes() >= found.GetEncodedBytes() {
			t.Errorf("%s: %v", kind, found)
		}
		if connected.GetSockets() != 0 {
			t.Errorf("%s: %d sockets, want none", kind, connected.GetSockets())
		}
		for range 2 { // warm-up and the measured phase
			done, err := client.Begin(t.Context(), closed(5), ignore)
			if err != nil {
				t.Fatal(err)
			}
			wantCodecDone(t, done)
		}
	}
}

func wantCodecDone(t *testing.T, done *control.Done) {
	t.Helper()
	outcomes := done.GetOutcomes()
	if done.GetArrivals() != 5 || len(outcomes) != 1 || outcomes[0].GetCode() != "OK" || outcomes[0].GetCalls() != 5 {
		t.Errorf("%d arrivals, outcomes %v; want 5 OK", done.GetArrivals(), outcomes)
	}
	if done.GetMessagesOut() != 0 || done.GetMessagesIn() != 0 || done.GetFirst() != nil {
		t.Errorf("nothing is sent, nor opened by a first call, but %v", done)
	}
}

func TestTheSameSeedMakesTheSameMessage(t *testing.T) {
	t.Parallel()
	sizes := map[uint64]int{}
	for _, seed := range []uint64{7, 7, 8, 8} {
		connect := coding(stack.KindEncode)
		connect.Call.Seed, connect.Call.Codec = seed, "protobuf"
		connected, err := open(t).Connect(t.Context(), connect)
		if err != nil {
			t.Fatal(err)
		}
		sizes[connected.GetCodec().GetEncodedBytes()]++
	}
	if len(sizes) != 2 {
		t.Errorf("encodings of two seeds, each made twice, have sizes %v, want two sizes", sizes)
	}
}

func TestAFieldThatDoesNotGoWithACodecIsNamed(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(*control.Connect){
		"connect.call.kind":           func(c *control.Connect) { c.Stack, c.Call.Kind = "tcp", stack.KindEncode },
		"connect.call.message":        func(c *control.Connect) { c.Call.Message = "poem" },
		"connect.call.codec":          func(c *control.Connect) { c.Call.Codec = "vom" },
		"connect.call.sample_ns":      func(c *control.Connect) { c.Call.SampleNs = int64(time.Millisecond) - 1 },
		"connect.call.deadline_ns":    func(c *control.Connect) { c.Call.DeadlineNs = c.Call.SampleNs - 1 },
		"connect.connections":         func(c *control.Connect) { c.Connections = 2 },
		"connect.in_flight":           func(c *control.Connect) { c.InFlight = 2 },
		"connect.streams":             func(c *control.Connect) { c.Streams = 1 },
		"connect.network":             func(c *control.Connect) { c.Network = stack.NetworkTCP },
		"connect.addresses":           func(c *control.Connect) { c.Addresses = []string{"127.0.0.1:1"} },
		"connect.security":            func(c *control.Connect) { c.Security = plaintext },
		"connect.background":          func(c *control.Connect) { c.Background = &control.Background{} },
		"connect.call.request_bytes":  func(c *control.Connect) { c.Call.RequestBytes = 1 },
		"connect.call.response_bytes": func(c *control.Connect) { c.Call.ResponseBytes = 1 },
		"connect.call.messages":       func(c *control.Connect) { c.Call.Messages = 1 },
		"connect.call.compression":    func(c *control.Connect) { c.Call.Compression = stack.CompressionNone },
		"connect.call.payload":        func(c *control.Connect) { c.Call.Payload = stack.PayloadRandom },
		"connect.call.lengths_only":   func(c *control.Connect) { c.Call.LengthsOnly = true },
		"connect":                     func(c *control.Connect) { c.Options = map[string]string{"colour": "red"} },
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			connect := coding(stack.KindEncode)
			change(connect)
			_, err := open(t).Connect(t.Context(), connect)
			wantFault(t, err, field)
		})
	}
}

func TestACallWithAServerHasNoCodec(t *testing.T) {
	t.Parallel()
	_, address := serve(t, "tcp")
	for field, change := range map[string]func(*control.Call){
		"connect.call.message":   func(c *control.Call) { c.Message = "small" },
		"connect.call.codec":     func(c *control.Call) { c.Codec = "json" },
		"connect.call.sample_ns": func(c *control.Call) { c.SampleNs = int64(time.Second) },
	} {
		connect := unary("tcp", address)
		change(connect.Call)
		_, err := open(t).Connect(t.Context(), connect)
		wantFault(t, err, field)
	}
}
