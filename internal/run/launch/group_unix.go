//go:build unix

package launch

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup has the command run in a process group of its own, so that a terminal's Ctrl-C does not reach it.
func ownGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the leader's process group, or the leader alone where the group can't be.
func killGroup(leader *os.Process) {
	err := syscall.Kill(-leader.Pid, syscall.SIGKILL)
	if err != nil && !errors.Is(err, syscall.ESRCH) {
		_ = leader.Kill() // it may have ended meanwhile
	}
}

// wasKilled reports whether a process ended as killGroup ends it.
func wasKilled(process *os.ProcessState) bool {
	status, ok := process.Sys().(syscall.WaitStatus)
	return ok && status.Signal() == syscall.SIGKILL
}
