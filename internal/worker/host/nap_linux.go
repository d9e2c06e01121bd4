package host

import (
	"syscall"
	"time"
)

const (
	prSetTimerSlack = 29   // PR_SET_TIMERSLACK of prctl(2)
	slackNs         = 1000 // the kernel's default is 50 µs
)

// Nap sleeps in the kernel for about d, with a small timer slack, so it is late only by the machine's own delay. Go's timers wait
// in epoll, whose timeouts are milliseconds. The slack belongs to the thread, so the caller should be locked to one. A signal
// ends a nap early.
func Nap(d time.Duration) {
	// Where the slack is refused the nap is less exact.
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, prSetTimerSlack, slackNs, 0)
	request := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&request, nil)
}
