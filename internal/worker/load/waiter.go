package load

import "time"

// A Waiter blocks the pacer, or a Metronome. It is used by one goroutine at a time.
type Waiter interface {
	// Wait blocks for about d. It may return early, never much later: the lateness is charged to Wake.
	Wait(d time.Duration)
}

// SleepWaiter waits by time.Sleep: exact in virtual time, up to 1 ms late on an idle machine.
type SleepWaiter struct{}

// Wait implements Waiter.
func (SleepWaiter) Wait(d time.Duration) { time.Sleep(d) }
