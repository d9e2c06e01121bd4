package point

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

	// compilersAssumed is what the compilers of a JVM usually take until they are quiet.
	compilersAssumed = 15 * time.Second

	// setUpTrips are the round trips that opening a connection takes, as a stack over HTTP/2 with TLS does: to be
	// connected, for the handshake, for settings.
	setUpTrips = 3
)

// Expected is how long a trial takes when all goes well: compilers, warm-up (the longest, where it ends when the load is
// steady), measured phase and TrialOverhead, half of it again for each further process, and what a link adds. A number of
// calls in a closed loop is taken to last 1 ms a call, divided by the slots, and one that encodes or decodes as long as its
// sample; in an open loop the rate tells.
func (s Spec) Expected() time.Duration {
	further := max(s.ServerCount(), 1) - 1 + s.ClientCount() - 1
	if s.Link != nil {
		further++
	}
	processes := TrialOverhead + time.Duration(further)*TrialOverhead/2
	tails := s.overLink() // the last calls of a phase are answered after it
	if s.longestWarmUp() > 0 {
		tails *= 2
	}
	compilers := min(time.Duration(s.CompilersMostNs), compilersAssumed)
	return processes + s.SetUp() + compilers + s.longestWarmUp() + s.measured() + tails
}

// longestWarmUp is how long the warm-up lasts, or, where it ends when the load is steady, may last: nobody can know before.
func (s Spec) longestWarmUp() time.Duration { return time.Duration(max(s.WarmupNs, s.WarmupMostNs)) }

// SetUp is what the link adds to the opening of the connections, which are opened one after another. Where calls open
// connections it is 0.
func (s Spec) SetUp() time.Duration {
	if s.Link == nil || s.Opens() {
		return 0
	}
	return time.Duration(s.Connections) * setUpTrips * time.Duration(s.Link.RTTNs)
}

func (s Spec) measured() time.Duration {
	if s.DurationNs > 0 {
		return time.Duration(s.DurationNs)
	}
	seconds := float64(s.Calls) / s.OfferedPerSec
	if s.Load == LoadClosed {
		call := cmp.Or(time.Duration(s.SampleNs), callAssumed) + s.overLink()
		seconds = float64(s.Calls) * call.Seconds() / float64(s.Slots())
	}
	return time.Duration(min(seconds, math.MaxInt32) * float64(time.Second))
}

// overLink is what the link adds to a call that has it for itself: round trips, and the time that its bytes take.
func (s Spec) overLink() time.Duration {
	if s.Link == nil {
		return 0
	}
	trips := 1
	if s.Opens() {
		trips += setUpTrips
	}
	messages := float64(max(s.Messages, 1) * max(s.Batch, 1))
	seconds := transfer(messages*float64(s.RequestBytes), s.Link.UpBytesPerSec) +
		transfer(messages*float64(s.ResponseBytes), s.Link.DownBytesPerSec)
	return time.Duration(trips)*time.Duration(s.Link.RTTNs) + time.Duration(min(seconds, math.MaxInt32)*float64(time.Second))
}

// transfer is how many seconds bytes take; no bandwidth has no limit.
func transfer(bytes, perSec float64) float64 {
	if perSec == 0 {
		return 0
	}
	return bytes / perSec
}
