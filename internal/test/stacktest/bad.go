package stacktest

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"rpcbench/internal/stack"
)

// wrongReply makes the server answer with other bytes, and with another number of them.
func wrongReply(t *testing.T, s stack.Stack) {
	t.Parallel()
	otherBytes := func(n int) []byte { return make([]byte, n) }
	tooLong := func(n int) []byte { return reply(n + 1) }
	for what, reply := range map[string]func(int) []byte{"other bytes": otherBytes, "too long": tooLong} {
		r := newRig(t, s, stack.NetworkTCP, stack.SecurityPlaintext, reply)
		for name, call := range withBatches(calls(s, 10, 20, inFlight), 7) {
			all := callers(t, r.dial(stack.CompressionNone, inFlight), call, inFlight)
			for _, err := range callAll(t.Context(), all) {
				if got := stack.CodeOf(err); got != stack.Mismatch {
					t.Errorf("%s, %s: %v, want MISMATCH", what, name, err)
				}
			}
		}
	}
}

// lostServer cuts the cables while calls wait for their replies, and puts a server in the same place later.
func lostServer(t *testing.T, s stack.Stack) {
	for name, call := range withBatches(calls(s, 10, 20, inFlight), 7) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gate := newGate()
			defer gate.open()
			r := newRig(t, s, stack.NetworkTCP, stack.SecurityPlaintext, gate.reply)
			all := callers(t, r.dial(stack.CompressionNone, inFlight), call, inFlight)
			gate.shut(t, s, all)
			waiting := start(t.Context(), all)
			gate.await(t, waiting)
			r.cut()
			wantAll(t, "cut", <-waiting, stack.Unavailable)
			wantAll(t, "nobody there", callAll(t.Context(), all), stack.Unavailable)
			gate.open()
			r.stop()
			r.serve()
			settle(t, all)
		})
	}
}

// cancelledCall has the server never answer, and cancels the calls; small ones, and ones that fill all buffers.
func cancelledCall(t *testing.T, s stack.Stack) {
	for name, call := range withBatches(calls(s, 10, 20, inFlight), 7) {
		t.Run(name, func(t *testing.T) { t.Parallel(); cancelled(t, s, call) })
	}
	for name, call := range calls(s, largeBytes, 20, inFlight) {
		t.Run(name+", large", func(t *testing.T) { t.Parallel(); cancelled(t, s, call) })
	}
}

func cancelled(t *testing.T, s stack.Stack, call stack.Call) {
	gate := newGate()
	defer gate.open()
	r := newRig(t, s, stack.NetworkTCP, stack.SecurityPlaintext, gate.reply)
	all := callers(t, r.dial(stack.CompressionNone, inFlight), call, inFlight)
	gate.shut(t, s, all[:1])
	ctx, cancel := context.WithCancel(t.Context())
	waiting := start(ctx, all)
	gate.await(t, waiting)
	cancel()
	wantAll(t, "cancelled", <-waiting, stack.Canceled)
	gate.open()
	wantAll(t, "with a new context", callAll(t.Context(), all), stack.OK)
}

// endedContext ends the context of calls that are over, while calls with the next one run.
func endedContext(t *testing.T, s stack.Stack) {
	t.Parallel()
	call, ok := calls(s, 10, 10, 1)[stack.KindUnary]
	if !ok {
		t.Skip("it has no unary calls")
	}
	r := newRig(t, s, stack.NetworkTCP, stack.SecurityPlaintext, reply)
	one := callers(t, r.ready(t, stack.CompressionNone, 1), call, 1)
	for round := range 300 {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		ended := make(chan struct{})
		context.AfterFunc(ctx, func() { close(ended) })
		wantAll(t, "with a context of its own", callAll(ctx, one), stack.OK)
		cancel()
		if round%2 == 0 { // what follows the context has most likely run before the next call
			<-ended
		}
	}
}

// stop ends a server that has idle connections.
func stop(t *testing.T, s stack.Stack) {
	t.Parallel()
	r := newRig(t, s, stack.NetworkTCP, stack.SecurityPlaintext, reply)
	for _, call := range calls(s, 10, 10, inFlight) {
		if call.Kind == stack.KindUnary {
			all := callers(t, r.ready(t, stack.CompressionNone, inFlight), call, inFlight)
			wantAll(t, "before", callAll(t.Context(), all), stack.OK)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	if err := r.server.Stop(ctx); err != nil {
		t.Errorf("Stop: %v", err)
	}
	if ctx.Err() != nil {
		t.Errorf("Stop waited for idle connections")
	}
	if _, err := r.listener.Accept(); err == nil {
		t.Error("the listener still accepts after Stop")
	}
}

// refuse requests what does not exist.
func refuse(t *testing.T, s stack.Stack) {
	t.Parallel()
	r := newRig(t, s, stack.NetworkTCP, stack.SecurityPlaintext, reply)
	for what, change := range map[string]func(*stack.DialConfig){
		"option":      func(c *stack.DialConfig) { c.Options = map[string]string{"nonsense": "1"} },
		"network":     func(c *stack.DialConfig) { c.Network = "pigeon" },
		"compression": func(c *stack.DialConfig) { c.Compression = "squeeze" },
		"in_flight":   func(c *stack.DialConfig) { c.InFlight = 0 },
	} {
		config := r.dialConfig(stack.CompressionNone, 1)
		change(&config)
		if _, err := s.Dial(t.Context(), config); stack.CodeOf(err) != stack.InvalidArgument {
			t.Errorf("Dial with a wrong %s: %v, want INVALID_ARGUMENT", what, err)
		}
	}
	for _, o := range s.Info().Options {
		wrong := map[string]string{o.Name: "no such value"}
		if o.TakesText() || !o.Client {
			continue
		}
		config := r.dialConfig(stack.CompressionNone, 1)
		config.Options = wrong
		if _, err := s.Dial(t.Context(), config); stack.CodeOf(err) != stack.InvalidArgument {
			t.Errorf("Dial with a wrong %s: %v, want INVALID_ARGUMENT", o.Name, err)
		}
	}
	_, err := s.Serve(stack.ServeConfig{Listener: r.listener, Options: map[string]string{"nonsense": "1"}})
	if stack.CodeOf(err) != stack.InvalidArgument {
		t.Errorf("Serve with a wrong option: %v, want INVALID_ARGUMENT", err)
	}
	if _, err := r.dial(stack.CompressionNone, 1).Caller(stack.Call{Kind: "nonsense"}, 0); err == nil {
		t.Error("Caller of an unknown kind: no error")
	}
}

// A gate holds a server's replies back from when it is shut until it is opened.
type gate struct {
	closed  atomic.Bool
	entered chan struct{} // receives once a reply is held back
	release chan struct{}
}

func newGate() *gate {
	return &gate{entered: make(chan struct{}, 1), release: make(chan struct{})}
}

func (g *gate) reply(n int) []byte {
	if g.closed.Load() {
		select {
		case g.entered <- struct{}{}:
		default:
		}
		<-g.release
	}
	return reply(n)
}

// shut holds replies back from now on, once calls on their connection have settled. A server of tcp asks for a connection's reply
// once, so that its first call has to be held back, and nothing needs to settle.
func (g *gate) shut(t *testing.T, s stack.Stack, all []stack.Caller) {
	t.Helper()
	if s.Info().Multiplexed {
		settle(t, all)
	}
	g.closed.Store(true)
}

// await waits until the server has a call, before all have ended.
func (g *gate) await(t *testing.T, ended <-chan []error) {
	t.Helper()
	select {
	case <-g.entered:
	case all := <-ended:
		t.Fatalf("the calls ended before the server had one: %v", all)
	}
}

// open opens the gate, once.
func (g *gate) open() {
	select {
	case <-g.release:
	default:
		close(g.release)
	}
}

func start(ctx context.Context, all []stack.Caller) <-chan []error {
	ended := make(chan []error, 1)
	go func() { ended <- callAll(ctx, all) }()
	return ended
}

func wantAll(t testing.TB, when string, all []error, want stack.Code) {
	t.Helper()
	for slot, err := range all {
		if got := stack.CodeOf(err); got != want {
			t.Errorf("%s: slot %d: %v, want %v", when, slot, err, want)
		}
	}
}

// settle calls until all calls are OK, those of a new connection, or after its server came back. The first may fail on a busy
// machine: net/http's server closes an HTTP/2 connection whose settings have not come within 2 s.
func settle(t *testing.T, all []stack.Caller) {
	t.Helper()
	for end := time.Now().Add(limit); ; {
		failed := slices.DeleteFunc(callAll(t.Context(), all), func(err error) bool { return err == nil })
		if len(failed) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the calls still fail: %v", failed)
		}
		time.Sleep(10 * time.Millisecond) // the stack's own wait before it connects again is longer
	}
}
