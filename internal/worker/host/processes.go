package host

import "time"

// Processes is the CPU time of this machine's processes since each was started, including the kernel's own threads. Unlike Times
// it is not counted in ticks: the scheduler sums how long each ran, so it also covers a process that never runs during a tick,
// such as one woken briefly by a timer.
type Processes map[incarnation]used

// An incarnation is a process; its PID alone may be another's soon.
type incarnation struct {
	pid   int
	start uint64 // ticks since boot
}

// used is the CPU time of a process, and of the children that it waited for, whose time moves to it when they end.
type used struct {
	cpu       time.Duration
	forgotten bool // its parent does not wait for it: what it used is nowhere once it has ended
}

// Since is the CPU time used between earlier and p. A process that ended in between without being waited for by its parent is
// left out if its parent is the kernel; otherwise its earlier time is subtracted.
func (p Processes) Since(earlier Processes) time.Duration {
	var sum time.Duration
	for _, now := range p {
		sum += now.cpu
	}
	for id, before := range earlier {
		if _, lives := p[id]; lives || !before.forgotten {
			sum -= before.cpu
		}
	}
	return max(sum, 0)
}
