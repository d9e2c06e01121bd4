// Package launch defines processes as the driver sees them: something starts a worker somewhere, commands go in, events come
// out, others reach its listeners at an address, and it ends. Start turns a process into a Worker: a session of worker.v1
// whose waits are all bounded.
//
// It starts no program itself. Launchers do, each in a package below this one; package process starts processes on this
// machine.
package launch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
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
	// Output gets the worker's standard error, in addition to LastWords; it may be nil. It must not block.
	Output io.Writer
}

// A Process is a worker somewhere. It is read for its events, to the end, and written to for commands; Close ends the
// commands, on which a worker ends by itself.
type Process interface {
	io.ReadWriteCloser

	Host() Host

	// LastWords returns the end of the worker's standard error so far.
	LastWords() string

	// Kill ends the process by force, and soon. It does not wait, and does nothing where the process has ended.
	Kill()

	// Wait waits for the end, and returns nil where the process ended well, and a KilledError where it ended by force. It
	// may be called several times, and concurrently.
	Wait() error
}

// LastLine returns the last line of what a program has printed, such as a worker's LastWords.
func LastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// HashOf returns the SHA-256 of a program, as an Order has it.
func HashOf(program io.Reader) (string, error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, program); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// A SocketMeter is a Process whose TCP sockets can be inspected from outside, for workers that don't report their segments.
type SocketMeter interface {
	// Segments returns the number of open TCP connections of the process, and how many segments these have sent, received and
	// retransmitted.
	Segments() (sockets, out, in, again int64, known bool)
}

// A Host is a place where processes run.
type Host struct {
	ID      string // in results; empty is this machine
	Address string // at which all processes of a trial reach what listens there: a name, or an IP address

	// Unwatched says that no worker can be started there, so the host's activity can't be observed.
	Unwatched bool
}

// At returns a process of this machine as others reach it, at the given address.
func At(p Process, address string) Process {
	a := at{p, address}
	if meter, can := p.(SocketMeter); can {
		return struct {
			at
			SocketMeter
		}{a, meter}
	}
	return a
}

type at struct {
	Process

	address string
}

// Host implements Process.
func (a at) Host() Host { return Host{Address: a.address} }

// A KilledError reports that a process was ended by force, by Kill or from elsewhere.
type KilledError struct{ Err error }

func (e *KilledError) Error() string { return e.Err.Error() }

// Unwrap returns how the system puts it.
func (e *KilledError) Unwrap() error { return e.Err }
