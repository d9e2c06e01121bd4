//go:build unix

package server

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup has the command run in a process group of its own, so that a terminal's Ctrl-C does not reach it.
func ownGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup asks the leader's process group to end. A group that is gone has ended.
func endGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGTERM) }

// killGroup kills what is left of the leader's process group.
func killGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGKILL) }
