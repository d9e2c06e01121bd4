package point

import (
	"cmp"
	"math"
	"time"
)

const (
	// TrialOverhead is the time of a trial outside its phases: starting and ending two processes.
	TrialOverhead = 150 * time.Millisecond

	// callAssumed is the assumed duration of a call, for closed trials that end after a number of calls. The real duration is
	// unknown beforehand; 1 ms is more than most calls on one machine take.
	callAssumed = time.Millisecond

	// compilersAssumed is the usual time until the compilers of a JVM are quiet.
	compilersAssumed = 15 * time.Second

	// settlingAssumed is the usual time until they are found to be quiet under the load of another row.
	settlingAssumed = 5 * time.Second

	// setUpTrips is the number of round trips to open a connection, for a stack over HTTP/2 with TLS: connect, handshake,
	// settings.
	setUpTrips = 3

	// idleTrips is the number of round trips to open an idle stream, for a stack that opens it before its echo.
	idleTrips = 2
)

// Expected returns how long a trial takes if all goes well: TrialOverhead, half of it again for each further process, opening
// connections over a link, compilers, and ExpectedAgain.
func (s Spec) Expected() time.Duration {
	further := max(s.ServerCount(), 1) - 1 + s.ClientCount() - 1
	if s.Link != nil {
		further++
	}
	processes := TrialOverhead + time.Duration(further)*TrialOverhead/2
	compilers := min(time.Duration(s.CompilersMostNs), compilersAssumed)
	return processes + s.SetUp() + compilers + s.ExpectedAgain()
}

// ExpectedSettling returns how long compilers are waited for in processes where they were quiet under another load.
func (s Spec) ExpectedSettling() time.Duration {
	return min(time.Duration(s.CompilersMostNs), settlingAssumed)
}

// ExpectedAgain returns how long a trial takes in processes that are there: warm-up (its maximum, if it ends when the load is
// steady), measured phase, and what a link adds. In a closed loop with a number of calls, a call is assumed to take 1 ms, or its
// sample for codecs, divided by the slots; in an open loop the rate determines it.
func (s Spec) ExpectedAgain() time.Duration {
	tails := s.overLink() // the last calls of a phase are answered after it
	if s.longestWarmUp() > 0 {
		tails *= 2
	}
	return s.longestWarmUp() + s.measured() + tails
}

// longestWarmUp returns the duration of the warm-up, or its maximum if it ends when the load is steady.
func (s Spec) longestWarmUp() time.Duration { return time.Duration(max(s.WarmupNs, s.WarmupMostNs)) }

// SetUp returns what the link adds to opening the connections and idle streams, which are opened one after another. It is 0 if
// calls open connections.
func (s Spec) SetUp() time.Duration {
	if s.Link == nil || s.Opens() {
		return 0
	}
	trips := float64(s.Connections) * float64(setUpTrips+idleTrips*s.IdleStreams)
	return time.Duration(min(trips*float64(s.Link.RTTNs), math.MaxInt32*float64(time.Second)))
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

// overLink returns what the link adds to a call that uses it alone: round trips, and the transfer time of its bytes.
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

// transfer returns the seconds that bytes take; bandwidth 0 is unlimited.
func transfer(bytes, perSec float64) float64 {
	if perSec == 0 {
		return 0
	}
	return bytes / perSec
}
