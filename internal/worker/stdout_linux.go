package worker

import (
	"fmt"
	"os"
	"syscall"
)

// TakeStdout moves the protocol off descriptor 1, which then points at standard error: whatever a library prints
// can't break a message. The file is where Events go.
func TakeStdout() (*os.File, error) {
	moved, err := syscall.Dup(1)
	if err != nil {
		return nil, fmt.Errorf("move standard output: %w", err)
	}
	syscall.CloseOnExec(moved)
	if err := syscall.Dup3(2, 1, 0); err != nil {
		return nil, fmt.Errorf("move standard output: %w", err)
	}
	return os.NewFile(uintptr(moved), "events"), nil
}
