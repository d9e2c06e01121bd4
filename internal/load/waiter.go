package load

import "time"

// A Waiter blocks the pacer's thread. Enter and Leave enclose a pacer's Waits, all on one locked thread.
type Waiter interface {
	Enter()
	// Wait blocks for about d. It may return early, never much later: the lateness is charged to Wake.
	Wait(d time.Duration)
	Leave()
}

// SleepWaiter waits by time.Sleep: exact in virtual time, up to 1 ms late on an idle machine.
type SleepWaiter struct{}

// Enter implements Waiter.
func (SleepWaiter) Enter() {}

// Wait implements Waiter.
func (SleepWaiter) Wait(d time.Duration) { time.Sleep(d) }

// Leave implements Waiter.
func (SleepWaiter) Leave() {}
