package stacktest

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/store"
)

// sizedReply is a server's payload in the test of lengths by chance: replies of every length are the beginning of the payload
// that requests are of.
func sizedReply(n int) []byte { return text()[:n] }

// everyDraw makes calls whose lengths differ by chance, both alike and each on its own.
func everyDraw(t *testing.T, s stack.Stack) {
	t.Parallel()
	if !s.Info().Sizes {
		return
	}
	const most = 3000
	bins := []stack.SizeBin{{Least: 0, Most: 0, Weight: 1}, {Least: 1, Most: most, Weight: 9}}
	r := newRig(t, s, stack.NetworkTCP, stack.SecurityPlaintext, sizedReply)
	for what, sizes := range map[string]*stack.Sizes{
		"requests":      stack.NewSizes(1, bins, 0, nil),
		"replies":       stack.NewSizes(2, nil, most, bins),
		"both":          stack.NewSizes(3, bins, 0, bins),
		"empty replies": stack.NewSizes(4, bins, 0, bins[:1]),
	} {
		for _, compression := range s.Info().Compressions {
			for name, call := range calls(s, most, most, inFlight) {
				if !stack.IsSizedKind(call.Kind) {
					continue
				}
				call.Sizes = sizes
				call.Check = func(reply []byte) error { return equal(text()[:len(reply)])(reply) }
				before := call.Ledger().Traffic()
				point(t, r, fmt.Sprintf("%s, %s by chance, %s", name, what, compression), compression, call, inFlight, 2)
				got := call.Ledger().Traffic()
				if got.MessagesOut == before.MessagesOut || got.BytesOut+got.BytesIn == before.BytesOut+before.BytesIn {
					t.Errorf("%s: counted %+v", name, got)
				}
			}
		}
	}
}

// drawn draws accesses, a million of them, which takes longer with the race detector than many calls: once for each kind.
func drawn(records, readsPerMillion uint64, valueBytes int) *stack.Accesses {
	return stack.NewAccesses(5, stack.Mix{Records: records, ReadsPerMillion: readsPerMillion}, valueBytes)
}

// everyAccess reads and writes a server's store, and expects to read what was written.
func everyAccess(t *testing.T, s stack.Stack) {
	t.Parallel()
	if !s.Info().Stores {
		return
	}
	value := bytes.Repeat([]byte{'v'}, 20)
	r := &rig{t: t, stack: s, network: stack.NetworkTCP, reply: reply, store: store.New(10, value)}
	r.start()
	mixed := drawn(10, 500_000, 20)
	for _, compression := range s.Info().Compressions {
		for name, call := range withBatches(calls(s, len(value), len(value), inFlight), 7) {
			if call.Batch == 0 {
				continue
			}
			call.Request, call.Check = bytes.Repeat([]byte{'w'}, len(value)), nil
			call.Accesses = mixed
			point(t, r, fmt.Sprintf("%s, a store, %s", name, compression), compression, call, inFlight, 10) // enough to write every record
		}
	}
	written := 0
	for i := range uint64(10) {
		switch got, ok := r.store.Get(stack.RecordKey(i)); {
		case !ok || len(got) != len(value):
			t.Errorf("record %d is %q", i, got)
		case got[19] == 'w':
			written++
		}
	}
	if written != 10 {
		t.Errorf("%d of 10 records were written", written)
	}
	refused(t, r, "a key that there is not", stack.NotFound, 20, drawn(1000, 500_000, 20))
	refused(t, r, "a value of another length", stack.InvalidArgument, 19, drawn(10, 0, 19))
	if slices.Contains(s.Info().Kinds, stack.KindUpload) {
		uploaded(t, r, drawn(10, 0, 20))
	}
	r.limits.ResponseBytes = 50
	r.start()
	refused(t, r, "more values than the server sends", stack.ResourceExhausted, 20, drawn(10, 1_000_000, 20))
	r.store, r.limits = nil, stack.Limits{}
	r.start()
	refused(t, r, "a server without a store", stack.FailedPrecondition, 20, mixed)
}

// uploaded writes every record with the messages of one upload, whose last one has too few operations for all of them.
func uploaded(t *testing.T, r *rig, writes *stack.Accesses) {
	t.Helper()
	call := stack.Call{Kind: stack.KindUpload, Messages: 20, Batch: 7, Request: bytes.Repeat([]byte{'u'}, 20), ResponseBytes: 20}
	call.Accesses = writes
	point(t, r, "uploaded writes", stack.CompressionNone, call, 1, 1)
	for i := range uint64(10) {
		if got, _ := r.store.Get(stack.RecordKey(i)); len(got) != 20 || got[19] != 'u' {
			t.Errorf("after an upload record %d is %q", i, got)
		}
	}
}

// refused makes one batch of accesses that a server does not do.
func refused(t *testing.T, r *rig, name string, want stack.Code, valueBytes int, accesses *stack.Accesses) {
	t.Helper()
	call := stack.Call{
		Kind: stack.KindUnary, Batch: 7, Request: bytes.Repeat([]byte{'w'}, valueBytes), ResponseBytes: valueBytes, Accesses: accesses,
	}
	conn := r.ready(t, stack.CompressionNone, 1)
	caller, err := conn.Caller(call, 0)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if got := stack.CodeOf(caller.Call(t.Context())); got != want && !isBadRequest(r.stack, got) {
		t.Errorf("%s is %v, want %v", name, got, want)
	}
}

// isBadRequest reports whether a stack of HTTP refused a request, whose status has one word for several codes.
func isBadRequest(s stack.Stack, got stack.Code) bool {
	return s.Info().Protocol == stack.ProtocolHTTPJSON && got == stack.JSONCode(400)
}
