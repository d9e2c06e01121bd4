package conform

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

// A rig holds what one case has started.
type rig struct {
	Case
	ctx    context.Context // of the case
	folder string          // of a Unix socket

	mu       sync.Mutex
	parties  []*party
	sessions int // of them, in shared processes
}

// close ends all that was started, at once: each may take until it loses patience with it.
func (r *rig) close() {
	var closing sync.WaitGroup
	for _, party := range r.parties {
		closing.Go(party.close)
	}
	closing.Wait()
	if r.folder != "" {
		_ = os.RemoveAll(r.folder) // a folder of the system's for temporary files
	}
}

func (r *rig) start(command []string) (*party, error) {
	c, err := r.open(command)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.parties = append(r.parties, c)
	return c, nil
}

// open starts a process, or a session in a shared one where the case judges none.
func (r *rig) open(command []string) (*party, error) {
	if r.sharing == nil || r.wantsProcess() || !slices.Equal(command, r.worker) {
		return start(r.ctx, command, r.patience)
	}
	r.mu.Lock()
	index := r.sessions
	r.sessions++
	r.mu.Unlock()
	return r.sharing.start(r.ctx, index, r.patience)
}

// startPair starts the pair's client and server, in parallel: a runtime starts mostly on one thread.
func (r *rig) startPair() (client, server *party, err error) {
	var clientErr, serverErr error
	var starting sync.WaitGroup
	starting.Go(func() { client, clientErr = r.start(r.pair.client.command) })
	starting.Go(func() { server, serverErr = r.start(r.pair.server.command) })
	starting.Wait()
	switch {
	case serverErr != nil:
		return nil, nil, fmt.Errorf("server: %w", serverErr)
	case clientErr != nil:
		return nil, nil, fmt.Errorf("client: %w", clientErr)
	}
	return client, server, nil
}

// A shape is connections × in flight.
type shape struct{ connections, inFlight uint32 }

func (s shape) slots() int64 { return int64(s.connections) * int64(s.inFlight) }

// String writes a shape as scenarios do.
func (s shape) String() string { return fmt.Sprintf("%dx%d", s.connections, s.inFlight) }

// A setup is one call over one transport.
type setup struct {
	shape
	network, security string
	call              *control.Call
	streams           uint32
	serverSeed        uint64
	address           string // that the client is given: the server's, or that of what stands before it
}

// seed of payloads, any but 0, which a worker would have by omission.
const seed = 20_11

func plain(kind string, s shape) setup {
	return setup{
		shape: s, network: stack.NetworkTCP, security: stack.SecurityPlaintext, serverSeed: seed,
		call: &control.Call{
			Kind: kind, Compression: stack.CompressionNone, Payload: stack.PayloadRandom, Seed: seed,
			DeadlineNs: int64(caseLimit),
		},
	}
}

// unary is a call that every stack has, 100 bytes each way.
func unary(s shape) setup {
	made := plain(stack.KindUnary, s)
	made.call.RequestBytes, made.call.ResponseBytes = 100, 100
	return made
}

func first(s shape) setup { return plain(stack.KindFirstCall, s) }

func (r *rig) serveCommand(s setup) (*control.Serve, error) {
	address := quietPort()
	switch s.network {
	case stack.NetworkInproc:
		address = "inproc:1"
	case stack.NetworkUnix:
		folder, err := r.temporary.Folder()
		if err != nil {
			return nil, fmt.Errorf("make a folder for the socket: %w", err)
		}
		r.folder = folder
		address = filepath.Join(folder, "s")
	}
	return &control.Serve{
		Stack: r.pair.server.info.GetName(), Network: s.network, Address: address,
		Security: security(s.security, r.keys.own.CAPEM, r.keys.own.Server), Payload: s.call.GetPayload(), Seed: s.serverSeed,
	}, nil
}

func (r *rig) connectCommand(s setup) *control.Connect {
	return &control.Connect{
		Stack: r.pair.client.info.GetName(), Network: s.network, Addresses: []string{s.address},
		Security: security(s.security, r.keys.own.CAPEM, r.keys.own.Client), Call: s.call,
		Connections: s.connections, InFlight: s.inFlight, Streams: s.streams,
	}
}

// security returns the security of one side; a client has its own certificate only with mtls.
func security(mode string, ca []byte, own credential.Pair) *control.Security {
	if mode == stack.SecurityPlaintext {
		return &control.Security{Mode: mode}
	}
	return &control.Security{
		Mode: mode, CaPem: ca, CertPem: own.CertPEM, KeyPem: own.KeyPEM, ServerName: credential.ServerName,
	}
}

// served starts the pair and has its server serve at s.address.
func (r *rig) served(s *setup) (client, server *party, err error) {
	if client, server, err = r.startPair(); err != nil {
		return nil, nil, err
	}
	return client, server, r.serve(server, s)
}

// serve has a server serve at s.address.
func (r *rig) serve(server *party, s *setup) error {
	command, err := r.serveCommand(*s)
	if err != nil {
		return err
	}
	serving, err := server.Serve(r.ctx, command)
	if err != nil {
		return fmt.Errorf("server: %w", server.explain(err))
	}
	s.address = serving.GetAddress()
	return nil
}

// connect connects a client to s.address.
func (r *rig) connect(client *party, s setup) (*control.Connected, error) {
	connected, err := client.Connect(r.ctx, r.connectCommand(s))
	if err != nil {
		return nil, fmt.Errorf("client: %w", client.explain(err))
	}
	return connected, nil
}

// both starts a server and a client of it.
func (r *rig) both(s setup) (client, server *party, err error) {
	if client, server, err = r.served(&s); err == nil {
		_, err = r.connect(client, s)
	}
	return client, server, err
}

// triedCalls is far more than the calls in which a runtime initializes itself.
const triedCalls = 50

// tried returns both after a few calls: for cases that judge counts, however long they take.
func (r *rig) tried(s setup) (client, server *party, err error) {
	if client, server, err = r.both(s); err != nil {
		return client, server, err
	}
	done, err := r.phase(client, closedCalls(triedCalls))
	if err != nil {
		return client, server, err
	}
	return client, server, wantOutcome(done, "OK", triedCalls)
}

// warmed returns both after a warm-up: for cases that judge times.
func (r *rig) warmed(s setup) (client, server *party, err error) {
	if client, server, err = r.both(s); err == nil {
		err = r.warm(client, server)
	}
	return client, server, err
}

// maxWarm limits a warm-up: a case asks little of a worker, and even a runtime that needs many seconds for full speed does that
// well after one or two.
const maxWarm = 1500 * time.Millisecond

// warm makes calls until neither side is new to its work, all of which must be OK.
func (r *rig) warm(client, server *party) error {
	done, err := r.warmUp(client, server)
	if err != nil {
		return err
	}
	if done.GetArrivals() == 0 {
		return errors.New("the warm-up had no calls")
	}
	if err := wantOutcome(done, "OK", done.GetArrivals()); err != nil {
		return fmt.Errorf("warm-up: %w", err)
	}
	return nil
}

// warmUp makes calls for the least warm-up that both sides ask for, within bounds.
func (r *rig) warmUp(client, server *party) (*control.Done, error) {
	least := max(client.Hello.GetLeastWarmupNs(), server.Hello.GetLeastWarmupNs(), int64(200*time.Millisecond))
	begin := closedFor(time.Duration(min(least, int64(maxWarm))))
	begin.Phase = control.Warmup
	return r.phase(client, begin)
}

// phase runs a phase and ignores its intervals.
func (r *rig) phase(client *party, begin *control.Begin) (*control.Done, error) {
	return r.watched(client, begin, func(*control.Interval) {})
}

// watched runs a phase and checks what holds for every Done.
func (r *rig) watched(client *party, begin *control.Begin, each func(*control.Interval)) (*control.Done, error) {
	return r.watchedIn(r.ctx, client, begin, each)
}

// watchedIn is watched with a separate end.
func (r *rig) watchedIn(
	ctx context.Context, client *party, begin *control.Begin, each func(*control.Interval),
) (*control.Done, error) {
	done, err := client.Begin(ctx, begin, each)
	if err != nil {
		return nil, client.explain(err)
	}
	if done.GetPhase() != begin.GetPhase() {
		return nil, fmt.Errorf("done.phase is %v, begin.phase was %v", done.GetPhase(), begin.GetPhase())
	}
	var sum int64
	for _, o := range done.GetOutcomes() {
		sum += o.GetCalls()
	}
	if sum != done.GetArrivals() {
		return nil, fmt.Errorf("%d arrivals, but outcomes of %d: %v", done.GetArrivals(), sum, outcomes(done))
	}
	return done, nil
}

// drain is how long late calls may take, which is as long as a case may take.
const drain = caseLimit

func closedCalls(calls int64) *control.Begin {
	return &control.Begin{
		Phase: control.Measured, Calls: calls, DrainNs: int64(drain), Load: &control.Load{Arrivals: control.LoadClosed},
	}
}

func closedFor(d time.Duration) *control.Begin {
	return &control.Begin{
		Phase: control.Measured, DurationNs: int64(d), DrainNs: int64(drain), Load: &control.Load{Arrivals: control.LoadClosed},
	}
}

func openFor(arrivals string, perSec float64, d time.Duration) *control.Begin {
	return &control.Begin{
		Phase: control.Measured, DurationNs: int64(d), DrainNs: int64(drain),
		Load: &control.Load{Arrivals: arrivals, PerSec: perSec, Seed: seed},
	}
}

// outcomes returns calls by code.
func outcomes(done *control.Done) map[string]int64 {
	codes := map[string]int64{}
	for _, o := range done.GetOutcomes() {
		codes[o.GetCode()] += o.GetCalls()
	}
	return codes
}

// wantOutcome checks that all of calls ended with one code. The error is a lapse where it may be one.
func wantOutcome(done *control.Done, code string, calls int64) error {
	codes := outcomes(done)
	if len(codes) == 1 && codes[code] == calls {
		return nil
	}
	err := fmt.Errorf("outcomes are %s, want %s=%d", describe(done), code, calls)
	if code == "OK" && isLapse(codes, calls) {
		return lapse{err}
	}
	return err
}

// describe writes outcomes with their examples.
func describe(done *control.Done) string {
	var words []string
	for _, o := range done.GetOutcomes() {
		words = append(words, fmt.Sprintf("%s=%d", o.GetCode(), o.GetCalls()))
		if o.GetExample() != "" {
			words = append(words, fmt.Sprintf("(%s)", o.GetExample()))
		}
	}
	if words == nil {
		return "none"
	}
	return strings.Join(words, " ")
}
