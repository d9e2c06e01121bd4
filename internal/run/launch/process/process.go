// Package process launches workers as child processes on this machine.
package process

import (
	"context"
	"os/exec"

	"rpcbench/internal/run/child"
	"rpcbench/internal/run/launch"
)

// address is where the processes of this machine reach each other, and nobody else reaches them.
const address = "127.0.0.1"

// A Launcher tells the command of the worker that is ordered, and launches it.
type Launcher func(order launch.Order) (command []string, err error)

// Command is the Launcher of one command, whatever is ordered.
func Command(words []string) Launcher {
	return func(launch.Order) ([]string, error) { return words, nil }
}

// Launch implements launch.Launcher.
func (l Launcher) Launch(_ context.Context, order launch.Order) (launch.Process, error) {
	command, err := l(order)
	if err != nil {
		return nil, err
	}
	p, err := Start(command, order.CPUs)
	if err != nil {
		return nil, err // and no Process: a nil one would be a value of the interface
	}
	return p, nil
}

// A Process is a worker as a child process.
type Process struct{ *child.Piped }

// Start starts a command on the given processors (none is all).
func Start(command []string, cpus []int) (*Process, error) {
	piped, err := child.StartPiped(exec.Command(command[0], command[1:]...), cpus)
	if err != nil {
		return nil, err
	}
	return &Process{piped}, nil
}

// Read reads the worker's standard output.
func (p *Process) Read(b []byte) (int, error) { return p.Out.Read(b) }

// Write writes to the worker's standard input.
func (p *Process) Write(b []byte) (int, error) { return p.In.Write(b) }

// Close ends the worker's standard input.
func (p *Process) Close() error { return p.In.Close() }

// Host is this machine.
func (p *Process) Host() launch.Host { return launch.Host{Address: address} }

// Wait implements launch.Process.
func (p *Process) Wait() error {
	err := p.Piped.Wait()
	if p.WasKilled() {
		return &launch.KilledError{Err: err}
	}
	return err
}
