package host

import "time"

// A Tree is all processes below one. Its methods may be called by one goroutine at a time.
type Tree struct {
	Root int // the process that they are below of, which is not counted

	used share

	// Readings may fall, like those of peak, and when a process or a thread ends.
	memory, voluntary, involuntary peak

	sockets map[uint64]bool // that were accepted, by their inodes
}

// A share divides CPU time, which the scheduler sums exactly, into user and system time, which only ticks reveal. Neither part
// ever falls.
type share struct {
	total, user, userTicks, allTicks time.Duration
}

// of takes a reading, and returns the shares of all readings so far.
func (s *share) of(total, userTicks, systemTicks time.Duration) (user, system time.Duration) {
	allTicks := userTicks + systemTicks
	more, newUser, newAll := max(total-s.total, 0), userTicks-s.userTicks, allTicks-s.allTicks
	if newUser < 0 || newAll <= 0 || newUser > newAll { // nothing of this while is known
		newUser, newAll = userTicks, allTicks
	}
	if newAll > 0 {
		s.user += time.Duration(float64(more) * float64(newUser) / float64(newAll))
	} else {
		s.user += more
	}
	s.total += more
	s.userTicks, s.allTicks = userTicks, allTicks
	return s.user, s.total - s.user
}
