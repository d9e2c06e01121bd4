package analysis

import (
	"fmt"
	"math"

	"rpcbench/internal/plan/number"
)

// effects are what processes that took a part of all processors' time did to calls of some 150 µs over loopback, as medians of
// 20 blocks of `selftest --disturb` on a virtual machine with two processors (see docs/selftest.md): by how much the p50
// changed, as a part of it and in either direction, since others share a core, and keep it from sleeping, from which it wakes
// slowly; and how long the p99 grew by, since a call waits for its turn as long as the scheduler lets another run. Both are the
// larger of two measurements. Neither falls as the share grows, which medians of so few do.
var effects = []struct{ share, p50, p99Ns float64 }{
	{0, 0, 0}, {0.025, 0.02, 0.05e6}, {0.05, 0.04, 0.2e6}, {0.125, 0.08, 1.0e6}, {0.25, 0.22, 2.3e6}, {0.50, 0.23, 2.3e6},
}

// effectOf interpolates; beyond the last it is that of the last.
func effectOf(share float64) (p50, p99Ns float64) {
	for i, next := range effects[1:] {
		last := effects[i]
		if share <= next.share {
			part := (share - last.share) / (next.share - last.share)
			return last.p50 + part*(next.p50-last.p50), last.p99Ns + part*(next.p99Ns-last.p99Ns)
		}
	}
	last := effects[len(effects)-1]
	return last.p50, last.p99Ns
}

// tenfold bounds what a p99 is said to have grown by: what is measured has some of the undisturbed one in it.
const tenfold = 10

// likely says how far other processes that took a part of the processors' time probably moved a trial's figures: "; p50 likely
// within ±22%, p99 up to +40%". It is "" where the trial has no such percentiles. The p99 that was measured has the wait in it
// already, unless it is far shorter: then fewer than one call in a hundred waited.
func likely(t *Trial, share float64) string {
	p99, known := t.Value(ResponseP99Ns)
	if !known || p99 <= 0 {
		return ""
	}
	p50, wait := effectOf(share)
	if p99 < wait/2 {
		return fmt.Sprintf("; p50 likely within ±%s, p99 hardly changed", number.Percent(p50, 0))
	}
	alone := math.Max(p99-wait, p99/tenfold)
	return fmt.Sprintf("; p50 likely within ±%s, p99 up to +%s", number.Percent(p50, 0), number.Percent(p99/alone-1, 0))
}

// medianStolen is the steal from which on a p50 is no longer what it would be alone: with a quarter of all calls delayed it is
// the 67th percentile of the others.
const medianStolen = 0.25

// stolen describes the effect of steal on a trial's short calls. It is "" if the trial has no such percentiles.
func stolen(t *Trial, share float64) string {
	if _, known := t.Value(ResponseP99Ns); !known {
		return ""
	}
	if share >= medianStolen {
		return "; it is in all percentiles"
	}
	return "; the p50 hardly changed, the p99 is how long calls waited for a processor"
}
