// Package program starts foreign servers and proxies inside a worker. A server offers what rpcbench's own servers do, or the
// method that is called, in any language; a proxy passes calls on to such a server. A program is told where to listen. The
// worker waits until it is ready, counts it with all processes that it starts, and ends it with them.
package program

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/run/scratch"
	"rpcbench/internal/run/server"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

// stopPatience is how long a program may take to end before it is killed: a worker has five seconds to end everything.
const stopPatience = 3 * time.Second

// A Starter is a worker.Programs.
type Starter struct {
	Through   []string     // the command that runs others on a leash; nil is none
	Temporary *scratch.Dir // for folders of programs; nil makes them the system's
}

// Start implements worker.Programs.
func (s Starter) Start(
	ctx context.Context, told *control.Program, network, address string, security *control.Security,
) (worker.Program, error) {
	at, err := place(told, network, address)
	if err != nil {
		return nil, err
	}
	if at.Accepts(ctx) {
		return nil, fmt.Errorf("something else already listens on %s", at)
	}
	own, err := s.newFolder(told)
	if err != nil {
		return nil, err
	}
	p, err := s.start(ctx, told, at, own, security)
	if err != nil {
		own.remove()
		return nil, err
	}
	return p, nil
}

func (s Starter) start(
	ctx context.Context, told *control.Program, at server.Address, own folder, security *control.Security,
) (worker.Program, error) {
	places, err := own.places(told, at)
	if err != nil {
		return nil, err
	}
	if err := own.write(places.Replace(told.GetConfig()), security); err != nil {
		return nil, err
	}
	words, err := fill(told.GetCommand(), places)
	if err != nil {
		return nil, err
	}
	output, err := listen(told.GetReadyLine())
	if err != nil {
		return nil, err
	}
	defer output.childs.Close() // which has its own
	started, err := server.Start(sideOf(told)+" "+words[0], s.Through, words, "", output.childs)
	if err != nil {
		return nil, err
	}
	p := &program{server: started, at: at, folder: own, tree: host.Tree{Root: started.PID()}}
	if len(s.Through) == 0 {
		p.tree.Root = os.Getpid() // below which there is nothing else
	}
	if err := p.await(ctx, told, output); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// sideOf returns the name of a program in sentences.
func sideOf(told *control.Program) string {
	if told.GetUpstream() != "" {
		return "the proxy"
	}
	return "the server"
}

// place returns where a program has to listen.
func place(told *control.Program, network, address string) (server.Address, error) {
	if told.GetAddress() != "" {
		return server.Address{Network: network, Text: told.GetAddress()}, nil
	}
	if name, port, err := net.SplitHostPort(address); network == "tcp" && err == nil && port == "0" {
		free, err := server.FreePortOf(name)
		return server.Address{Network: network, Text: free}, err
	}
	return server.Address{Network: network, Text: address}, nil
}

// fill fills the places in a command.
func fill(command []string, places *strings.Replacer) ([]string, error) {
	words := slices.Clone(command)
	for i := range words {
		words[i] = places.Replace(words[i])
	}
	path, err := server.Program(words[0])
	if err != nil {
		return nil, err
	}
	words[0] = path
	return words, nil
}

// A program is a worker.Program.
type program struct {
	server *server.Server
	at     server.Address
	folder folder
	tree   host.Tree
}

// await waits until the program is ready.
func (p *program) await(ctx context.Context, told *control.Program, output *output) error {
	patience := time.Duration(told.GetReadyNs())
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("it was not ready within %v", patience))
	defer cancel()
	if output.wanted != "" {
		select {
		case <-output.seen:
		case <-p.server.Over():
			return p.server.Ended()
		case <-ctx.Done():
			return fmt.Errorf("it printed no line with %q: %w", output.wanted, context.Cause(ctx))
		}
	}
	if err := p.server.Await(ctx, p.at, patience); err != nil {
		return err
	}
	if told.GetReadyHealth() {
		return p.healthy(ctx)
	}
	return nil
}

// Address implements worker.Program.
func (p *program) Address() string { return p.at.Text }

// Usage implements worker.Program.
func (p *program) Usage() (host.Usage, bool) { return p.tree.Usage() }

// Sockets implements worker.Program.
func (p *program) Sockets() int64 { return p.tree.Sockets() }

// Ended implements worker.Program.
func (p *program) Ended() <-chan struct{} { return p.server.Over() }

// End implements worker.Program.
func (p *program) End() error { return p.server.Ended() }

// Close implements worker.Program.
func (p *program) Close() {
	_ = p.server.Stop(p.at, stopPatience) // nobody is left to hear of it
	p.folder.remove()
}
