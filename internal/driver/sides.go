package driver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"rpcbench/internal/control"
	"rpcbench/internal/credential"
	"rpcbench/internal/host"
	"rpcbench/internal/plan"
	"rpcbench/internal/result"
)

// sides are the two processes of one trial.
type sides struct {
	*driver
	spec     plan.Spec
	evidence *result.Trial
	server   *control.Process
	client   *control.Process
	profiled []namedProcess // those that profile themselves
	socket   string         // the folder of a Unix socket; empty on TCP
}

// A sideError says which process failed.
type sideError struct {
	side string // "server" or "client"
	err  error
}

func (e *sideError) Error() string { return e.side + ": " + e.err.Error() }
func (e *sideError) Unwrap() error { return e.err }

// first returns the first error that there is.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func blame(side string, err error) error {
	if err == nil {
		return nil
	}
	return &sideError{side, err}
}

// measure takes the trial from two fresh processes to the evidence.
func (s *sides) measure(ctx context.Context) error {
	if err := s.start(ctx); err != nil {
		return err
	}
	address, err := s.serve(ctx)
	if err != nil {
		return blame("server", err)
	}
	connected, err := s.client.Connect(ctx, s.connect(address))
	if err != nil {
		return blame("client", err)
	}
	keepCodec(s.evidence, connected)
	if err := s.warmUp(ctx); err != nil {
		return err
	}
	return s.run(ctx)
}

// codes tells whether the trial encodes or decodes, for which there is no server.
func codes(spec plan.Spec) bool { return spec.Server == "" && spec.Target == "" }

// start starts both processes side by side, or the client alone.
func (s *sides) start(ctx context.Context) error {
	var starting sync.WaitGroup
	var serverErr, clientErr error
	if s.spec.Target == "" && !codes(s.spec) {
		starting.Go(func() { s.server, serverErr = s.launch(ctx, s.spec.Server, s.spec.ServerCPUs) })
	}
	starting.Go(func() { s.client, clientErr = s.launch(ctx, s.spec.Stack, s.spec.ClientCPUs) })
	starting.Wait()
	if err := first(blame("server", serverErr), blame("client", clientErr)); err != nil {
		s.keepLastWords(serverErr, clientErr)
		return err
	}
	if s.server != nil {
		s.evidence.Server = describe(s.server.Hello, s.spec.Server)
	}
	s.evidence.Client = describe(s.client.Hello, s.spec.Stack)
	return nil
}

// keepLastWords keeps those of the first worker that could not be started.
func (s *sides) keepLastWords(errs ...error) {
	for _, err := range errs {
		var lost *control.LostError
		if errors.As(err, &lost) && s.evidence.LastWords == "" {
			s.evidence.LastWords = lost.LastWords
		}
	}
}

func (s *sides) launch(ctx context.Context, stack, cpuList string) (*control.Process, error) {
	var cpus []int
	if cpuList != "" {
		var err error
		if cpus, err = host.ParseCPUs(cpuList); err != nil {
			return nil, err
		}
	}
	return s.Launch(ctx, Worker{Stack: stack, CPUs: cpus, JVMOptions: s.spec.JVMOptions})
}

// describe says what a side runs on.
func describe(hello *control.Hello, stack string) result.Side {
	side := result.Side{Runtime: hello.GetRuntime()}
	for _, info := range hello.GetStacks() {
		if info.GetName() == stack {
			side.Library = info.GetLibrary()
		}
	}
	return side
}

// serve starts the server, unless it runs already, and returns its address; empty where coding has none.
func (s *sides) serve(ctx context.Context) (address string, err error) {
	if s.server == nil {
		return s.spec.Target, nil
	}
	listen := "127.0.0.1:0"
	if s.spec.Network == "unix" {
		if s.socket, err = os.MkdirTemp("", "rpcbench-"); err != nil {
			return "", fmt.Errorf("make a folder for the socket: %w", err)
		}
		listen = filepath.Join(s.socket, "s")
	}
	permissions, err := s.permissions()
	if err != nil {
		return "", err
	}
	serving, err := s.server.Serve(ctx, &control.Serve{
		Stack: s.spec.Server, Network: s.spec.Network, Address: listen,
		Security: s.security(s.Keys.Server), Payload: s.spec.Payload, Seed: s.Seed,
		Options:     known(s.spec.Options, s.server.Hello, s.spec.Server, (*control.OptionInfo).GetServer),
		Permissions: permissions,
	})
	return serving.GetAddress(), err
}

// permissions lets in the server's own: itself, and the client, whose name extends its.
func (s *sides) permissions() (*control.Permissions, error) {
	if s.spec.Security != "mtls" {
		return nil, nil
	}
	name, err := s.Keys.Server.Name()
	if err != nil {
		return nil, err
	}
	return &control.Permissions{In: []string{name}}, nil
}

// connect makes the Connect of the trial. Coding has nothing but a message and a codec.
func (s *sides) connect(address string) *control.Connect {
	if codes(s.spec) {
		return &control.Connect{
			Stack: s.spec.Stack, Connections: uint32(s.spec.Connections), InFlight: uint32(s.spec.InFlight),
			Options: known(s.spec.Options, s.client.Hello, s.spec.Stack, (*control.OptionInfo).GetClient),
			Call: &control.Call{
				Kind: s.spec.Kind, Message: s.spec.Message, Codec: s.spec.Codec, SampleNs: s.spec.SampleNs, Seed: s.Seed,
				DeadlineNs: s.spec.DeadlineNs,
			},
		}
	}
	connect := &control.Connect{
		Stack: s.spec.Stack, Network: s.spec.Network, Addresses: []string{address}, Security: s.security(s.Keys.Client),
		Options:     known(s.spec.Options, s.client.Hello, s.spec.Stack, (*control.OptionInfo).GetClient),
		Connections: uint32(s.spec.Connections), InFlight: uint32(s.spec.InFlight), Streams: uint32(s.spec.Streams),
		Call: &control.Call{
			Kind: s.spec.Kind, RequestBytes: uint32(s.spec.RequestBytes), ResponseBytes: uint32(s.spec.ResponseBytes),
			Messages: uint32(s.spec.Messages), Compression: s.spec.Compression, Payload: s.spec.Payload, Seed: s.Seed,
			DeadlineNs: s.spec.DeadlineNs, LengthsOnly: s.spec.LengthsOnly,
		},
	}
	if b := s.spec.Background; b != nil {
		connect.Background = &control.Background{
			Kind: b.Kind, RequestBytes: uint32(b.RequestBytes), ResponseBytes: uint32(b.ResponseBytes), Messages: uint32(b.Messages),
		}
	}
	return connect
}

func (s *sides) security(own credential.Pair) *control.Security {
	security := &control.Security{Mode: s.spec.Security}
	if s.spec.Security != "plaintext" {
		security.CaPem, security.CertPem, security.KeyPem = s.Keys.CAPEM, own.CertPEM, own.KeyPEM
		security.ServerName = credential.ServerName
	}
	return security
}

// known picks the options that are for one side. The plan has made sure that each is for one at least.
func known(
	options map[string]string, hello *control.Hello, stack string, forSide func(*control.OptionInfo) bool,
) map[string]string {
	picked := map[string]string{}
	for _, info := range hello.GetStacks() {
		if info.GetName() != stack {
			continue
		}
		for _, option := range info.GetOptions() {
			if value, given := options[option.GetName()]; given && forSide(option) {
				picked[option.GetName()] = value
			}
		}
	}
	return picked
}

// close ends both processes, by force where told so, and keeps the last words of a side that did not end well.
func (s *sides) close(kill bool) error {
	var closing sync.WaitGroup
	var serverErr, clientErr error
	closing.Go(func() { clientErr = blame("client", s.end(s.client, kill)) })
	closing.Go(func() { serverErr = blame("server", s.end(s.server, kill)) })
	closing.Wait()
	if s.socket != "" {
		_ = os.RemoveAll(s.socket) // a folder of the system's for temporary files
	}
	return first(serverErr, clientErr)
}

func (s *sides) end(p *control.Process, kill bool) error {
	if p == nil {
		return nil
	}
	end := p.Close
	if kill {
		end = p.Abort
	}
	err := end()
	if err != nil && s.evidence.LastWords == "" {
		s.evidence.LastWords = p.LastWords()
	}
	return err
}
