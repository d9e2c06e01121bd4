package plan

import (
	"math"
	"time"
)

// Expected returns how long the trials take if all goes well: see Spec.Expected and Spec.ExpectedAgain. A sum beyond the range of
// a Duration is its maximum.
func Expected(trials []Trial) time.Duration {
	var sum time.Duration
	for _, t := range trials {
		trial := t.Spec.Expected()
		if t.Reuse {
			trial = t.Spec.ExpectedAgain()
		}
		if sum > math.MaxInt64-trial {
			return math.MaxInt64
		}
		sum += trial
	}
	return sum
}
