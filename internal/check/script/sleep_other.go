//go:build !linux

package script

import "time"

// sleep waits by Go's timers here, as exactly as the system allows.
func sleep(d time.Duration) { time.Sleep(d) }
