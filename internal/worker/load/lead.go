package load

import "time"

// A lead is how long before a due time the pacer leaves the kernel, to spin over the rest. It follows the lateness of the
// machine's timers: it grows by much when a sleep ended too late for it, and shrinks by little when one did not, so that
// it settles where one sleep in leadMiss ends too late. A machine whose processors wake in 20 µs so spins for 20 µs, not
// for the 200 that another one needs.
type lead time.Duration

const (
	leadFirst = lead(100 * time.Microsecond)
	leadMin   = lead(20 * time.Microsecond)
	leadMax   = lead(300 * time.Microsecond)
	leadStep  = lead(20 * time.Microsecond)
	leadMiss  = 200
)

// learn takes account of a sleep that ended late.
func (l *lead) learn(late time.Duration) {
	if lead(late) > *l {
		*l = min(*l+leadStep, leadMax)
	} else {
		*l = max(*l-leadStep/(leadMiss-1), leadMin)
	}
}
