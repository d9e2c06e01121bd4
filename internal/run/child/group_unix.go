//go:build unix

package child

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup runs the command in a separate process group.
func ownGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup asks the leader's process group to end. A group that is gone has ended.
func endGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGTERM) }

// killGroup kills the leader's process group, or the leader alone where the group can't be.
func killGroup(leader *os.Process) {
	err := syscall.Kill(-leader.Pid, syscall.SIGKILL)
	if err != nil && !errors.Is(err, syscall.ESRCH) {
		_ = leader.Kill() // it may have ended meanwhile
	}
}

// wasKilled reports whether a program that ended so ended as killGroup ends it.
func wasKilled(exit error) bool {
	ended, ok := errors.AsType[*exec.ExitError](exit)
	return ok && ended.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}
