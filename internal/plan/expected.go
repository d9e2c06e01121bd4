package plan

import (
	"math"
	"time"
)

// Expected is how long the trials take when all goes well: see Spec.Expected. A sum over the range of a Duration is its
// greatest value.
func Expected(trials []Trial) time.Duration {
	var sum time.Duration
	for _, t := range trials {
		trial := t.Spec.Expected()
		if sum > math.MaxInt64-trial {
			return math.MaxInt64
		}
		sum += trial
	}
	return sum
}
