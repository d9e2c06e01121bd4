package result

import (
	"errors"
	"fmt"
	"os"
)

// ErrLocked says that another Writer has the file.
var ErrLocked = errors.New("another rpcbench is writing it: wait until that has ended")

// lock makes the file this Writer's alone, until it is closed or the process ends. A file system without locks is not
// refused.
func lock(file *os.File) error {
	err := tryLock(file)
	if err == nil || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return fmt.Errorf("%s: %w", file.Name(), err)
}
