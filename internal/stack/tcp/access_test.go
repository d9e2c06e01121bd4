package tcp

import (
	"bytes"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/store"
)

// FuzzAccesses: whatever a request has as its operations, and whatever a reply has as its answers, is read within its bytes.
func FuzzAccesses(f *testing.F) {
	mix := stack.Mix{Records: 10, ReadsPerMillion: 500_000}
	call := stack.Call{Kind: stack.KindUnary, Batch: 7, Request: bytes.Repeat([]byte{'w'}, 9), ResponseBytes: 9}
	call.Accesses = stack.NewAccesses(1, mix, 9)
	replies := stack.NewReplies(call, 0)
	replies.Begin()
	request := newRequests(call).next(replies.Message(0), false)
	f.Add(request[headerBytes:], 7)
	f.Add(request[headerBytes:len(request)-1], 7)
	f.Add(request[headerBytes:], 8)
	f.Add([]byte{}, 0)
	from := stack.NewResponder(stack.ServeConfig{Store: store.New(10, call.Request)})
	f.Fuzz(func(t *testing.T, payload []byte, n int) {
		n = max(0, n%1000)
		s := &session{server: &server{from: from}, frame: newFrame(header{}, payload)}
		reply, err := s.access(header{operations: uint32(n), stored: true})
		if err != nil {
			return
		}
		h, err := parseHeader(reply[:headerBytes])
		if err != nil || !h.stored || int(h.operations) != n || int(h.length) != len(reply)-headerBytes {
			t.Errorf("the reply has the header %+v, %v", h, err)
		}
		answers, err := accessed(nil).read(reply[headerBytes:], n)
		if err != nil || len(answers) != n {
			t.Errorf("%d answers to %d operations, %v", len(answers), n, err)
		}
		if answers, err := accessed(nil).read(payload, n); err == nil && len(answers) > len(payload)/accessedBytes {
			t.Errorf("%d bytes are %d answers", len(payload), len(answers))
		}
	})
}
