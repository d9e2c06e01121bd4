//go:build !linux

package script

import "time"

// sleep uses Go's timers, as exactly as the system allows.
func sleep(d time.Duration) { time.Sleep(d) }
