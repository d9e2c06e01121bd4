package point

import (
	"testing"
	"time"

	"rpcbench/internal/results/stat"
)

func TestAWarmupSaysWhatItWasMadeOf(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"1s", "0s", "2s..10s", "300ms..1m30s"} {
		w, err := warmup(text)
		if err != nil || w.String() != text {
			t.Errorf("%s: got %s, %v", text, w, err)
		}
	}
}

func TestNoLoadIsCalledSteadyBeforeSteadySeen(t *testing.T) {
	t.Parallel()
	if want := stat.SteadyIntervals * 100 * time.Millisecond; SteadySeen != want {
		t.Errorf("got %s, want %s", SteadySeen, want)
	}
}
