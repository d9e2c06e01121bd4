// Package launch is what the driver knows of processes: something starts a worker somewhere, commands go in, events come
// out, others reach at an address what listens there, and it ends. Start makes a Worker of a process: a session of
// worker.v1, with ends to all waiting.
//
// It starts no program by itself. That is for Launchers, of which each has a package below this one; process is that of
// this machine.
package launch

import (
	"context"
	"io"
)

// A Launcher starts processes, which are alike in where and how they run.
type Launcher interface {
	// Launch starts the worker that is ordered, and returns without waiting for its Hello. Only the start ends with ctx.
	Launch(ctx context.Context, order Order) (Process, error)
}

// An Order says which worker is to be started.
type Order struct {
	Host       string // where it is to run, by the ID in results; empty is this machine
	Apart      bool   // some of the processes of its trial run on another host
	Stack      string // that it must host; empty: none, but it must be able to play a link
	CPUs       []int  // that it may run on; none is all
	JVMOptions string // as a shell splits them; for workers that run on a JVM
	Binary     string // path of the program that hosts the stack instead of its usual worker; "" is that
	BinaryHash string // the SHA-256 that it must have
	Layout     Layout // of its memory
	// Output gets what the worker prints on standard error, besides LastWords; nil where nobody wants it. It must not block.
	Output io.Writer
}

// A Process is a worker somewhere. It is read for its events, to the end, and written to for commands; Close ends the
// commands, on which a worker ends by itself.
type Process interface {
	io.ReadWriteCloser

	Host() Host

	// LastWords returns the end of what the worker has said so far beside its events, on standard error.
	LastWords() string

	// Kill ends the process by force, and soon. It does not wait, and does nothing where the process has ended.
	Kill()

	// Wait waits for the end, and returns nil where the process ended well, and a KilledError where it ended by force. It
	// may be called several times, and concurrently.
	Wait() error
}

// A Host is where processes run.
type Host struct {
	ID      string // in results; empty is this machine
	Address string // at which all processes of a trial reach what listens there: a name, or an IP address

	// Unwatched says that no worker can be started there, so that nobody sees what the host does.
	Unwatched bool
}

// A KilledError is the end of a process by force, by Kill or somebody else's.
type KilledError struct{ Err error }

func (e *KilledError) Error() string { return e.Err.Error() }

// Unwrap returns how the system puts it.
func (e *KilledError) Unwrap() error { return e.Err }
