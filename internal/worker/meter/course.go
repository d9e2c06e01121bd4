package meter

import (
	"sync/atomic"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

const (
	// partLength is the initial length of a part of the course.
	partLength = time.Second

	// maxParts is the maximum number of parts; beyond it, the length of parts doubles. It is even.
	maxParts = 600
)

// A moment holds the longest hiccup since the previous moment, and the processors' counters.
type moment struct {
	at       time.Duration // since the watch began
	hiccupNs int64
	times    host.Times
	known    bool // times are
}

// watchCourse records the host's activity in parts until end. worst is the longest hiccup since it was last set to 0.
func (m *Meter) watchCourse(begun time.Time, worst *atomic.Int64) (end func() []*control.WatchedPart) {
	over, watched := make(chan struct{}), make(chan []*control.WatchedPart)
	first := m.moment(begun, worst)
	go func() {
		length := partLength
		ticker := time.NewTicker(length)
		defer ticker.Stop()
		var seen []moment
		for {
			select {
			case <-over:
				watched <- partsOf(first, seen)
				return
			case <-ticker.C:
			}
			if seen = append(seen, m.moment(begun, worst)); len(seen) == maxParts {
				seen = halved(seen)
				length *= 2
				ticker.Reset(length)
			}
		}
	}()
	return func() []*control.WatchedPart {
		close(over)
		return <-watched
	}
}

func (m *Meter) moment(begun time.Time, worst *atomic.Int64) moment {
	now := moment{at: time.Since(begun), hiccupNs: worst.Swap(0)}
	now.times, now.known = host.ReadTimes(m.proc)
	return now
}

// halved keeps every second moment.
func halved(seen []moment) []moment {
	var kept []moment
	for i := 1; i < len(seen); i += 2 {
		one := seen[i]
		one.hiccupNs = max(one.hiccupNs, seen[i-1].hiccupNs)
		kept = append(kept, one)
	}
	return kept
}

// partsOf are the times between moments.
func partsOf(before moment, seen []moment) (parts []*control.WatchedPart) {
	for _, now := range seen {
		part := &control.WatchedPart{StartNs: before.at.Nanoseconds(), EndNs: now.at.Nanoseconds(), HiccupMaxNs: now.hiccupNs}
		if before.known && now.known {
			spent := now.times.Since(before.times)
			part.BusyNs, part.StealNs = new(spent.Busy.Nanoseconds()), new(spent.Steal.Nanoseconds())
		}
		parts, before = append(parts, part), now
	}
	return parts
}
