//go:build !linux

package load

import "time"

// A ThreadWaiter waits by time.Sleep on this system, as exactly as it allows.
type ThreadWaiter struct{ SleepWaiter }

// NewWaiter returns the machine's most exact Waiter.
func NewWaiter() *ThreadWaiter { return &ThreadWaiter{} }

// CPU is unknown here, and 0.
func (w *ThreadWaiter) CPU() time.Duration { return 0 }
