//go:build unix

package result

import (
	"errors"
	"os"
	"syscall"
)

// The ways to lock a file.
const (
	exclusively = syscall.LOCK_EX
	together    = syscall.LOCK_SH
)

func tryLock(file *os.File, how int) error {
	err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrLocked
	case errors.Is(err, syscall.ENOLCK): // as NFS says it
		return errors.ErrUnsupported
	default:
		return err
	}
}
