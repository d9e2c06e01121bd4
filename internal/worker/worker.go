// Package worker is the worker's side of worker.v1 for the stacks of this binary: Commands in, Events out.
//
// A worker is a server or a client, for one trial, in its own process. It hosts adapters, gives them counted sockets, runs
// the load loop over their Callers and reports what was recorded. It answers a Command that it can't carry out exactly with
// a Fault, and ignores nothing.
package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/pprof"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/relay"
)

// Run obeys the commands on in until it ends, and then ends what runs. The error says why the conversation broke off;
// nil is the end of input.
func Run(ctx context.Context, in io.Reader, out io.Writer, stacks []stack.Stack, options ...Option) error {
	return run(ctx, in, out, hello(stacks), stacks, options)
}

// RunTethered is Run of a worker that ends, too, when nothing has come for TetherLength. One that can't end by itself then,
// because nobody takes what it says, is ended by abandon.
func RunTethered(
	ctx context.Context, in io.Reader, out io.Writer, stacks []stack.Stack, abandon func(), options ...Option,
) error {
	said := hello(stacks)
	said.KeepAliveNs = TetherLength.Nanoseconds()
	return run(ctx, &last{in: Tether(in, TetherLength), abandon: abandon}, out, said, stacks, options)
}

// exitGrace is how long a worker may take to end after its input has.
const exitGrace = 5 * time.Second

// A last sees the end of an input.
type last struct {
	in      io.Reader
	abandon func()
}

// Read implements io.Reader.
func (l *last) Read(b []byte) (int, error) {
	n, err := l.in.Read(b)
	if err != nil {
		time.AfterFunc(exitGrace, l.abandon)
	}
	return n, err
}

func run(
	ctx context.Context, in io.Reader, out io.Writer, said *control.Hello, stacks []stack.Stack, options []Option,
) error {
	ctx, cancel := context.WithCancel(ctx)
	w := &worker{ctx: ctx, events: control.NewEventWriter(out), stacks: stacks, wire: newWire()}
	defer w.end(cancel)
	for _, option := range options {
		option(w)
	}
	said.Programs, said.Proxies = w.programs != nil, w.programs != nil
	if err := w.events.Write(said); err != nil {
		return fmt.Errorf("say hello: %w", err)
	}
	commands := control.NewCommandReader(in)
	for {
		command, err := commands.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read a command: %w", err)
		}
		if err := w.obey(command); err != nil {
			return fmt.Errorf("answer a command: %w", err)
		}
	}
}

type worker struct {
	ctx    context.Context // of the whole conversation
	events *control.EventWriter
	stacks []stack.Stack
	wire   *wire
	server stack.Server // nil before Serve
	client *client      // of the last Connect; nil before one, and where it failed
	relay  *relay.Relay // nil before Relay

	programs Programs // that it can start; nil is none
	program  Program  // instead of a server; nil where there is none
	abandon  func()   // ends this process when the program has ended

	profiler *profiler               // nil where no profile is being made
	watched  func() *control.Watched // ends the watch of the host; nil where there is none
}

// obey carries a command out and answers it, but for a phase, which answers when it is over.
func (w *worker) obey(command *control.Command) error {
	answer, err := w.answer(command)
	var fault *control.FaultError
	switch {
	case errors.As(err, &fault):
		return w.events.Write(&control.Fault{Field: fault.Field, Message: fault.Message})
	case err != nil:
		return w.events.Write(&control.Fault{Message: err.Error()})
	case answer == nil:
		return nil
	}
	return w.events.Write(answer)
}

func (w *worker) answer(command *control.Command) (any, error) {
	switch c := control.Unwrap(command).(type) {
	case *control.Serve:
		return orNil(w.serve(c))
	case *control.Connect:
		return orNil(w.connect(c))
	case *control.Begin:
		return nil, w.begin(c)
	case *control.Mark:
		return w.snapshot(c), nil
	case *control.Stop:
		if w.client != nil {
			w.client.stop(c)
		}
		return nil, nil
	case *control.Profile:
		return w.profile(c)
	case *control.Dump:
		return w.dump(c)
	case *control.Relay:
		return orNil(w.relays(c))
	case *control.Watch:
		return orNil(w.watch(c))
	default:
		return nil, control.Faultf("command", "this worker does not know the command")
	}
}

// orNil keeps a nil *T from turning into an any that is not nil.
func orNil[T any](answer *T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// end stops what runs, within the five seconds that the protocol allows.
func (w *worker) end(cancel context.CancelFunc) {
	cancel()
	if w.watched != nil {
		w.watched()
	}
	if w.profiler != nil {
		pprof.StopCPUProfile()
	}
	if w.program != nil {
		w.program.Close()
	}
	if w.client != nil {
		w.client.close()
	}
	if w.server != nil {
		ctx, done := context.WithTimeout(context.Background(), stack.StopGrace)
		defer done()
		_ = w.server.Stop(ctx) // nobody is left to hear of it
	}
	if w.relay != nil {
		w.relay.Close()
	}
}

// idle refuses a command where the worker has a role already.
func (w *worker) idle(command string) error {
	if w.server != nil || w.program != nil || w.client != nil || w.relay != nil || w.watched != nil {
		return control.Faultf(command, "this worker is busy with an earlier Serve, Connect, Relay or Watch")
	}
	return nil
}

// find returns the stack of a name.
func (w *worker) find(command, name string) (stack.Stack, error) {
	for _, s := range w.stacks {
		if s.Info().Name == name {
			return s, nil
		}
	}
	return nil, control.Faultf(command+".stack", "this worker has no stack %q", name)
}
