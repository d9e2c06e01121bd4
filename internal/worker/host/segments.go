package host

import "sync"

// Segments counts the segments of a process's open TCP connections, by the kernel's TCP_INFO.
type Segments struct {
	Sockets        int64 // open connections
	Out, In, Again int64 // sent, received, and retransmitted, which are part of those sent
}

// A SegmentMeter reads the segments of one process again and again. The zero value is ready.
type SegmentMeter struct {
	mu   sync.Mutex
	seen map[uint64]Segments // of each socket that was open, when they were last read
}

// count sums what the kernel's counters say now of each open socket. What is closed is forgotten.
func (m *SegmentMeter) count(now map[uint64]Segments) (sum Segments) {
	for inode, s := range now {
		seen := m.seen[inode]
		s.Out, s.In, s.Again = CountOn(seen.Out, s.Out), CountOn(seen.In, s.In), CountOn(seen.Again, s.Again)
		now[inode] = s
		sum = Segments{sum.Sockets + s.Sockets, sum.Out + s.Out, sum.In + s.In, sum.Again + s.Again}
	}
	m.seen = now
	return sum
}

// CountOn returns a count that was seen before when the kernel's counter, which has 32 bits and wraps, says now.
func CountOn(seen, now int64) int64 { return seen + int64(uint32(now-seen)) }
