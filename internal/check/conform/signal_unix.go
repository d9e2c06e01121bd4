//go:build unix

package conform

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// noSignals says why cases that signal a worker can't be run; here they can.
const noSignals = ""

// interrupt sends what a terminal sends on Ctrl-C, to the whole group as all others do.
func (c *child) interrupt() error { return c.signal(syscall.SIGINT) }

// pause has the group stand still, soon after; standsStill tells when.
func (c *child) pause() error { return c.signal(syscall.SIGSTOP) }

// resume has the group go on.
func (c *child) resume() error { return c.signal(syscall.SIGCONT) }

func (c *child) signal(s syscall.Signal) error { return syscall.Kill(-c.PID(), s) }

// standsStill tells whether a child that was paused has stopped. One that ended instead is an error.
func (c *child) standsStill() (bool, error) {
	var status syscall.WaitStatus
	pid, err := syscall.Wait4(c.PID(), &status, syscall.WNOHANG|syscall.WUNTRACED, nil)
	switch {
	case errors.Is(err, syscall.EINTR):
		return false, nil
	case err != nil:
		return false, err
	case pid != 0 && !status.Stopped():
		return false, errors.New("it ended instead")
	default:
		return pid != 0, nil
	}
}

// ownGroup has the command run in a process group of its own.
func ownGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the leader's process group.
func killGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGKILL) } // it may have ended already
