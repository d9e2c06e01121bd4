// Package leash keeps a program from outliving who started it, however that ends: by a SIGKILL too, of which nobody is
// told. Between the two stands a process that runs the program and holds one end of a pipe. When the other end is gone, it
// kills its process group; on Linux also what has left the group.
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

// Exit codes, as of shells.
const (
	exitNotStarted = 126
	exitBySignal   = 128 // and the signal's number
)

// Verb is how this binary is told to Run the command behind it.
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

// Run runs a command, whose output is this process's, until it ends, and returns the exit code that says how. When held
// ends before, it kills the process group of this process. It wants to be all that the process does.
func Run(held io.Reader, words []string) int {
	runtime.LockOSThread() // the kernel kills the program with the thread that has started it
	// What ends the group is for the program. It is caught and not ignored, as a program inherits what is ignored.
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

// Signal returns the signal that an exit code of Run stands for; false if it is none.
func Signal(code int) (syscall.Signal, bool) {
	return syscall.Signal(code - exitBySignal), code > exitBySignal
}
