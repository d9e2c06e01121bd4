package connectgo_test

import (
	"testing"

	"rpcbench/internal/stack/connectgo"
	"rpcbench/internal/test/stacktest"
)

// Not parallel: it counts what the process allocates.
func TestRepliesOfAnyLengthTakeBoundedMemory(t *testing.T) {
	stacktest.LargeReplies(t, connectgo.New())
	stacktest.LargeReplies(t, connectgo.NewJSON())
}
