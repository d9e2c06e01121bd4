package qps

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/call/target"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/control"
)

const (
	// greetPatience limits the wait for a worker's first answer, before which a JVM on a busy machine loads its classes.
	greetPatience = 30 * time.Second
	// statsBytesMax limits a worker's answer: a histogram of 3,000 buckets takes 15 kB.
	statsBytesMax = 1 << 20
)

// A process is a worker while it is a side of a trial.
type process struct {
	host     launch.Host
	commands *io.PipeWriter
	events   *io.PipeReader
	kill     func()

	mu     sync.Mutex
	killed bool
	ended  chan struct{}
	err    error // set before ended is closed
}

// begin begins a session with a worker that answers.
func begin(conn *grpc.ClientConn, w Worker, stack string, cores int, release func()) *process {
	host, _, _ := net.SplitHostPort(w.Address) // it was read so
	in, commands := io.Pipe()
	events, out := io.Pipe()
	ctx, cut := context.WithCancelCause(context.Background())
	kill := func() { cut(nil) }
	p := &process{host: hostOf(host), commands: commands, events: events, kill: kill, ended: make(chan struct{})}
	s := &session{
		ctx: ctx, cut: cut, worker: w, api: testpb.NewWorkerServiceClient(conn), events: control.NewEventWriter(out), cores: cores,
		broken: make(chan error, 1),
	}
	go func() {
		err := s.run(stack, in)
		kill()
		_ = in.CloseWithError(errAtRest)
		_ = out.Close()
		_ = conn.Close()
		release()
		p.end(err)
	}()
	return p
}

// hostOf returns where a worker runs: on this machine, or on one of which nothing else is known.
func hostOf(host string) launch.Host {
	if target.IsLoopback(host) {
		return launch.Host{Address: numeric(host)}
	}
	return launch.Host{ID: host, Address: host, Unwatched: true}
}

// numeric returns an address on which a server can listen; localhost becomes the address on which ours listen.
func numeric(host string) string {
	if host == "localhost" {
		return "127.0.0.1"
	}
	return host
}

func (p *process) end(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err = err; p.killed {
		p.err = &launch.KilledError{Err: errors.New("the connection to the worker was cut")}
	}
	close(p.ended)
}

// Read implements launch.Process.
func (p *process) Read(b []byte) (int, error) { return p.events.Read(b) }

// Write implements launch.Process.
func (p *process) Write(b []byte) (int, error) { return p.commands.Write(b) }

// Close implements launch.Process.
func (p *process) Close() error { return p.commands.Close() }

// Host implements launch.Process.
func (p *process) Host() launch.Host { return p.host }

// LastWords implements launch.Process. It is empty because a worker prints to its own terminal.
func (p *process) LastWords() string { return "" }

// Kill closes the connection, upon which a worker ends its role.
func (p *process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.ended:
	default:
		p.killed = true
		p.kill()
	}
}

// Wait implements launch.Process.
func (p *process) Wait() error {
	<-p.ended
	return p.err
}
