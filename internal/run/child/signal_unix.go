//go:build unix

package child

import (
	"errors"
	"syscall"
)

// NoSignals says why a Child can't be interrupted, paused and resumed; here it can.
const NoSignals = ""

// Interrupt sends the group the signal of Ctrl-C.
func (c *Child) Interrupt() error { return c.signal(syscall.SIGINT) }

// Pause stops the group, which takes a moment; Paused reports when it has stopped.
func (c *Child) Pause() error { return c.signal(syscall.SIGSTOP) }

// Resume has the group go on.
func (c *Child) Resume() error { return c.signal(syscall.SIGCONT) }

func (c *Child) signal(s syscall.Signal) error { return syscall.Kill(-c.PID(), s) }

// Paused reports, once, that the program has stopped after Pause. One that ended instead is an error.
func (c *Child) Paused() (bool, error) {
	var status syscall.WaitStatus
	pid, err := syscall.Wait4(c.PID(), &status, syscall.WNOHANG|syscall.WUNTRACED, nil)
	switch {
	case errors.Is(err, syscall.EINTR):
		return false, nil
	case err != nil:
		return false, err
	case pid != 0 && !status.Stopped():
		return false, errors.New("the process ended instead")
	default:
		return pid != 0, nil
	}
}
