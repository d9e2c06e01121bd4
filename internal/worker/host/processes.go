package host

import "time"

// Processes is what the processes of this machine have used since each of them was started, the kernel's own threads among
// them. Unlike Times it is not counted in ticks: the scheduler adds up how long each ran, so that a process that is never
// running when a tick comes, as one that a timer wakes for a moment, is seen too.
type Processes map[incarnation]used

// An incarnation is a process; its PID alone may be another's soon.
type incarnation struct {
	pid   int
	start uint64 // ticks since boot
}

// used is what a process used, and the children that it waited for: theirs moves to it when they end.
type used struct {
	cpu       time.Duration
	forgotten bool // its parent does not wait for it: what it used is nowhere once it has ended
}

// Since is what was used between earlier and p. A process that ended in between without its parent's waiting for it is left
// out where the parent is the kernel; elsewhere it takes away what it had used before.
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
