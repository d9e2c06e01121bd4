package plan

import (
	"cmp"
	"math"
	"time"
)

const (
	// TrialOverhead is what a trial takes beside its phases: to start and to end two processes.
	TrialOverhead = 150 * time.Millisecond

	// callAssumed is what one call is taken to last where a number of calls ends a closed trial. Nobody can know it
	// beforehand; 1 ms is more than most calls on one machine take.
	callAssumed = time.Millisecond
)

// Expected is how long the trials take when all goes well: warm-up, measured phase and TrialOverhead of each. A number
// of calls in a closed loop is taken to last 1 ms a call, divided by the slots, and one that encodes or decodes as long
// as its sample; in an open loop the rate tells. A sum over the range of a Duration is its greatest value.
func Expected(trials []Trial) time.Duration {
	var sum time.Duration
	for _, t := range trials {
		trial := TrialOverhead + time.Duration(t.Spec.WarmupNs) + t.Spec.measured()
		if sum > math.MaxInt64-trial {
			return math.MaxInt64
		}
		sum += trial
	}
	return sum
}

func (s Spec) measured() time.Duration {
	if s.DurationNs > 0 {
		return time.Duration(s.DurationNs)
	}
	seconds := float64(s.Calls) / s.OfferedPerSec
	if s.Load == LoadClosed {
		call := cmp.Or(time.Duration(s.SampleNs), callAssumed)
		seconds = float64(s.Calls) * call.Seconds() / float64(s.Connections*s.InFlight)
	}
	return time.Duration(min(seconds, math.MaxInt32) * float64(time.Second))
}
