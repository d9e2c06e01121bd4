package script

import "time"

// exactly is how long before its end a wait leaves Go's timers, which may be some milliseconds late, for the kernel's.
const exactly = 10 * time.Millisecond

// lead is how long before its end a wait leaves the kernel's timers as well and looks at the clock: as late as they are
// on a virtual machine, where a processor must wake first. At some hundred calls a second it is a few percent of a core.
const lead = 200 * time.Microsecond

// until waits until a point in time, as exactly as the machine can, and reports whether it did so before stopped was
// closed.
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
