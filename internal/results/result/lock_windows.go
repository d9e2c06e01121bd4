package result

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// The ways to lock a file.
const (
	exclusively = windows.LOCKFILE_EXCLUSIVE_LOCK
	together    = 0
)

// tryLock locks a byte far beyond the end: locked bytes can't be read, and reports read files that are being written.
func tryLock(file *os.File, how uint32) error {
	behind := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(file.Fd()), how|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, behind)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}
