package stack_test

import (
	"testing"

	"rpcbench/internal/stack"
)

func TestAReplyIsBoundedByWhatIsDue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		call           stack.Call
		protobuf, json int
	}{
		"nothing":   {stack.Call{}, 64 << 10, 64 << 10},
		"a payload": {stack.Call{ResponseBytes: 6400}, 6400 + 100 + 64<<10, 6400/3*4 + 100 + 64<<10},
		"a batch":   {stack.Call{Batch: 100, ResponseBytes: 56}, 6400 + 100 + 1600 + 64<<10, 6400/3*4 + 100 + 9600 + 64<<10},
	} {
		if p, j := c.call.ReplyBytesMax(), c.call.ReplyBodyMax(); p != c.protobuf || j != c.json {
			t.Errorf("%s: %d bytes, %d in JSON; want %d and %d", name, p, j, c.protobuf, c.json)
		}
	}
}

// All shares together are the memory, but for very many slots.
func TestSlotsShareTheMemory(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		memory int64
		slots  int
		want   int
	}{
		{1 << 30, 1, stack.EncodedBytesMax}, {1 << 30, 256, 4 << 20}, {1 << 30, 1 << 20, 64 << 10}, {1 << 30, 0, stack.EncodedBytesMax},
	} {
		if got := stack.ReplyShare(c.memory, c.slots); got != c.want {
			t.Errorf("%d slots of %d bytes: %d, want %d", c.slots, c.memory, got, c.want)
		}
	}
}
