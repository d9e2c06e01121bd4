//go:build unix

package host

import (
	"math"
	"syscall"
)

// openFiles is the maximum number of open files of this process; 0 means unknown.
func openFiles() int64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return int64(min(uint64(limit.Cur), math.MaxInt64)) //nolint:unconvert // some systems have signed limits
}
