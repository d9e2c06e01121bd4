package qps

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/patience"
)

// A session obeys the commands of worker.v1 by those of a worker.
type session struct {
	ctx    context.Context // ends when the process is killed
	cut    context.CancelCauseFunc
	worker Worker
	api    testpb.WorkerServiceClient
	events *control.EventWriter
	cores  int
	server *server    // nil before Serve
	client *client    // nil before Connect
	broken chan error // why the worker is gone
	phases sync.WaitGroup
}

// run obeys until the commands end, or the worker is gone, and brings the worker to rest. No event is cut off by its end.
func (s *session) run(stack string, in *io.PipeReader) error {
	if err := s.events.Write(hello(stack, s.cores)); err != nil {
		return err
	}
	var ended error
	obeyed := make(chan struct{})
	go func() { ended = s.obeyAll(control.NewCommandReader(in)); close(obeyed) }()
	defer s.phases.Wait()
	select {
	case <-obeyed:
		return errors.Join(ended, s.rest())
	case err := <-s.broken:
		s.cut(nil)
		_ = in.CloseWithError(errAtRest)
		<-obeyed
		return err
	case <-s.ctx.Done():
		_ = in.CloseWithError(errAtRest)
		<-obeyed
		return nil
	}
}

// errAtRest is why a command is given in vain.
var errAtRest = errors.New("the worker is at rest")

func (s *session) obeyAll(commands *control.CommandReader) error {
	for {
		command, err := commands.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		answer, err := s.answer(command)
		if fault, ok := errors.AsType[*control.FaultError](err); ok {
			answer, err = &control.Fault{Field: fault.Field, Message: fault.Message}, nil
		}
		if err != nil {
			return err
		}
		if answer != nil {
			if err := s.events.Write(answer); err != nil {
				return err
			}
		}
	}
}

// answer executes a command. A nil answer comes later or never. An error that is not a fault ends the session.
func (s *session) answer(command *control.Command) (any, error) {
	switch c := control.Unwrap(command).(type) {
	case *control.Serve:
		return answered(s.serve(c))
	case *control.Connect:
		return answered(s.connect(c))
	case *control.Begin:
		return nil, s.begin(c)
	case *control.Mark:
		return answered(s.mark())
	case *control.Stop:
		if s.client != nil {
			s.client.stop()
		}
		return nil, nil
	case *control.Profile:
		return nil, control.Faultf("profile", "a benchmark worker of gRPC can't be profiled over its protocol")
	case *control.Dump:
		return nil, control.Faultf("dump", "a benchmark worker of gRPC can't be asked what its threads do")
	default:
		return nil, control.Faultf("command", "a benchmark worker of gRPC is a server or a client and nothing else")
	}
}

// answered keeps a nil *T from turning into an any that is not nil.
func answered[T any](answer *T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// idle refuses a command where the worker has a role already.
func (s *session) idle(command string) error {
	if s.server != nil || s.client != nil {
		return control.Faultf(command, "the worker is busy with an earlier Serve or Connect")
	}
	return nil
}

// lose ends the session because the worker is gone.
func (s *session) lose(err error) {
	select {
	case s.broken <- err:
	default:
	}
}

// rest makes the worker end its role, starting with a running phase. What takes too long is cut off.
func (s *session) rest() error {
	late := patience.AfterFunc(time.Now, restPatience, func() {
		s.cut(&lateError{fmt.Sprintf("%s did not end the run within %v", s.worker, restPatience)})
	})
	defer late.Stop()
	switch {
	case s.client != nil:
		s.client.stop()
		s.phases.Wait() // it may ask the worker still
		return s.client.close()
	case s.server != nil:
		return s.server.line.close()
	default:
		return nil
	}
}

// mark answers with what the worker used since its role began.
func (s *session) mark() (*control.Snapshot, error) {
	switch {
	case s.client != nil:
		return s.client.snapshot(), nil
	case s.server != nil:
		return s.server.mark()
	default:
		return &control.Snapshot{}, nil
	}
}
