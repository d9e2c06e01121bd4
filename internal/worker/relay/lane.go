package relay

import (
	"math/rand/v2"
	"time"
)

const (
	// segmentMax and segmentMin bound the bytes that travel together: the maximum is an HTTP/2 frame, a TLS record and a read
	// worth its system call; the minimum is the payload of an Ethernet packet.
	segmentMax = 16 << 10
	segmentMin = 1448
	// segmentTime is the maximum time for which a segment occupies the link.
	segmentTime = time.Millisecond
	// ahead is how much the link may have queued before senders are held back. It is longer than the delay of Go's timers, so
	// that the link never waits for a sender that was held back.
	ahead = 10 * time.Millisecond
	// socketBuffer is the number of bytes that a connection may hold in addition to those on the way.
	socketBuffer = 256 << 10
	// unlimitedWindow is the number of bytes that a connection may have on the way if bandwidth does not limit them. It exceeds
	// the windows that TCP reaches by itself.
	unlimitedWindow = 16 << 20
)

// A lane is one direction of the link, which all connections share. Times are since the relay's start.
type lane struct {
	perSec        float64 // bytes; 0 has no limit
	delay, jitter time.Duration
	random        *rand.Rand
	free          time.Duration // when the last byte that was taken in has left
	arrived       int64         // bytes, at the other end

	segment int // the most bytes that travel as one
	window  int // the most bytes that one connection may have on the way
}

func newLane(link Link, perSec float64, seed, direction uint64) *lane {
	l := &lane{
		perSec: perSec, delay: link.RTT / 2, jitter: link.Jitter, random: rand.New(rand.NewPCG(seed, direction)),
		segment: segmentMax, window: unlimitedWindow,
	}
	if perSec > 0 {
		l.segment = max(segmentMin, min(segmentMax, int(perSec*segmentTime.Seconds())))
		l.window = int(min(unlimitedWindow, perSec*(l.delay+l.jitter+ahead).Seconds())) + l.segment
	}
	return l
}

// depart accepts n bytes and returns when the last of them has left the sender's end.
func (l *lane) depart(now time.Duration, n int) time.Duration {
	if l.perSec == 0 {
		return now
	}
	l.free = max(l.free, now) + time.Duration(float64(n)/l.perSec*float64(time.Second))
	return l.free
}

// arrive returns when bytes that left at departed are due at the other end: after the delay, plus or minus the uniform jitter.
func (l *lane) arrive(departed time.Duration) time.Duration {
	due := departed + l.delay
	if l.jitter > 0 {
		due += time.Duration(l.random.Int64N(2*int64(l.jitter)+1)) - l.jitter
	}
	return due
}
