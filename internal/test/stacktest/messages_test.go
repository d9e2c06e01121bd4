package stacktest_test

import (
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/stack/grpcwire"
	"rpcbench/internal/test/sockettest"
	"rpcbench/internal/worker/load"
)

// In virtual time nothing but a script takes time, so that every time is known exactly.

const ms = time.Millisecond

// A scripted is a BenchmarkService whose replies come when a test's script says.
type scripted struct {
	testpb.UnimplementedBenchmarkServiceServer

	download func(send func()) error
	stream   func(i int, receive func() error, send func()) error // message i is to be received
	upload   error                                                // that it ends with at once; nil takes all
	came     []time.Duration                                      // messages of an upload, since the stream began
}

func (s *scripted) StreamingFromServer(_ *testpb.SimpleRequest, out testpb.BenchmarkService_StreamingFromServerServer) error {
	return s.download(func() { _ = out.Send(&testpb.SimpleResponse{}) })
}

func (s *scripted) StreamingCall(both testpb.BenchmarkService_StreamingCallServer) error {
	receive := func() error { _, err := both.Recv(); return err }
	for i := 0; ; i++ {
		err := s.stream(i, receive, func() { _ = both.Send(&testpb.SimpleResponse{}) })
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *scripted) StreamingFromClient(in testpb.BenchmarkService_StreamingFromClientServer) error {
	begun := time.Now()
	for s.upload == nil {
		_, err := in.Recv()
		if errors.Is(err, io.EOF) {
			return in.SendAndClose(&testpb.SimpleResponse{})
		}
		if err != nil {
			return err
		}
		s.came = append(s.came, time.Since(begun))
	}
	return s.upload
}

// times records the reported times of messages.
type times struct {
	mu   sync.Mutex
	told map[stack.MessageTime][]time.Duration
}

func (s *times) record(_ int, of stack.MessageTime, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told[of] = append(s.told[of], took)
}

// The clients that call methods, by Caller and by Pipeline.
var clients = map[string]struct {
	stack    stack.Stack
	pipeline bool
}{
	"grpc-go": {grpcgo.New(), false}, "grpc-wire": {grpcwire.New(), false}, "grpc-wire pipeline": {grpcwire.New(), true},
}

// A client makes calls of a scripted server's method.
type client struct {
	call   func() error
	method *stack.Method
	times  *times
}

// empty is a method's one request, of one message.
type empty struct{}

func (empty) Constant() ([]byte, bool)                           { return nil, true }
func (empty) Messages(uint64) int                                { return 1 }
func (empty) Append(dst []byte, _ uint64, _ int) ([]byte, error) { return dst, nil }

// spoiled is a request whose second message can't be made.
type spoiled struct{ empty }

func (spoiled) Constant() ([]byte, bool) { return nil, false }

func (spoiled) Append(dst []byte, _ uint64, i int) ([]byte, error) {
	if i > 0 {
		return dst, errors.New("it does not fit")
	}
	return dst, nil
}

// scripts runs a test with every client, in virtual time.
func scripts(
	t *testing.T, kind string, messages int, perSec float64, serve func() *scripted, test func(*testing.T, *scripted, client),
) {
	t.Helper()
	scriptsOf(t, empty{}, kind, messages, perSec, serve, test)
}

func scriptsOf(
	t *testing.T, requests stack.Requests, kind string, messages int, perSec float64, serve func() *scripted,
	test func(*testing.T, *scripted, client),
) {
	t.Helper()
	for name, c := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				script := serve()
				s := &times{told: map[stack.MessageTime][]time.Duration{}}
				method := &stack.Method{Path: pathOf(kind), Requests: requests, Clock: clock(t, perSec, s)}
				conn := dial(t, c.stack, listen(t, script))
				call := stack.Call{Kind: kind, Messages: messages, Method: method}
				test(t, script, client{call: caller(t, conn, call, c.pipeline), method: method, times: s})
			})
		})
	}
}

func pathOf(kind string) string {
	return "/grpc.testing.BenchmarkService/" + map[string]string{
		stack.KindDownload: "StreamingFromServer", stack.KindStream: "StreamingCall", stack.KindUpload: "StreamingFromClient",
	}[kind]
}

// clock has messages sent at a rate, and times told.
func clock(t *testing.T, perSec float64, to *times) *stack.MessageClock {
	t.Helper()
	begun := time.Now()
	c := &stack.MessageClock{Now: func() time.Duration { return time.Since(begun) }, PerSec: perSec, Record: to.record}
	metronome := load.NewMetronome(c.Now, load.SleepWaiter{})
	t.Cleanup(metronome.Close)
	c.Beat = metronome.Beat
	return c
}

func listen(t *testing.T, script *scripted) *sockettest.Pipes {
	t.Helper()
	pipes := sockettest.NewPipes()
	server := grpc.NewServer()
	testpb.RegisterBenchmarkServiceServer(server, script)
	go server.Serve(pipes)
	t.Cleanup(server.Stop)
	return pipes
}

func dial(t *testing.T, s stack.Stack, server *sockettest.Pipes) stack.Conn {
	t.Helper()
	conn, err := s.Dial(t.Context(), stack.DialConfig{
		Network: stack.NetworkTCP, Address: server.Addr().String(), Compression: stack.CompressionNone, InFlight: 1,
		Dial: server.Dial,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// caller returns a function that performs the calls of the only slot.
func caller(t *testing.T, conn stack.Conn, call stack.Call, pipelined bool) func() error {
	t.Helper()
	if !pipelined {
		c, err := conn.Caller(call, 0)
		if err != nil {
			t.Fatal(err)
		}
		return func() error { return errors.Join(c.Call(t.Context()), c.After()) }
	}
	p, err := conn.(stack.Pipeliner).Pipeline(call)
	if err != nil {
		t.Fatal(err)
	}
	return func() error {
		p.Send([]int{0})
		var ended error
		for waiting := true; waiting && p.Wait(func(_ int, err error) { waiting, ended = false, err }); {
		}
		return ended
	}
}

// check expects these times of each sort.
func (c client) check(t *testing.T, want map[stack.MessageTime][]time.Duration, unpaired int64) {
	t.Helper()
	if diff := cmp.Diff(want, c.times.told); diff != "" {
		t.Errorf("times (-want +got):\n%s", diff)
	}
	if got := c.method.Traffic().Unpaired; got != unpaired {
		t.Errorf("%d unpaired replies, want %d", got, unpaired)
	}
}

func TestADownloadIsTimedReplyByReply(t *testing.T) {
	t.Parallel()
	script := func() *scripted {
		return &scripted{download: func(send func()) error {
			time.Sleep(500 * ms)
			for range 4 {
				send()
				time.Sleep(20 * ms)
			}
			time.Sleep(500 * ms)
			send()
			return nil
		}}
	}
	scripts(t, stack.KindDownload, 0, 0, script, func(t *testing.T, _ *scripted, c client) {
		if err := c.call(); err != nil {
			t.Fatal(err)
		}
		c.check(t, map[stack.MessageTime][]time.Duration{
			stack.TimeFirstReply: {500 * ms}, stack.TimeReplyGap: {20 * ms, 20 * ms, 20 * ms, 520 * ms},
		}, 0)
	})
}

// A server's pause delays all messages that are due meanwhile, although the connection accepts them at once.
func TestAPauseIsFeltByAllMessagesDueMeanwhile(t *testing.T) {
	t.Parallel()
	script := func() *scripted {
		return &scripted{stream: func(i int, receive func() error, send func()) error {
			if err := receive(); err != nil {
				return err
			}
			if i == 2 {
				time.Sleep(600 * ms)
			}
			send()
			return nil
		}}
	}
	scripts(t, stack.KindStream, 6, 10, script, func(t *testing.T, _ *scripted, c client) {
		for range 2 { // the second call has due times of its own
			c.times.told = map[stack.MessageTime][]time.Duration{}
			if err := c.call(); err != nil {
				t.Fatal(err)
			}
			c.check(t, map[stack.MessageTime][]time.Duration{
				stack.TimeFirstReply: {0}, stack.TimeMessageLag: make([]time.Duration, 6),
				stack.TimeMessage: {0, 0, 600 * ms, 500 * ms, 400 * ms, 300 * ms},
			}, 0)
		}
	})
}

func TestMessagesGoOutWhenTheyAreDue(t *testing.T) {
	t.Parallel()
	scripts(t, stack.KindUpload, 5, 10, func() *scripted { return &scripted{} }, func(t *testing.T, s *scripted, c client) {
		if err := c.call(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]time.Duration{0, 100 * ms, 200 * ms, 300 * ms, 400 * ms}, s.came); diff != "" {
			t.Errorf("messages came (-want +got):\n%s", diff)
		}
		c.check(t, map[stack.MessageTime][]time.Duration{stack.TimeMessageLag: make([]time.Duration, 5)}, 0)
	})
}

// The server answers the first message three times, and no other.
func TestRepliesBeforeTheirMessagesAreCountedApart(t *testing.T) {
	t.Parallel()
	script := func() *scripted {
		return &scripted{stream: func(i int, receive func() error, send func()) error {
			err := receive()
			if i == 0 && err == nil {
				send()
				send()
				send()
			}
			return err
		}}
	}
	scripts(t, stack.KindStream, 3, 1, script, func(t *testing.T, _ *scripted, c client) {
		if err := c.call(); err != nil {
			t.Fatal(err)
		}
		c.check(t, map[stack.MessageTime][]time.Duration{
			stack.TimeFirstReply: {0}, stack.TimeMessage: {0}, stack.TimeMessageLag: make([]time.Duration, 3),
		}, 2)
	})
}

// A server that ends the stream ends the call, though the next message is not due for long.
func TestASenderDoesNotOutwaitItsStream(t *testing.T) {
	t.Parallel()
	gone := status.Error(codes.NotFound, "gone")
	script := func() *scripted {
		return &scripted{upload: gone, stream: func(int, func() error, func()) error { return gone }}
	}
	for _, kind := range []string{stack.KindStream, stack.KindUpload} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			scripts(t, kind, 3, 0.01, script, func(t *testing.T, _ *scripted, c client) {
				begun := time.Now()
				if err := c.call(); stack.CodeOf(err) != stack.NotFound {
					t.Errorf("%v, want NOT_FOUND", err)
				}
				if took := time.Since(begun); took != 0 {
					t.Errorf("the call took %v", took)
				}
			})
		})
	}
}

// A message that can't be made ends its call at once, whoever sends it.
func TestAMessageThatCannotBeMadeEndsItsCall(t *testing.T) {
	t.Parallel()
	for perSec, due := range map[float64]time.Duration{0: 0, 20: 50 * ms} { // the second message
		scriptsOf(t, spoiled{}, stack.KindUpload, 3, perSec, func() *scripted { return &scripted{} },
			func(t *testing.T, _ *scripted, c client) {
				begun := time.Now()
				if err := c.call(); stack.CodeOf(err) != stack.InvalidArgument {
					t.Errorf("%v messages/s: %v, want INVALID_ARGUMENT", perSec, err)
				}
				if took := time.Since(begun); took != due {
					t.Errorf("%v messages/s: the call took %v, want %v", perSec, took, due)
				}
			})
	}
}
