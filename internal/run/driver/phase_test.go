package driver

import (
	"testing"
	"time"

	"rpcbench/internal/worker/control"
)

func TestACountedPhaseGoesOnWhileCallsAreOK(t *testing.T) {
	t.Parallel()
	var h harvest
	for second := int64(1); second <= 200; second++ {
		seen := &control.Interval{EndNs: second * int64(time.Second), Errors: 1}
		if second <= 100 && second%50 == 0 {
			seen.Ok = 1
		}
		if got, want := h.isOver(seen), second > 160; got != want {
			t.Fatalf("over after %d s: %v; the last call was OK at 100 s", second, got)
		}
	}
}
