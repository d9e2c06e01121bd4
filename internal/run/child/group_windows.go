package child

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup runs the command in a separate process group.
func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// endGroup kills the leader: there is no signal that asks it to end.
func endGroup(leader *os.Process) { killGroup(leader) }

// killGroup kills only the leader, because Windows can't kill a group.
func killGroup(leader *os.Process) { _ = leader.Kill() } // it may have ended meanwhile

// wasKilled reports whether a program that ended so ended as killGroup ends it, which gives it the exit code 1.
func wasKilled(exit error) bool {
	ended, ok := errors.AsType[*exec.ExitError](exit)
	return ok && ended.ExitCode() == 1
}
