package analysis

import (
	"math"
	"testing"
)

// At the doses that were measured the effects are those measured, between them in proportion, and never less for more.
func TestTheEffectOfOtherProcessesGrowsWithTheirShare(t *testing.T) {
	t.Parallel()
	for share, want := range map[float64][2]float64{
		0: {0, 0}, 0.05: {0.04, 0.2e6}, 0.1875: {0.15, 1.65e6}, 0.25: {0.22, 2.3e6}, 0.9: {0.23, 2.3e6},
	} {
		if p50, p99 := effectOf(share); math.Abs(p50-want[0]) > 1e-9 || math.Abs(p99-want[1]) > 1 {
			t.Errorf("%v: %v and %v ns, want %v", share, p50, p99, want)
		}
	}
	var last50, last99 float64
	for share := 0.0; share <= 1; share += 0.01 {
		p50, p99 := effectOf(share)
		if p50 < last50 || p99 < last99 {
			t.Fatalf("at %v the effect falls to %v and %v ns", share, p50, p99)
		}
		last50, last99 = p50, p99
	}
}

// A wait of 2.3 ms is nothing to a p99 of 230 ms, as much as the rest of one of 4.6 ms, nearly all of one of 2 ms, and not in one
// of 1 ms.
func TestAVerdictSaysWhatOtherProcessesDidToThisRow(t *testing.T) {
	t.Parallel()
	for p99, want := range map[float64]string{
		230e6: "; p50 likely within ±22%, p99 up to +1%",
		4.6e6: "; p50 likely within ±22%, p99 up to +100%",
		2e6:   "; p50 likely within ±22%, p99 up to +900%",
		1e6:   "; p50 likely within ±22%, p99 hardly changed",
		0:     "",
	} {
		trial := &Trial{values: map[Metric]float64{ResponseP99Ns: p99}}
		if got := likely(trial, 0.25); got != want {
			t.Errorf("a p99 of %v ns: %q, want %q", p99, got, want)
		}
	}
	if got := likely(&Trial{}, 0.25); got != "" {
		t.Errorf("without a p99: %q", got)
	}
}
