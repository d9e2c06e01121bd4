package load

import "time"

const (
	spinShare    = 9                // at most one part in spinShare of the time is spent spinning
	spinSavedMax = time.Millisecond // of time without spinning
)

// A spinBudget bounds the time that is spent spinning.
type spinBudget struct {
	saved time.Duration // that may still be spent, never negative
	last  time.Time     // when it was last reckoned
}

// allow returns how long a wait that begins now may spin, at most for most.
func (b *spinBudget) allow(now time.Time, most time.Duration) time.Duration {
	b.saved = min(b.saved+now.Sub(b.last)/spinShare, spinSavedMax)
	b.last = now
	return min(most, b.saved)
}

// spend charges the time from the beginning of a spin to its end, and returns how much of it was spun. Where that is more than
// was allowed, the thread had lost its processor meanwhile, which is not charged: waits would be too long until it was paid off.
func (b *spinBudget) spend(took, allowed time.Duration) time.Duration {
	spun := min(took, allowed)
	b.saved -= spun
	return spun
}
