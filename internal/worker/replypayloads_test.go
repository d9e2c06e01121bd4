package worker

import (
	"bytes"
	"testing"

	"rpcbench/internal/stack"
)

func TestRepliesArePayloadsOfEveryLength(t *testing.T) {
	for _, kind := range stack.PayloadKinds() {
		r := newReplyPayloads(kind, 7)
		for _, n := range []int{0, 1, 100, minReplyBytes, minReplyBytes + 1, 3, 1 << 20} {
			if got, want := r.of(n), stack.Payload(kind, 7, n); !bytes.Equal(got, want) || cap(got) != n {
				t.Errorf("%s: %d bytes are %d of capacity %d, and not Payload's", kind, n, len(got), cap(got))
			}
		}
	}
}

// A client chooses the lengths, so that what is kept must not grow with their number.
func TestRepliesOfManyLengthsShareMemory(t *testing.T) {
	r := newReplyPayloads(stack.PayloadRandom, 7)
	first := r.of(1 << 20)
	for n := 1<<20 - 1000; n <= 1<<20; n++ {
		if got := r.of(n); &got[0] != &first[0] {
			t.Fatalf("%d bytes are kept apart from those of %d", n, len(first))
		}
	}
	if kept := len(*r.longest.Load()); kept != 1<<20 {
		t.Errorf("%d bytes are kept for replies of %d", kept, 1<<20)
	}
}
