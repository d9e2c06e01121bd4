package qpsworker

import (
	"context"
	"errors"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/patience"
)

// A role is what a driver has made of the worker. Its methods are never called concurrently.
type role[A any] interface {
	// start starts the role in a worker process, and returns the first message to the driver.
	start(ctx context.Context, process *launch.Worker) (*A, error)
	// mark returns the statistics since the last reset.
	mark(ctx context.Context, reset bool) (*A, error)
	// end has the process do nothing more.
	end(ctx context.Context) error
}

// setupPatience limits the time from opening a stream to the set-up message. A silent driver gets no worker and blocks no other
// driver.
const setupPatience = 30 * time.Second

// run plays a role until the driver ends it, or is gone: then nothing of it is left.
func run[Q, A any](
	w *Worker, stream grpc.BidiStreamingServer[Q, A],
	roleOf func(*Q) (role[A], []int, error), markOf func(*Q) *testpb.Mark,
) error {
	said := receive(stream)
	setup, err := said.first(stream.Context())
	if err != nil {
		return ended(err)
	}
	select {
	case w.busy <- struct{}{}:
		defer func() { <-w.busy }()
	default:
		return status.Error(codes.ResourceExhausted, "this worker is a server or a client of another driver")
	}
	played, processors, err := roleOf(setup)
	if err != nil {
		return err
	}
	process, err := launch.Start(stream.Context(), w.config.Launcher, launch.Order{
		Stack: w.config.Stack, CPUs: processors, JVMOptions: w.config.JVMOptions,
	})
	if err != nil {
		return status.Errorf(codes.Internal, "the worker of %s: %v", w.config.Stack, err)
	}
	if err := play(stream, said, played, process, markOf); err != nil {
		_ = process.Abort() // err says more
		return err
	}
	if err := process.Close(); err != nil {
		return status.Errorf(codes.Internal, "the worker of %s did not end well: %v; its last words: %s", w.config.Stack, err,
			process.LastWords())
	}
	return nil
}

// play answers the driver's messages to the last. A process that ends by itself ends the role.
func play[Q, A any](
	stream grpc.BidiStreamingServer[Q, A], said received[Q], played role[A], process *launch.Worker,
	markOf func(*Q) *testpb.Mark,
) error {
	ctx, cancel := context.WithCancelCause(stream.Context())
	defer cancel(nil)
	answer, err := played.start(ctx, process)
	if err != nil {
		return refusal(err)
	}
	if err := stream.Send(answer); err != nil {
		return err
	}
	for {
		select {
		case message := <-said.messages:
			mark := markOf(message)
			if mark == nil {
				return status.Error(codes.InvalidArgument, "a second setup: a stream has one role, and this one is played")
			}
			if answer, err = played.mark(ctx, mark.GetReset_()); err != nil {
				return refusal(err)
			}
			if err := stream.Send(answer); err != nil {
				return err
			}
		case err := <-said.over:
			if err = ended(err); err != nil {
				return err
			}
			if err = played.end(ctx); err != nil {
				return refusal(err)
			}
			return nil
		case <-process.Ended():
			return status.Errorf(codes.Internal, "the process that did the work ended by itself; its last words: %s", process.LastWords())
		}
	}
}

// received returns the messages of a driver until their end.
type received[Q any] struct {
	messages <-chan *Q
	over     <-chan error
}

func receive[Q, A any](stream grpc.BidiStreamingServer[Q, A]) received[Q] {
	messages, over := make(chan *Q), make(chan error, 1)
	go func() {
		for {
			message, err := stream.Recv()
			if err != nil {
				over <- err
				return
			}
			select {
			case messages <- message:
			case <-stream.Context().Done(): // of a handler that has returned, too
				return
			}
		}
	}()
	return received[Q]{messages, over}
}

// first waits for the first message.
func (r received[Q]) first(ctx context.Context) (*Q, error) {
	waiting, cancel := patience.WithTimeout(ctx, setupPatience)
	defer cancel()
	select {
	case message := <-r.messages:
		return message, nil
	case err := <-r.over:
		return nil, err
	case <-waiting.Done():
		return nil, status.Errorf(codes.DeadlineExceeded, "the driver did not say within %v what this worker is to be", setupPatience)
	}
}

// ended makes a good end of the driver's half-close.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// refusal makes a status that names the unsupported setting.
func refusal(err error) error {
	if fault, ok := errors.AsType[*control.FaultError](err); ok {
		return status.Error(codes.InvalidArgument, fault.Error())
	}
	return status.Error(codes.Internal, err.Error())
}
