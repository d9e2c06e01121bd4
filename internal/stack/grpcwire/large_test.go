package grpcwire_test

import (
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcwire"
	"rpcbench/internal/test/stacktest"
)

// Not parallel: it counts what the process allocates.
func TestRepliesOfAnyLengthTakeBoundedMemory(t *testing.T) {
	stacktest.LargeReplies(t, grpcwire.New(),
		stack.Call{Kind: stack.KindUnary, Method: &stack.Method{Path: "/a.B/Unary", Requests: stacktest.OneMessage{}}},
		stack.Call{Kind: stack.KindDownload, Method: &stack.Method{Path: "/a.B/Download", Requests: stacktest.OneMessage{}}},
	)
}
