package stacktest

import (
	"net"
	"slices"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
)

// A Rogue is a server of BatchService whose answers are wrong, in the stack's own library.
type Rogue struct {
	// Spoil changes the answer of every unary call, which is right before.
	Spoil func(answer *batchv1.Batch)
	// Reorder changes the order of the answers to two messages on a stream before they are sent.
	Reorder func(answers []*batchv1.Batch)
}

const (
	rogueOperations   = 5
	rogueAnswerBytes  = 3
	rogueMessageCount = 2
)

// RogueServers has serve start servers whose answers are wrong, and tests that s sees it. Answers that are another's
// place in their message are right: each is matched by its id.
func RogueServers(t *testing.T, s stack.Stack, serve func(t *testing.T, rogue Rogue) (address string)) {
	other := func(n int) []byte { return make([]byte, n) }
	for what, spoil := range map[string]func(*batchv1.Batch){
		"missing":       func(b *batchv1.Batch) { b.Operations = b.Operations[:4] },
		"none":          func(b *batchv1.Batch) { b.Operations = nil },
		"too many":      func(b *batchv1.Batch) { b.Operations = append(b.Operations, &batchv1.Operation{Id: 9}) },
		"doubled":       func(b *batchv1.Batch) { b.Operations[1] = b.Operations[0] },
		"foreign id":    func(b *batchv1.Batch) { b.Operations[2].Id += 100 },
		"too long":      func(b *batchv1.Batch) { b.Operations[4].Payload = other(rogueAnswerBytes + 1) },
		"other payload": func(b *batchv1.Batch) { b.Operations[3].Payload = other(rogueAnswerBytes) },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			wantRogue(t, s, serve(t, Rogue{Spoil: spoil}), stack.KindUnary, stack.Mismatch)
		})
	}
	t.Run("another order", func(t *testing.T) {
		t.Parallel()
		reverse := func(b *batchv1.Batch) { slices.Reverse(b.Operations) }
		wantRogue(t, s, serve(t, Rogue{Spoil: reverse}), stack.KindUnary, stack.OK)
	})
	if slices.Contains(s.Info().Kinds, stack.KindBurst) {
		t.Run("messages swapped", func(t *testing.T) {
			t.Parallel()
			rogue := Rogue{Reorder: slices.Reverse[[]*batchv1.Batch]}
			wantRogue(t, s, serve(t, rogue), stack.KindBurst, stack.Mismatch)
		})
	}
}

// wantRogue makes one call to the server at address.
func wantRogue(t *testing.T, s stack.Stack, address, kind string, want stack.Code) {
	t.Helper()
	conn, err := s.Dial(t.Context(), stack.DialConfig{
		Network: stack.NetworkTCP, Address: address, Compression: stack.CompressionNone, InFlight: 1,
		Dial: new(net.Dialer).DialContext,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	payload := text()[:rogueAnswerBytes]
	call := stack.Call{
		Kind: kind, Batch: rogueOperations, Request: payload, ResponseBytes: len(payload), Check: equal(payload),
	}
	if kind == stack.KindBurst {
		call.Messages, call.Streams = rogueMessageCount, 1
	}
	caller, err := conn.Caller(call, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := caller.Call(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := caller.After(); stack.CodeOf(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
