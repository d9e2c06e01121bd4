package httpjson_test

import (
	"testing"

	"rpcbench/internal/stack/httpjson"
	"rpcbench/internal/test/stacktest"
)

// Not parallel: it counts what the process allocates.
func TestRepliesOfAnyLengthTakeBoundedMemory(t *testing.T) { stacktest.LargeReplies(t, httpjson.New()) }
