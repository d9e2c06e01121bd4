package conform

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// noSignals says why cases that signal a worker can't be run.
const noSignals = "Windows can neither stop nor interrupt another process"

var errNoSignals = errors.New(noSignals)

func (c *child) interrupt() error { return errNoSignals }

func (c *child) pause() error { return errNoSignals }

func (c *child) resume() error { return errNoSignals }

func (c *child) standsStill() (bool, error) { return false, errNoSignals }

// ownGroup has the command run in a process group of its own.
func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup kills the leader, as there is no way to kill a group.
func killGroup(leader *os.Process) { _ = leader.Kill() } // it may have ended already
