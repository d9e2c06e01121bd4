package result

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// ErrLocked says that another Writer has the file.
var ErrLocked = errors.New("another rpcbench is writing it: wait until that has ended")

// A Writer tries again for a moment, as IsWritten has the file for less than one.
const (
	lockTries = 5
	lockPause = 10 * time.Millisecond
)

// lock makes the file this Writer's alone, until it is closed or the process ends. A file system without locks is not
// refused.
func lock(file *os.File) error {
	err := tryLock(file, exclusively)
	for tries := 1; tries < lockTries && errors.Is(err, ErrLocked); tries++ {
		time.Sleep(lockPause)
		err = tryLock(file, exclusively)
	}
	if err == nil || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return fmt.Errorf("%s: %w", file.Name(), err)
}

// IsWritten reports whether a Writer has a results file open, as far as this machine can see. It is not known where the file
// system has no locks.
func IsWritten(path string) (is, known bool) {
	file, err := os.Open(path)
	if err != nil {
		return false, false
	}
	defer file.Close() // which ends the lock
	err = tryLock(file, together)
	is = errors.Is(err, ErrLocked)
	return is, is || err == nil
}
