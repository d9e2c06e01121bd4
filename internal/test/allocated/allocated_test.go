package allocated

import (
	"runtime"
	"testing"
)

var kept [][]byte

// The collector has each processor account for what it allocated since it last did, for up to a span of each size.
func TestWhatWasAllocatedBeforeIsNotCounted(t *testing.T) {
	for size := 8; size <= 32<<10; size += 8 {
		kept = append(kept, make([]byte, size))
	}
	if got := Bytes(runtime.GC); got > 8<<10 {
		t.Errorf("%d bytes were allocated while nothing was", got)
	}
	if got := Bytes(func() { kept = append(kept[:0], make([]byte, 1<<20)) }); got < 1<<20 || got > 1<<20+8<<10 {
		t.Errorf("%d bytes were allocated, want one MB", got)
	}
}
