package qpsworker_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"

	"rpcbench/internal/run/qpsworker"
)

// A silent driver opens a stream and says nothing on it.
type silent struct {
	testpb.WorkerService_RunClientServer

	ctx context.Context //nolint:containedctx // the stream's
}

func (s *silent) Context() context.Context { return s.ctx }

func (s *silent) Recv() (*testpb.ClientArgs, error) {
	<-s.ctx.Done()
	return nil, s.ctx.Err()
}

// hasty immediately asks for something unsupported.
type hasty struct{ silent }

func (*hasty) Recv() (*testpb.ClientArgs, error) { return &testpb.ClientArgs{}, nil }

// A silent driver does not block the worker, and is told to go.
func TestADriverThatSaysNothingHasNoWorker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := qpsworker.Register(grpc.NewServer(), qpsworker.Config{Stack: "grpc-go"})
		begun, refused := time.Now(), make(chan error, 1)
		go func() { refused <- w.RunClient(&silent{ctx: ctx}) }()
		synctest.Wait()
		if err := w.RunClient(&hasty{silent{ctx: ctx}}); status.Code(err) != codes.InvalidArgument {
			t.Errorf("the other driver got %v, want that its setup is missing", err)
		}
		if err := <-refused; status.Code(err) != codes.DeadlineExceeded || time.Since(begun) != 30*time.Second {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
	})
}
