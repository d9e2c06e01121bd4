package qps

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"
)

// A dumb stream answers as its script says, and after that not at all.
type dumb struct {
	grpc.BidiStreamingClient[testpb.ServerArgs, testpb.ServerStatus]

	ctx    context.Context //nolint:containedctx // the stream's
	script chan error      // an answer each, or an end
	closed chan struct{}
}

func (s *dumb) Send(*testpb.ServerArgs) error { return nil }
func (s *dumb) CloseSend() error              { close(s.closed); return nil }

func (s *dumb) Recv() (*testpb.ServerStatus, error) {
	select {
	case err := <-s.script:
		return &testpb.ServerStatus{}, err
	case <-s.ctx.Done():
		return nil, status.FromContextError(s.ctx.Err()).Err()
	}
}

// opened is a line on a dumb stream.
func opened(t *testing.T, script ...error) (*line[testpb.ServerArgs, testpb.ServerStatus], error) {
	t.Helper()
	s := &dumb{script: make(chan error, len(script)), closed: make(chan struct{})}
	for _, err := range script {
		s.script <- err
	}
	l, _, err := open(t.Context(), Worker{"qps", "there:1"},
		func(ctx context.Context, _ ...grpc.CallOption) (grpc.BidiStreamingClient[testpb.ServerArgs, testpb.ServerStatus], error) {
			s.ctx = ctx
			return s, nil
		}, &testpb.ServerArgs{})
	return l, err
}

func want(t *testing.T, err error, text string) {
	t.Helper()
	if text == "" && err != nil || text != "" && (err == nil || !strings.Contains(err.Error(), text)) {
		t.Errorf("got %v, want %q", err, text)
	}
}

// An answer that comes too late is no other question's.
func TestALineIsOverWhenAnAnswerIsLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		_, err := opened(t)
		want(t, err, "at there:1 did not answer within 1m0s")
		l, err := opened(t, nil)
		want(t, err, "")
		for range 2 {
			_, err = l.ask(&testpb.ServerArgs{})
			want(t, err, "at there:1 did not answer within 1m0s")
		}
		if took := time.Since(begun); took != 2*time.Minute {
			t.Errorf("it took %v, want a minute for each of two lines", took)
		}
	})
}

func TestTheEndOfALineIsHeard(t *testing.T) {
	t.Parallel()
	for text, script := range map[string][]error{
		"":                        {nil, io.EOF},
		"is gone: Unavailable: x": {nil, status.Error(codes.Unavailable, "x")},
	} {
		l, err := opened(t, script...)
		want(t, err, "")
		want(t, l.close(), text)
	}
	canceled, err := opened(t, nil, nil, status.Error(codes.Canceled, "as asked")) // with an answer of no question
	want(t, err, "")
	want(t, canceled.close(), "")
}

// All that a worker does after its last command is over before its process would be killed for it.
func TestAWorkerThatDoesNotComeToRestIsCutOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cut := context.WithCancelCause(t.Context())
		stream := &dumb{script: make(chan error, 1), closed: make(chan struct{})}
		stream.script <- nil
		l, _, err := open(ctx, Worker{"qps", "there:1"},
			func(ctx context.Context, _ ...grpc.CallOption) (grpc.BidiStreamingClient[testpb.ServerArgs, testpb.ServerStatus], error) {
				stream.ctx = ctx
				return stream, nil
			}, &testpb.ServerArgs{})
		want(t, err, "")
		s := &session{ctx: ctx, cut: cut, worker: Worker{"qps", "there:1"}, server: &server{line: l}}
		begun := time.Now()
		want(t, s.rest(), "did not end the run within 20s")
		if took := time.Since(begun); took != 20*time.Second {
			t.Errorf("it took %v", took)
		}
		<-stream.closed // as asked before
		if !errors.Is(ctx.Err(), context.Canceled) {
			t.Error("the session goes on")
		}
	})
}

// The CPU time of a worker on an unknown machine is not attributed to this machine.
func TestAWorkersHostIsThisMachineOnlyHere(t *testing.T) {
	t.Parallel()
	for host, here := range map[string]bool{"localhost": true, "127.0.0.1": true, "::1": true, "bench-7": false, "10.0.0.1": false} {
		if h := hostOf(host); (h.ID == "") != here || h.Unwatched == here {
			t.Errorf("%s is %+v", host, h)
		}
	}
}
