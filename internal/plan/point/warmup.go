package point

import (
	"fmt"
	"strings"
	"time"

	"rpcbench/internal/plan/number"
)

// A Warmup is how long the load runs before it is measured: Least, if Most is 0; otherwise until it is steady, for at least Least
// and at most Most.
type Warmup struct{ Least, Most time.Duration }

// Ranged reports whether the warm-up ends when the load is steady.
func (w Warmup) Ranged() bool { return w.Most > 0 }

// String returns it as a scenario writes it: "1s" or "2s..10s".
func (w Warmup) String() string {
	if w.Most == 0 {
		return w.Least.String()
	}
	return w.Least.String() + ".." + w.Most.String()
}

// SteadySeen is how long a load must last before it can be judged steady: 20 intervals of 100 ms (see stat.Steady).
const SteadySeen = 2 * time.Second

// warmup accepts a duration, or the least and the most with two points between them.
func warmup(text string) (Warmup, error) {
	first, last, ranged := strings.Cut(text, "..")
	least, err := span(0)(first)
	if err != nil || !ranged {
		return Warmup{Least: least}, err
	}
	most, err := span(0)(last)
	switch {
	case err != nil:
		return Warmup{}, err
	case most <= least:
		return Warmup{}, fmt.Errorf("%s: the maximum, %s, is not above the minimum, %s", text, most, least)
	case most <= SteadySeen:
		return Warmup{}, fmt.Errorf("%s: the steady state can only be detected after more than %s, so the "+
			"maximum must be longer",
			text, SteadySeen)
	}
	return Warmup{Least: least, Most: most}, nil
}

func setWarmup(a *Asked, w Warmup) {
	a.WarmupNs, a.WarmupMostNs = w.Least.Nanoseconds(), w.Most.Nanoseconds()
}

func writeWarmup(a Asked) Node { return Node{Text: a.Warmup().String()} }

// Warmup returns the requested warm-up.
func (s Spec) Warmup() Warmup {
	return Warmup{time.Duration(s.WarmupNs), time.Duration(s.WarmupMostNs)}
}

// WarmUp says how long the warm-up lasts: "1s", or "2s to 6s, until steady".
func (s Spec) WarmUp() string {
	if s.UntilSteady() {
		return fmt.Sprintf("%s to %s, until steady", number.Span(time.Duration(s.WarmupNs)), number.Span(time.Duration(s.WarmupMostNs)))
	}
	return number.Span(time.Duration(s.WarmupNs))
}

// UntilSteady reports whether the warm-up ends when its load is steady.
func (s Spec) UntilSteady() bool { return s.WarmupMostNs > s.WarmupNs }
