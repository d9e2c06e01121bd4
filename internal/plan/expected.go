package plan

import (
	"math"
	"time"
)

// Expected returns how long the trials take if all goes well: see Spec.Expected, Spec.ExpectedAgain and, of the first of a row in
// the processes of another, Spec.ExpectedSettling. A sum beyond the range of a Duration is its maximum.
func Expected(trials []Trial) time.Duration {
	var sum time.Duration
	rows := map[string]bool{}
	for _, t := range trials {
		trial := t.Spec.Expected()
		if t.Reuse {
			trial = t.Spec.ExpectedAgain()
			if point := t.Point(); !rows[point] {
				trial += t.Spec.ExpectedSettling()
			}
		}
		rows[t.Point()] = true
		if sum > math.MaxInt64-trial {
			return math.MaxInt64
		}
		sum += trial
	}
	return sum
}
