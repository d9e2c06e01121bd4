// Package process launches workers as child processes on this machine.
package process

import (
	"context"
	"os/exec"

	"rpcbench/internal/run/child"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/host"
)

// address is where the processes of this machine reach each other, and nobody else reaches them.
const address = "127.0.0.1"

// A Program is a worker's.
type Program struct {
	Command []string
	// Environment names variables that the worker gets, if this process has them, besides the usual ones.
	Environment []string
	Variables   []string // NAME=VALUE, which it gets in any case
	Temporary   string   // the folder for its temporary files; empty leaves that to it
}

// A Launcher tells the Program of the worker that is ordered, and launches it.
type Launcher func(order launch.Order) (Program, error)

// Always is the Launcher of one Program, whatever is ordered.
func Always(p Program) Launcher {
	return func(launch.Order) (Program, error) { return p, nil }
}

// Command is Always of a command.
func Command(words []string) Launcher { return Always(Program{Command: words}) }

// Launch implements launch.Launcher.
func (l Launcher) Launch(_ context.Context, order launch.Order) (launch.Process, error) {
	program, err := l(order)
	if err != nil {
		return nil, err
	}
	p, err := Start(program, order)
	if err != nil {
		return nil, err // and no Process: a nil one would be a value of the interface
	}
	return p, nil
}

// A Process is a worker as a child process.
type Process struct {
	*child.Piped

	segments host.SegmentMeter
}

// Start starts a program on the processors of an order, with its layout.
func Start(p Program, order launch.Order) (*Process, error) {
	command := exec.Command(p.Command[0], p.Command[1:]...)
	command.Env, command.Stderr = p.environment(), order.Output
	if err := p.layOut(command, order.Layout); err != nil {
		return nil, err
	}
	piped, err := child.StartPiped(command, order.CPUs)
	if err != nil {
		return nil, err
	}
	return &Process{Piped: piped}, nil
}

// Read reads the worker's standard output.
func (p *Process) Read(b []byte) (int, error) { return p.Out.Read(b) }

// Write writes to the worker's standard input.
func (p *Process) Write(b []byte) (int, error) { return p.In.Write(b) }

// Close ends the worker's standard input.
func (p *Process) Close() error { return p.In.Close() }

// Segments implements launch.SocketMeter.
func (p *Process) Segments() (sockets, out, in, again int64, known bool) {
	s, known := p.segments.Read(p.PID())
	return s.Sockets, s.Out, s.In, s.Again, known
}

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
