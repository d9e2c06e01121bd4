package relay

import (
	"math/rand/v2"
	"time"
)

const (
	// segmentMax and segmentMin bound what travels as one, in bytes: the first is an HTTP/2 frame, a TLS record and a read
	// that is worth its system call; the second is what a packet of Ethernet carries.
	segmentMax = 16 << 10
	segmentMin = 1448
	// segmentTime is how long a segment may keep the link.
	segmentTime = time.Millisecond
	// ahead is how much the link may have to send before senders are held back. It is longer than Go's timers are late,
	// so that the link never waits for a sender that was held back.
	ahead = 10 * time.Millisecond
	// socketBuffer is what a connection may hold of its own, in bytes, beside what is on the way.
	socketBuffer = 256 << 10
	// unlimitedWindow is how many bytes a connection may have on the way where bandwidth does not limit them. It is more
	// than the windows that TCP comes to by itself.
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

// depart takes n bytes in and returns when the last of them has left the sender's end.
func (l *lane) depart(now time.Duration, n int) time.Duration {
	if l.perSec == 0 {
		return now
	}
	l.free = max(l.free, now) + time.Duration(float64(n)/l.perSec*float64(time.Second))
	return l.free
}

// arrive returns when what left at departed is due at the other end: the delay later, give or take the jitter, which is
// uniform.
func (l *lane) arrive(departed time.Duration) time.Duration {
	due := departed + l.delay
	if l.jitter > 0 {
		due += time.Duration(l.random.Int64N(2*int64(l.jitter)+1)) - l.jitter
	}
	return due
}
