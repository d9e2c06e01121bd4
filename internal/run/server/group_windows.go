package server

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup has the command run in a process group of its own, so that a terminal's Ctrl-C does not reach it.
func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// endGroup kills the leader: there is no signal that asks it to end.
func endGroup(leader *os.Process) { killGroup(leader) }

// killGroup kills the leader.
func killGroup(leader *os.Process) { _ = leader.Kill() } // it may have ended
