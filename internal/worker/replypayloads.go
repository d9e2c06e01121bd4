package worker

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"rpcbench/internal/stack"
)

// minReplyBytes is the least that is made at once.
const minReplyBytes = 64 << 10

// replyPayloads are the payloads of a server's replies. All lengths share one buffer, because a shorter payload is the
// beginning of a longer one: whatever lengths clients ask for, it holds less than twice the longest. It is safe for concurrent
// use.
type replyPayloads struct {
	kind string
	seed uint64

	longest atomic.Pointer[[]byte]
	making  sync.Mutex
}

func newReplyPayloads(kind string, seed uint64) *replyPayloads {
	r := &replyPayloads{kind: kind, seed: seed}
	r.longest.Store(new([]byte))
	return r
}

// of returns the payload of n bytes. The caller must not write to it.
func (r *replyPayloads) of(n int) []byte {
	if made := *r.longest.Load(); n <= len(made) {
		return made[:n:n]
	}
	return r.grow(n)[:n:n]
}

// grow makes a buffer of at least n bytes, unless another caller has made it meanwhile.
func (r *replyPayloads) grow(n int) []byte {
	r.making.Lock()
	defer r.making.Unlock()
	if made := *r.longest.Load(); n <= len(made) {
		return made
	}
	made := stack.Payload(r.kind, r.seed, max(minReplyBytes, 1<<bits.Len(uint(n-1))))
	r.longest.Store(&made)
	return made
}
