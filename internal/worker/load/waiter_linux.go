package load

import (
	"sync/atomic"
	"syscall"
	"time"
)

const (
	prSetTimerSlack = 29   // PR_SET_TIMERSLACK of prctl(2)
	slackNs         = 1000 // the kernel's default is 50 µs
	rusageThread    = 1    // RUSAGE_THREAD of getrusage(2)
)

// A ThreadWaiter waits in the kernel, with a small timer slack, and spins over the last microseconds, its lead, in which
// a sleeping processor would only wake. Go's own timers are up to 1 ms late on an idle machine, because its scheduler waits
// in epoll whose timeouts are milliseconds; that would be most of a call over loopback. The spinning is bounded to a
// ninth of the time, so that a fast schedule does not burn a core.
type ThreadWaiter struct {
	lead   lead
	budget spinBudget
	slept  time.Duration // CPU of the last sleep of which that is known
	cpu    atomic.Int64  // of all waits so far, ns
}

// NewWaiter returns the machine's most exact Waiter.
func NewWaiter() *ThreadWaiter { return &ThreadWaiter{lead: leadFirst} }

// CPU returns the CPU time of all waits so far, spinning included. It may be called at any time.
func (w *ThreadWaiter) CPU() time.Duration { return time.Duration(w.cpu.Load()) }

// Wait implements Waiter.
func (w *ThreadWaiter) Wait(d time.Duration) {
	start := time.Now()
	allowed := w.budget.allow(start, time.Duration(w.lead))
	if sleep := d - allowed; sleep > 0 {
		w.sleep(sleep)
		w.lead.learn(time.Since(start) - sleep)
	}
	woken := time.Now()
	now := woken
	for now.Sub(start) < d && now.Sub(woken) < allowed {
		now = time.Now()
	}
	w.cpu.Add(int64(w.budget.spend(now.Sub(woken), allowed)))
}

// sleep sleeps in the kernel, and counts the cost. If Go has moved the goroutine to another thread meanwhile, the cost is
// unknown, and the last known one is used.
func (w *ThreadWaiter) sleep(d time.Duration) {
	thread, used := syscall.Gettid(), threadCPU()
	// The slack is the thread's, and Go may have moved us to another. Where it is refused the wait is less exact.
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, prSetTimerSlack, slackNs, 0)
	request := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&request, nil) // a signal ends it early, which the pacer notices
	if syscall.Gettid() == thread {
		w.slept = threadCPU() - used
	}
	w.cpu.Add(int64(w.slept))
}

// threadCPU returns the CPU time of the calling thread.
func threadCPU() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(rusageThread, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
