package service_test

import (
	"context"
	"errors"
	"io"
	"testing"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/service"
)

// A pipe is a stream on which each direction waits for the test.
type pipe struct {
	in  chan *testpb.SimpleRequest
	out chan *testpb.SimpleResponse
}

func newPipe() pipe {
	return pipe{make(chan *testpb.SimpleRequest), make(chan *testpb.SimpleResponse)}
}

func (p pipe) Recv() (*testpb.SimpleRequest, error) {
	if message, ok := <-p.in; ok {
		return message, nil
	}
	return nil, io.EOF
}

func (p pipe) Send(answer *testpb.SimpleResponse) error {
	p.out <- answer
	return nil
}

// What is sent waits for nothing but the first message, and what is received for nothing that is sent.
func TestNeitherDirectionWaitsForTheOther(t *testing.T) {
	t.Parallel()
	const count = 3
	ended := make(chan error, 1)
	ahead := newPipe()
	go func() { ended <- service.AnswerBothWays(ahead, "3", respond) }()
	ahead.in <- asked("a", 1)
	for range count {
		if body := (<-ahead.out).GetPayload().GetBody(); string(body) != "a" {
			t.Errorf("the server sent %q, want a", body)
		}
	}
	ahead.in <- asked("b", 1)
	close(ahead.in)
	if err := <-ended; err != nil {
		t.Error(err)
	}

	behind := newPipe()
	go func() { ended <- service.AnswerBothWays(behind, "3", respond) }()
	for range count {
		behind.in <- asked("a", 1)
	}
	close(behind.in)
	for range count {
		<-behind.out
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestBothWaysWithoutANumberEndsWhenTheClientHasSentAll(t *testing.T) {
	t.Parallel()
	p, ended := newPipe(), make(chan error, 1)
	go func() { ended <- service.AnswerBothWays(p, "", respond) }()
	p.in <- asked("a", 1)
	for range 10 {
		<-p.out
	}
	close(p.in)
	for {
		select {
		case <-p.out:
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
			return
		}
	}
}

func TestBothWaysFailsWithItsStreamOrItsRequest(t *testing.T) {
	t.Parallel()
	if err := service.AnswerBothWays(&tape{}, "x", respond); stack.CodeOf(err) != stack.InvalidArgument {
		t.Errorf("got %v, want INVALID_ARGUMENT", err)
	}
	if err := service.AnswerBothWays(&tape{end: io.EOF}, "3", respond); err != nil {
		t.Errorf("an empty stream: %v", err)
	}
	refused := &tape{in: []*testpb.SimpleRequest{asked("a", -1)}, end: io.EOF}
	if err := service.AnswerBothWays(refused, "3", respond); stack.CodeOf(err) != stack.InvalidArgument {
		t.Errorf("got %v, want INVALID_ARGUMENT", err)
	}
	gone := &tape{in: []*testpb.SimpleRequest{asked("a", 1)}, end: errGone, most: 2}
	if err := service.AnswerBothWays(gone, "3", respond); !errors.Is(err, errGone) {
		t.Errorf("got %v", err)
	}
}

// A calling is a client's stream of a server that sends without end, or ends at once.
type calling struct {
	ctx  context.Context //nolint:containedctx // the stream's
	sent chan struct{}
	got  int
	ends bool
}

func (c *calling) Send(*testpb.SimpleRequest) error {
	select {
	case c.sent <- struct{}{}:
		return nil
	case <-c.ctx.Done():
		return io.EOF
	}
}

func (c *calling) CloseSend() error { close(c.sent); return nil }

func (c *calling) Recv() (*testpb.SimpleResponse, error) {
	if c.ends {
		return nil, io.EOF
	}
	c.got++
	return &testpb.SimpleResponse{}, nil
}

// callBothWays makes a call of three messages.
func callBothWays(t *testing.T, open *calling) (call, after error) {
	t.Helper()
	call3 := stack.Call{Kind: stack.KindBothWays, Messages: 3}
	client := service.Client[testpb.SimpleRequest, testpb.SimpleResponse]{
		BothWays: func(ctx context.Context) (service.Streaming[testpb.SimpleRequest, testpb.SimpleResponse], error) {
			open.ctx = ctx
			return open, nil
		},
		Failure: func(ctx context.Context, err error) error { return stack.Failure(ctx, stack.Internal, err) },

		Messages: service.Benchmark(call3),
	}
	caller := service.NewCaller(&stack.PingPong{}, client, call3, 0, 1)
	call = caller.Call(t.Context())
	return call, caller.After()
}

// A server that knows no number is read so far and left, but not before the client has sent its messages too.
func TestAClientLeavesAServerThatSendsWithoutEnd(t *testing.T) {
	t.Parallel()
	open, sent := &calling{sent: make(chan struct{})}, make(chan int)
	go func() {
		n := 0
		for range open.sent {
			n++
		}
		sent <- n
	}()
	call, after := callBothWays(t, open)
	if call != nil || after != nil {
		t.Errorf("the call: %v, after it: %v", call, after)
	}
	if n := <-sent; n != 3 || open.got != 4 {
		t.Errorf("%d messages were sent and %d read, want 3 and 4", n, open.got)
	}
}

// A server that ends the stream early leaves replies out, which is no good call.
func TestAServerThatSendsTooFewIsAMismatch(t *testing.T) {
	t.Parallel()
	open := &calling{sent: make(chan struct{}, 3), ends: true}
	if call, after := callBothWays(t, open); call != nil || stack.CodeOf(after) != stack.Mismatch {
		t.Errorf("the call: %v, after it: %v, want MISMATCH", call, after)
	}
}
