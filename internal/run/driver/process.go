package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"rpcbench/internal/results/result"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/host"
)

// A namedProcess is one of a side, or the link's.
type namedProcess struct {
	name           string // "server", "server-2", "client", "client 2 of 3 (db1)", "link"
	stem           string // of the names of its files: "server-2", "client-2"
	*launch.Worker        // nil where it could not be started
}

// over reports whether the process has ended.
func (p namedProcess) over() bool {
	select {
	case <-p.Ended():
		return true
	default:
		return false
	}
}

// both returns the processes of the sides that have been started, those of the server first.
func (p *sideProcesses) both() []namedProcess { return started(p.servers, p.clients) }

// others are all processes but the clients that have been started.
func (p *sideProcesses) others() []namedProcess {
	return started(p.servers, []namedProcess{p.proxy, p.relay})
}

// all are the processes that have been started.
func (p *sideProcesses) all() []namedProcess {
	return slices.Concat(p.others(), started(p.clients), p.watchers)
}

// started returns the processes that have been started.
func started(of ...[]namedProcess) []namedProcess {
	return slices.DeleteFunc(slices.Concat(of...), func(p namedProcess) bool { return p.Worker == nil })
}

func newServer(i int, host string) namedProcess {
	return namedProcess{name: on(numbered("server", i), host), stem: numbered("server", i)}
}

// newClient names a client. Files of several clients are named as those of several servers.
func newClient(i, n int, host string) namedProcess {
	name := "client"
	if n > 1 {
		name = fmt.Sprintf("client %d of %d", i+1, n)
	}
	return namedProcess{name: on(name, host), stem: numbered("client", i)}
}

// on adds the host to the name of a process, unless that is this machine.
func on(name, host string) string {
	if host == "" {
		return name
	}
	return name + " (" + host + ")"
}

// numbered is "server", "server-2", "server-3".
func numbered(side string, i int) string {
	if i == 0 {
		return side
	}
	return fmt.Sprintf("%s-%d", side, i+1)
}

// start starts all processes side by side: the clients, the servers unless they run already, and the link's.
func (s *sides) start(ctx context.Context) error {
	if s.spec.Target == "" && !codes(s.spec) && !s.spec.InOneProcess() {
		s.servers = make([]namedProcess, s.spec.ServerCount())
	}
	s.clients = make([]namedProcess, s.spec.ClientCount())
	var starting sync.WaitGroup
	errs := make([]error, len(s.servers)+len(s.clients)+2)
	start := func(err *error, process *namedProcess, order launch.Order, cpus string) {
		if s.Evidence != "" {
			kept := s.newOutput(process.stem)
			s.outputs, order.Output = append(s.outputs, kept), &kept.lines
		}
		starting.Go(func() {
			worker, failed := s.launch(ctx, order, cpus)
			process.Worker, *err = worker, blame(process.name, failed)
		})
	}
	for i := range s.servers {
		s.servers[i] = newServer(i, s.spec.ServerHost(i))
		start(&errs[i], &s.servers[i], launch.Order{Stack: s.serverStack(), Host: s.spec.ServerHost(i)}, s.spec.ServerCPUSet(i))
	}
	for i := range s.clients {
		s.clients[i] = newClient(i, len(s.clients), s.spec.ClientHost(i))
		start(&errs[len(s.servers)+i], &s.clients[i], launch.Order{Stack: s.spec.Stack, Host: s.spec.ClientHost(i)},
			s.spec.ClientCPUSet(i))
	}
	if s.spec.Link != nil {
		s.relay = namedProcess{name: linkSide, stem: linkSide}
		start(&errs[len(errs)-1], &s.relay, launch.Order{Host: s.spec.ServerHost(0)}, "") // the way to the first server is no longer
	}
	if s.spec.Proxy != nil {
		s.proxy = namedProcess{name: proxySide, stem: proxySide}
		start(&errs[len(errs)-2], &s.proxy, launch.Order{Host: s.spec.ServerHost(0)}, "")
	}
	starting.Wait()
	if err := cmp.Or(errs...); err != nil {
		s.keepLastWords(errs...)
		return err
	}
	s.describe()
	return s.startWatchers(ctx)
}

// describe has the evidence say what the processes run on.
func (s *sides) describe() {
	for _, server := range s.servers {
		s.evidence.Servers = append(s.evidence.Servers, s.describeServer(server.Worker))
	}
	s.describeTarget()
	if s.proxy.Worker != nil {
		s.evidence.Proxy = s.describeProxy()
	}
	for _, client := range s.clients {
		s.evidence.Clients = append(s.evidence.Clients, result.Client{Side: describe(client.Worker, s.spec.Stack)})
	}
}

// serverStack is the stack that servers host, "" where a program is started instead.
func (s *sides) serverStack() string {
	if s.spec.Program != nil {
		return ""
	}
	return s.spec.Server
}

// describeServer describes what a server runs on. For a program that is what the author of the case wrote.
func (s *sides) describeServer(worker *launch.Worker) result.Side {
	side := describe(worker, s.serverStack())
	if s.spec.Program != nil {
		side.Library, side.Runtime = s.spec.Program.Library, ""
	}
	return side
}

// keepLastWords keeps those of the first worker that could not be started.
func (s *sides) keepLastWords(errs ...error) {
	for _, err := range errs {
		var lost *launch.LostError
		if errors.As(err, &lost) && s.evidence.LastWords == "" {
			s.evidence.LastWords = lost.LastWords
		}
	}
}

func (s *sides) launch(ctx context.Context, order launch.Order, cpus string) (worker *launch.Worker, err error) {
	order.Apart, order.JVMOptions, order.Layout = s.spec.Apart(), s.spec.JVMOptions, s.layout
	if cpus != "" {
		if order.CPUs, err = host.ParseCPUs(cpus); err != nil {
			return nil, err
		}
	}
	if order.Stack != "" {
		order.Binary, order.BinaryHash = s.spec.BinaryPath(), s.spec.BinaryHash
	}
	return launch.Start(ctx, s.Launcher, order)
}

// close ends all processes, by force where told so, and keeps the last words of the first that did not end well.
func (s *sides) close(kill bool) error {
	ending := s.all()
	errs := make([]error, len(ending))
	var closing sync.WaitGroup
	for i, p := range ending {
		closing.Go(func() { errs[i] = p.end(kill) })
	}
	closing.Wait()
	s.keepOutputs()
	if s.sockets != "" {
		_ = os.RemoveAll(s.sockets) // a folder of the system's for temporary files
	}
	for i, p := range ending {
		if errs[i] != nil && s.evidence.LastWords == "" {
			s.evidence.LastWords = p.LastWords()
		}
	}
	return cmp.Or(errs...)
}

func (p namedProcess) end(kill bool) error {
	if kill {
		return blame(p.name, p.Abort())
	}
	return blame(p.name, p.Close())
}
