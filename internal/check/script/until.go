package script

import "time"

// exactly is the time before the end of a wait at which it switches from Go's timers, which may be some milliseconds late, to the
// kernel's.
const exactly = 10 * time.Millisecond

// lead is the time before the end of a wait at which it stops using timers and polls the clock. It is as long as kernel timers
// are late on a virtual machine, where a processor must wake first. At some hundred calls per second it takes a few percent of a
// core.
const lead = 200 * time.Microsecond

// until waits until a point in time, as exactly as the machine can, and reports whether it did so before stopped was closed.
func until(at time.Time, stopped <-chan struct{}) bool {
	if left := time.Until(at); left > exactly {
		timer := time.NewTimer(left - exactly)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-stopped:
			return false
		}
	}
	if left := time.Until(at); left > lead {
		sleep(left - lead)
	}
	for time.Until(at) > 0 {
	}
	return true
}
