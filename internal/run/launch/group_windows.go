package launch

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup has the command run in a process group of its own, so that a terminal's Ctrl-C does not reach it.
func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup kills the leader. A worker of rpcbench has no children.
func killGroup(leader *os.Process) {
	_ = leader.Kill() // it may have ended meanwhile
}

// wasKilled reports whether a process ended as killGroup ends it, which gives it the exit code 1.
func wasKilled(process *os.ProcessState) bool { return process.ExitCode() == 1 }
