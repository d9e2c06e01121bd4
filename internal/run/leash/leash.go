// Package leash keeps a program from outliving its parent, even if that is killed by SIGKILL. A process between the two runs the
// program and holds one end of a pipe. When the other end closes, it kills its process group and, on Linux, also descendants that
// have left the group.
package leash

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
)

// Exit codes, as in shells.
const (
	exitNotStarted = 126
	exitBySignal   = 128 // and the signal's number
	lastSignal     = 64  // Linux has the most
)

// Verb makes this binary Run the command that follows.
const Verb = "leash"

// Through is the command that runs another one and ends it with this process; nil on Windows, which has no groups of
// processes.
func Through() ([]string, error) {
	if !Possible {
		return nil, nil
	}
	self, err := os.Executable()
	return []string{self, Verb}, err
}

// Run runs a command with this process's output until it ends, and returns its exit code. If held ends first, Run kills the
// process group of this process. The process should do nothing else.
func Run(held io.Reader, words []string) int {
	runtime.LockOSThread() // the kernel kills the program with the thread that has started it
	// Signals that end the group are meant for the program. They are caught rather than ignored, because a program inherits
	// ignored signals.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	adopt()
	command := exec.Command(words[0], words[1:]...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	dieWithParent(command)
	if err := command.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitNotStarted
	}
	go func() {
		_, _ = io.Copy(io.Discard, held)
		killDescendants()
		killGroup()
	}()
	err := command.Wait()
	killDescendants()
	return code(err)
}

func code(err error) int {
	exit, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil:
		return 0
	case !ok:
		return exitNotStarted
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return exitBySignal + int(status.Signal())
	}
	return exit.ExitCode()
}

// Signal returns the signal that an exit code of Run stands for, or false if it stands for none: exit(-1) is the code 255.
func Signal(code int) (syscall.Signal, bool) {
	return syscall.Signal(code - exitBySignal), code > exitBySignal && code <= exitBySignal+lastSignal
}
