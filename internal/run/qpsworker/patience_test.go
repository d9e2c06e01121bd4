package qpsworker_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/qpsworker"
	"rpcbench/internal/worker/control"
)

// A hung worker process connects, begins a phase, and never says how it ended.
type hung struct {
	io.Reader
	io.WriteCloser

	intervals int // that it sends first
	killed    chan struct{}
	once      sync.Once
}

// Launch implements launch.Launcher with the process itself.
func (h *hung) Launch(context.Context, launch.Order) (launch.Process, error) {
	in, commands := io.Pipe()
	events, out := io.Pipe()
	h.Reader, h.WriteCloser, h.killed = events, commands, make(chan struct{})
	go func() {
		defer out.Close()
		h.play(control.NewCommandReader(in), control.NewEventWriter(out))
		<-h.killed
	}()
	return h, nil
}

func (h *hung) play(commands *control.CommandReader, events *control.EventWriter) {
	err := events.Write(&control.Hello{Protocol: control.Version, Stacks: []*control.StackInfo{{Name: "grpc-go"}}})
	for err == nil {
		var command *control.Command
		if command, err = commands.Read(); err != nil {
			return
		}
		switch control.Unwrap(command).(type) {
		case *control.Connect:
			err = events.Write(&control.Connected{})
		case *control.Mark:
			err = events.Write(&control.Snapshot{})
		case *control.Begin:
			for range h.intervals {
				err = events.Write(&control.Interval{})
			}
		}
	}
}

func (h *hung) Host() launch.Host { return launch.Host{} }
func (h *hung) LastWords() string { return "" }
func (h *hung) Kill()             { h.once.Do(func() { close(h.killed) }) }
func (h *hung) Wait() error {
	<-h.killed
	return &launch.KilledError{Err: errors.New("killed")}
}

// A prompted driver says its messages, and goes then, if it goes.
type prompted struct {
	testpb.WorkerService_RunClientServer

	ctx      context.Context //nolint:containedctx // the stream's
	messages []*testpb.ClientArgs
	goes     bool
}

func (p *prompted) Context() context.Context        { return p.ctx }
func (p *prompted) Send(*testpb.ClientStatus) error { return nil }

func (p *prompted) Recv() (*testpb.ClientArgs, error) {
	if len(p.messages) > 0 {
		message := p.messages[0]
		p.messages = p.messages[1:]
		return message, nil
	}
	if p.goes {
		return nil, io.EOF
	}
	<-p.ctx.Done()
	return nil, p.ctx.Err()
}

// hasty is a driver that immediately asks for something unsupported.
func hasty(ctx context.Context) *prompted {
	return &prompted{ctx: ctx, messages: []*testpb.ClientArgs{{}}}
}

// A silent driver does not block the worker, and is told to go.
func TestADriverThatSaysNothingHasNoWorker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := qpsworker.Register(grpc.NewServer(), qpsworker.Config{Stack: "grpc-go"})
		begun, refused := time.Now(), make(chan error, 1)
		go func() { refused <- w.RunClient(&prompted{ctx: ctx}) }()
		synctest.Wait()
		if err := w.RunClient(hasty(ctx)); status.Code(err) != codes.InvalidArgument {
			t.Errorf("the other driver got %v, want that its setup is missing", err)
		}
		if err := <-refused; status.Code(err) != codes.DeadlineExceeded || time.Since(begun) != 30*time.Second {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
	})
}

// A driver that waits for a frozen process is told so in the end, and the worker is free again.
func TestAHungProcessIsGivenUp(t *testing.T) {
	t.Parallel()
	marks := []*testpb.ClientArgs{setUp(clientConfig("127.0.0.1:1")), {Argtype: &testpb.ClientArgs_Mark{Mark: &testpb.Mark{}}}}
	for name, c := range map[string]struct {
		intervals int
		messages  []*testpb.ClientArgs
		goes      bool
	}{
		"it never begins, at a mark": {0, marks, false},
		"it never ends, at a mark":   {1, marks, false},
		"it never begins, at an end": {0, marks[:1], true},
		"it never ends, at an end":   {1, marks[:1], true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				w := qpsworker.Register(grpc.NewServer(), qpsworker.Config{
					Stack: "grpc-go", Launcher: &hung{intervals: c.intervals}, Note: func(string) {},
				})
				begun := time.Now()
				over := make(chan error, 1)
				go func() { over <- w.RunClient(&prompted{ctx: ctx, messages: c.messages, goes: c.goes}) }()
				select {
				case err := <-over:
					if status.Code(err) != codes.Internal || !strings.Contains(err.Error(), "does not end its round: 2m0s have passed") {
						t.Errorf("after %v: %v", time.Since(begun), err)
					}
				case <-time.After(time.Hour):
					t.Error("the driver still waits after an hour")
					cancel()
					<-over
				}
				if err := w.RunClient(hasty(t.Context())); status.Code(err) != codes.InvalidArgument {
					t.Errorf("the next driver got %v, want that its setup is missing", err)
				}
			})
		})
	}
}
