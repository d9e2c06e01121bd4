//go:build !linux

package host

import "time"

// Nap sleeps for about d, as exactly as Go's timers on this system.
func Nap(d time.Duration) { time.Sleep(d) }
