package driver

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// sides are the processes of a trial, and what is measured with them.
type sides struct {
	*driver
	sideProcesses
	sideTrial
}

// sideProcesses are those of the sides, and what stays as it is when another trial reuses them.
type sideProcesses struct {
	layout   launch.Layout // of their memory
	servers  []namedProcess
	clients  []namedProcess  // in the order of the evidence's
	watchers []namedProcess  // of the hosts but this
	relay    namedProcess    // that plays the link; without a Worker where there is none
	proxy    namedProcess    // between link and server; without a Worker where there is none
	outputs  []*output       // what they print
	sockets  string          // the folder of Unix sockets; empty on TCP
	trips    []time.Duration // round trips of messages to several clients

	addresses []string                     // where clients find the servers
	connected string                       // the Point that the clients are connected for
	rows      map[string]*result.Compilers // those of the rows that the processes have served, by Point; nil where nothing waited
}

// A sideTrial is the trial that the processes are used for.
type sideTrial struct {
	trial    plan.Trial
	spec     plan.Spec // the trial's
	foreign  Foreign   // what its calls need besides the spec
	evidence *result.Trial
	profiled []namedProcess // those that profile themselves
	dumped   bool           // both sides were asked what they are doing
	measured bool           // what the clients measured is in the evidence
	mute     time.Duration  // for which no call was OK at the end of the last phase; 0 is no time worth mentioning
	perSec   float64        // calls of all clients at the end of the warm-up; 0 is unknown
}

// A sideError says which process failed.
type sideError struct {
	side string // as namedProcess.name
	err  error
}

func (e *sideError) Error() string { return e.side + ": " + e.err.Error() }
func (e *sideError) Unwrap() error { return e.err }

func blame(side string, err error) error {
	if err == nil {
		return nil
	}
	return &sideError{side, err}
}

// measure takes the trial to the evidence.
func (s *sides) measure(ctx context.Context) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	s.rows[s.trial.Point()] = s.evidence.Compilers
	if err := s.warmUp(ctx); err != nil {
		return err
	}
	return s.runWarm(ctx)
}

// ready has clients that are connected for the trial, in fresh processes, or in those of another one.
func (s *sides) ready(ctx context.Context) error {
	if s.evidence.ProcessesOf == "" {
		return s.open(ctx)
	}
	if s.connected == s.trial.Point() {
		return nil
	}
	if err := s.checkFiles(); err != nil {
		return err
	}
	if err := s.connectClients(ctx); err != nil || !s.isFirstOfRow() {
		return err
	}
	return s.settleCompilers(ctx)
}

// open takes the trial from fresh processes to clients that have their connections, and compiled code.
func (s *sides) open(ctx context.Context) error {
	if s.spec.Method != nil && s.foreign.Recipe == nil && s.foreign.Mix == nil {
		return fmt.Errorf("what calls of %s send is not known: results do not hold it", s.spec.Method.Name)
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	if err := s.checkFiles(); err != nil {
		return err
	}
	targets, err := s.serve(ctx)
	if err != nil {
		return err
	}
	if targets, err = s.pass(ctx, targets); err != nil {
		return err
	}
	if s.addresses, err = s.reach(ctx, targets); err != nil {
		return err
	}
	if err := s.connectClients(ctx); err != nil {
		return err
	}
	if err := s.warmCompilers(ctx); err != nil {
		return err
	}
	return s.measureTrips(ctx)
}

// connectClients has all clients open the connections of the trial. Those of another one are closed.
func (s *sides) connectClients(ctx context.Context) error {
	s.connected = s.trial.Point()
	// An opening may take its round trips several times: names, handshakes and settings differ from stack to stack.
	return s.eachClient(func(i int, client namedProcess) error {
		connect, err := s.connect(i, s.addresses)
		if err != nil {
			return err
		}
		connected, err := client.ConnectOver(ctx, connect, 4*s.spec.SetUp())
		keepCodec(&s.evidence.Clients[i].Record, connected)
		return err
	})
}

// eachClient does something with all clients at once, and returns the first one's error, by its name.
func (s *sides) eachClient(do func(i int, client namedProcess) error) error {
	errs := make([]error, len(s.clients))
	var doing sync.WaitGroup
	for i, client := range s.clients {
		doing.Go(func() { errs[i] = blame(client.name, do(i, client)) })
	}
	doing.Wait()
	return cmp.Or(errs...)
}

// codes reports whether the trial encodes or decodes, for which there is no server.
func codes(spec plan.Spec) bool { return spec.Server == "" && spec.Target == "" }

// describe describes what a side runs on.
func describe(worker *launch.Worker, stack string) result.Side {
	hello, host := worker.Hello, worker.Host()
	side := result.Side{
		Host: host.ID, Runtime: hello.GetRuntime(), Processors: int(hello.GetProcessors()),
		VirtualMachine: virtualMachineOf(hello.GetVirtualMachine()), ClockStepNs: hello.GetClockStepNs(),
	}
	for _, info := range hello.GetStacks() {
		if info.GetName() == stack {
			side.Library = info.GetLibrary()
		}
	}
	return side
}

// serve has the servers serve, unless they run already, and returns their addresses; none where coding has no server.
func (s *sides) serve(ctx context.Context) (addresses []string, err error) {
	if s.spec.Target != "" {
		return []string{s.spec.Target}, nil
	}
	for i, server := range s.hosting() {
		served, err := s.serveOne(ctx, server.Worker, fmt.Sprintf("s%d", i))
		if err != nil {
			s.evidence.LastWords = server.LastWords()
			return nil, blame(server.name, err)
		}
		addresses = append(addresses, served...)
	}
	return addresses, nil
}

// hosting are the processes that servers are in: the client's, where it has both sides.
func (s *sides) hosting() []namedProcess {
	if s.spec.InOneProcess() {
		return s.clients
	}
	return s.servers
}

// serveOne starts serving on one server; name is the name of its Unix socket, if it has one.
func (s *sides) serveOne(ctx context.Context, server *launch.Worker, name string) (addresses []string, err error) {
	listen, err := s.listen(server, name)
	if err != nil {
		return nil, err
	}
	permissions, err := s.permissions()
	if err != nil {
		return nil, err
	}
	serve := &control.Serve{
		Stack: s.serverStack(), Program: programOf(s.spec.Program), Network: s.spec.Network, Address: listen,
		Security: s.serverSecurity(), Payload: s.spec.Payload, Seed: s.Seed,
		Options:     known(s.spec.Options, server.Hello, s.spec.Server, (*control.OptionInfo).GetServer),
		Permissions: permissions, Ports: uint32(s.spec.Ports),
	}
	if s.spec.Records > 0 {
		serve.Store = &control.Store{Records: uint64(s.spec.Records), ValueBytes: uint32(s.spec.RequestBytes)}
	}
	serving, err := server.Serve(ctx, serve)
	if err != nil {
		return nil, err
	}
	return append([]string{serving.GetAddress()}, serving.GetMoreAddresses()...), nil
}

// programOf returns the worker.v1 message for a program.
func programOf(p *plan.Program) *control.Program {
	if p == nil {
		return nil
	}
	return &control.Program{
		Command: p.Command, Address: p.Address, ReadyLine: p.ReadyLine, ReadyHealth: p.Health, ReadyNs: p.WithinNs,
		Config: p.Config,
	}
}

// makeSocketFolder makes the folder of the trial's sockets, once.
func (s *sides) makeSocketFolder() (err error) {
	if s.sockets != "" {
		return nil
	}
	if s.sockets, err = s.Temporary.Folder(); err != nil {
		return fmt.Errorf("make a folder for the socket: %w", err)
	}
	return nil
}

// trialSeed seeds what may differ between repetitions: random arrivals, and a link's jitter.
func (s *sides) trialSeed() uint64 { return s.Seed + uint64(s.evidence.Repetition) }

// permissions lets in the server's own: itself, and the client, whose name extends its.
func (s *sides) permissions() (*control.Permissions, error) {
	if s.spec.Security != stack.SecurityMTLS {
		return nil, nil
	}
	name, err := s.Keys.Server.Name()
	if err != nil {
		return nil, err
	}
	return &control.Permissions{In: []string{name}}, nil
}
