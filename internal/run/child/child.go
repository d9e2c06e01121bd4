// Package child runs programs as child processes. Each has its own process group: a terminal's Ctrl-C does not reach it, and
// it can be signaled and killed together with everything that it has started.
//
// The package knows nothing of what the programs do.
package child

import (
	"io"
	"os"
	"os/exec"
	"time"

	"rpcbench/internal/call/secret"
	"rpcbench/internal/worker/host"
)

// A Child is a program that was started, and the process group that it leads.
type Child struct {
	command *exec.Cmd
	words   Tail
	ended   chan struct{}
	exit    error // set before ended is closed
}

// Start starts a command on the given processors (nil means all). It keeps the end of standard error for LastWords, unless the
// command redirects it to a file, or to where its standard output goes. When the program ends, the rest of its group is killed.
func Start(command *exec.Cmd, cpus []int) (*Child, error) {
	c := &Child{command: command, ended: make(chan struct{})}
	switch to := command.Stderr.(type) {
	case nil:
		command.Stderr = &c.words
	case *os.File:
	default:
		if to != command.Stdout {
			command.Stderr = io.MultiWriter(&c.words, to)
		}
	}
	drains, err := drainOutputs(command)
	if err != nil {
		return nil, err
	}
	ownGroup(command)
	if err = host.StartOn(command, cpus); err != nil {
		abandon(drains)
		return nil, err
	}
	for _, d := range drains {
		d.childs.Close()
	}
	go func() {
		c.exit = command.Wait()
		c.Kill()
		finish(drains)
		close(c.ended)
	}()
	return c, nil
}

// drainOutputs puts a drain before each output of the command that is no file. One drain keeps the order of two outputs to one
// Writer.
func drainOutputs(command *exec.Cmd) ([]*drain, error) {
	var drains []*drain
	if command.Stdout != nil && command.Stdout == command.Stderr {
		d, err := newDrain(command.Stdout)
		if d != nil {
			drains, command.Stdout, command.Stderr = append(drains, d), d.childs, d.childs
		}
		return drains, err
	}
	for _, output := range []*io.Writer{&command.Stdout, &command.Stderr} {
		d, err := newDrain(*output)
		if err != nil {
			abandon(drains)
			return nil, err
		}
		if d != nil {
			drains, *output = append(drains, d), d.childs
		}
	}
	return drains, nil
}

// PID returns the program's process id, which is its group's too.
func (c *Child) PID() int { return c.command.Process.Pid }

// Ended is closed when the program has ended for any reason.
func (c *Child) Ended() <-chan struct{} { return c.ended }

// Wait waits for the program's end and returns how it ended, like exec.Cmd.Wait. It may be called several times.
func (c *Child) Wait() error {
	<-c.ended
	return c.exit
}

// WasKilled waits for the program's end and reports whether it ended as Kill ends it.
func (c *Child) WasKilled() bool { return wasKilled(c.Wait()) }

// Kill kills the rest of the group.
func (c *Child) Kill() { killGroup(c.command.Process) }

// Stop asks the group to end, waits up to patience for the program's end, and then kills the rest of the group.
func (c *Child) Stop(patience time.Duration) {
	c.Ask()
	c.EndsWithin(patience)
	c.Kill()
	<-c.ended
}

// Ask asks the group to end.
func (c *Child) Ask() { endGroup(c.command.Process) }

// EndsWithin waits up to patience for the program's end, and reports whether it has ended.
func (c *Child) EndsWithin(patience time.Duration) bool {
	over := time.NewTimer(patience)
	defer over.Stop()
	select {
	case <-c.ended:
		return true
	case <-over.C:
		return false
	}
}

// LastWords returns the end of the program's standard error so far, without apparent secrets: a JVM prints the options it gets
// from the environment.
func (c *Child) LastWords() string { return secret.Text(c.words.String()) }
