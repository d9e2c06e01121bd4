package connectgo_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"connectrpc.com/connect"
	"golang.org/x/net/http2"
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/connectgo"
	"rpcbench/internal/test/sockettest"
)

// hangs is the size of the replies that a rig's servers hold back.
const hangs = 1

// A rig is a connection whose socket n is served by the n-th server, or by the last. It runs in a bubble.
type rig struct {
	conn    stack.Conn
	dialled int
	open    atomic.Int64 // sockets
}

// dial opens a rig's connection. Its last server is a good one.
func dial(t *testing.T, servers ...*sockettest.Pipes) *rig {
	t.Helper()
	r := &rig{}
	config := dialConfig("pipe:1")
	config.InFlight = 2
	config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		r.dialled++ // under the connection's lock
		socket, err := servers[min(r.dialled, len(servers))-1].Dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		r.open.Add(1)
		return &counted{Conn: socket, open: &r.open}, nil
	}
	conn, err := connectgo.New().Dial(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	r.conn = conn
	return r
}

type counted struct {
	net.Conn

	open *atomic.Int64
	once sync.Once
}

func (c *counted) Close() error {
	c.once.Do(func() { c.open.Add(-1) })
	return c.Conn.Close()
}

// good serves until the test ends. retire stops it as soon as its calls have been answered.
func good(t *testing.T, answer <-chan struct{}) (pipes *sockettest.Pipes, retire func()) {
	t.Helper()
	pipes = sockettest.NewPipes()
	server, err := connectgo.New().Serve(stack.ServeConfig{Listener: pipes, Reply: func(n int) []byte {
		if n == hangs {
			<-answer
		}
		return make([]byte, n)
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var stopping sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		server.Stop(ctx)
		stopping.Wait()
	})
	return pipes, func() { stopping.Go(func() { server.Stop(ctx) }) }
}

// scripted serves each connection by a script, from the client's preface on.
func scripted(t *testing.T, script func(f *http2.Framer)) *sockettest.Pipes {
	t.Helper()
	pipes := sockettest.NewPipes()
	t.Cleanup(func() { pipes.Close() })
	go func() {
		for {
			socket, err := pipes.Accept()
			if err != nil {
				return
			}
			go func() {
				defer socket.Close()
				_, _ = io.ReadFull(socket, make([]byte, len(http2.ClientPreface)))
				f := http2.NewFramer(socket, socket)
				f.WriteSettings()
				script(f)
			}()
		}
	}()
	return pipes
}

// refusing is a script that retires the connection when it has read a frame of the type, without taking its stream.
func refusing(of http2.FrameType) func(f *http2.Framer) {
	return func(f *http2.Framer) {
		for {
			frame, err := f.ReadFrame()
			if err != nil {
				return
			}
			if frame.Header().Type == of && frame.Header().StreamID != 0 {
				f.WriteGoAway(0, http2.ErrCodeNo, nil)
			}
		}
	}
}

func (r *rig) call(t *testing.T, call stack.Call, slot int) error {
	t.Helper()
	return r.callIn(t.Context(), t, call, slot)
}

func (r *rig) callIn(ctx context.Context, t *testing.T, call stack.Call, slot int) error {
	t.Helper()
	caller, err := r.conn.Caller(call, slot)
	if err != nil {
		t.Error(err)
		return err
	}
	return errors.Join(caller.Call(ctx), caller.After())
}

// begin makes a unary call in slot 0 that hangs, and waits until the server has it.
func (r *rig) begin(ctx context.Context, t *testing.T) (ended chan error) {
	t.Helper()
	ended = make(chan error, 1)
	go func() { ended <- r.callIn(ctx, t, stack.Call{Kind: stack.KindUnary, ResponseBytes: hangs}, 0) }()
	synctest.Wait()
	return ended
}

// want says what the rig should have come to once nothing moves any more.
func (r *rig) want(t *testing.T, dialled int, open, retries int64) {
	t.Helper()
	synctest.Wait()
	if r.dialled != dialled || r.open.Load() != open {
		t.Errorf("%d sockets were opened and %d are open, want %d and %d", r.dialled, r.open.Load(), dialled, open)
	}
	if got := r.conn.(stack.Retrier).Retries(); got != retries {
		t.Errorf("%d calls were sent once more, want %d", got, retries)
	}
}

// A call that hangs on a connection which the server has retired is no reason for others to fail. It is answered there, and
// then the connection ends.
func TestCallsGoOnBesideOneThatHangsOnARetiredConnection(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{
		stack.KindUnary, stack.KindStream, stack.KindPingPong, stack.KindUpload, stack.KindDownload, stack.KindBothWays,
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				answer := make(chan struct{})
				first, retire := good(t, answer)
				second, _ := good(t, answer)
				r := dial(t, first, second)
				ended := r.begin(t.Context(), t)
				retire()
				synctest.Wait()
				call := stack.Call{Kind: kind, ResponseBytes: 5}
				switch kind {
				case stack.KindUnary:
				case stack.KindPingPong:
					call.Streams, call.PerStream = 2, 1
				default:
					call.Messages = 3
				}
				for range 3 {
					if err := r.call(t, call, 1); err != nil {
						t.Errorf("%v", err)
					}
				}
				r.want(t, 2, 2, 0)
				if len(ended) > 0 {
					t.Errorf("the call that hangs ended with %v", <-ended)
				}
				close(answer)
				if err := <-ended; err != nil {
					t.Errorf("the call that hangs ended with %v", err)
				}
				r.want(t, 2, 1, 0)
			})
		})
	}
}

// A connection that is retired with nothing on it ends with the next call.
func TestAnIdleRetiredConnectionEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		greeted := scripted(t, func(f *http2.Framer) {
			f.WriteGoAway(1<<31-1, http2.ErrCodeNo, nil)
			for err := error(nil); err == nil; {
				_, err = f.ReadFrame()
			}
		})
		last, _ := good(t, nil)
		r := dial(t, greeted, last)
		synctest.Wait()
		if err := r.call(t, stack.Call{Kind: stack.KindUnary}, 0); err != nil {
			t.Error(err)
		}
		r.want(t, 2, 1, 0)
	})
}

// net/http counts a call that was cancelled until the server has answered its PING. That may be after the connection was retired,
// and then the connection has to end, too.
func TestACancelledCallDoesNotHoldARetiredConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		pong := make(chan struct{})
		first := scripted(t, func(f *http2.Framer) {
			for {
				frame, err := f.ReadFrame()
				if err != nil {
					return
				}
				if ping, ok := frame.(*http2.PingFrame); ok {
					data := ping.Data
					f.WriteGoAway(1, http2.ErrCodeNo, nil)
					<-pong
					f.WritePing(true, data)
				}
			}
		})
		last, _ := good(t, nil)
		r := dial(t, first, last)
		ctx, cancel := context.WithCancel(t.Context())
		ended := r.begin(ctx, t)
		cancel()
		if err := <-ended; stack.CodeOf(err) != stack.Canceled {
			t.Errorf("%v, want CANCELLED", err)
		}
		synctest.Wait()
		if err := r.call(t, stack.Call{Kind: stack.KindUnary}, 0); err != nil {
			t.Error(err)
		}
		r.want(t, 2, 2, 0)
		close(pong)
		r.want(t, 2, 1, 0)
	})
}

// Close ends what hangs on connections that were retired.
func TestCloseEndsRetiredConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan struct{})
		defer close(answer)
		first, retire := good(t, answer)
		second, _ := good(t, answer)
		r := dial(t, first, second)
		ended := r.begin(t.Context(), t)
		retire()
		synctest.Wait()
		if err := r.call(t, stack.Call{Kind: stack.KindUnary}, 1); err != nil {
			t.Error(err)
		}
		r.conn.Close()
		if err := <-ended; stack.CodeOf(err) != stack.Unavailable {
			t.Errorf("%v, want UNAVAILABLE", err)
		}
		r.want(t, 2, 0, 0)
	})
}

// A call that the server has not taken goes out once more, unless messages of its stream are gone.
func TestACallThatARetiredConnectionDidNotTakeGoesOutOnceMore(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]stack.Code{
		stack.KindUnary:    stack.OK,
		stack.KindDownload: stack.OK,
		stack.KindUpload:   stack.Unavailable,
		stack.KindBothWays: stack.Unavailable,
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				last, _ := good(t, nil)
				r := dial(t, scripted(t, refusing(http2.FrameData)), last)
				call := stack.Call{Kind: kind, ResponseBytes: 5}
				if kind != stack.KindUnary {
					call.Messages = 2
				}
				if err := r.call(t, call, 0); stack.CodeOf(err) != want {
					t.Errorf("%v, want %v", err, want)
				}
				if want == stack.OK {
					r.want(t, 2, 1, 1)
				} else {
					r.want(t, 1, 0, 0)
				}
			})
		})
	}
}

// A server that retires every connection is not asked for ever.
func TestAServerThatTakesNothingEndsACall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := dial(t, scripted(t, refusing(http2.FrameHeaders)))
		if err := r.call(t, stack.Call{Kind: stack.KindUnary}, 0); stack.CodeOf(err) != stack.Unavailable {
			t.Errorf("%v, want UNAVAILABLE", err)
		}
		r.want(t, 7, 0, 6)
	})
}

// Whatever the others are doing when the server retires the connection, none of them fails.
func TestNoCallFailsWhereTheServerRetiresConnections(t *testing.T) {
	t.Parallel()
	const procedure = "/grpc.testing.BenchmarkService/UnaryCall"
	const slots, calls, each = 8, 100, 25
	var served atomic.Int64
	handler := connect.NewUnaryHandler(procedure, func(
		context.Context, *connect.Request[testpb.SimpleRequest],
	) (*connect.Response[testpb.SimpleResponse], error) {
		response := connect.NewResponse(&testpb.SimpleResponse{})
		if served.Add(1)%each == 0 {
			response.Header().Set("Connection", "close") // as the library sends GOAWAY
		}
		return response, nil
	})
	mux := http.NewServeMux()
	mux.Handle(procedure, handler)
	config := dialConfig(serveHandler(t, mux))
	config.InFlight = slots
	conn, err := connectgo.New().Dial(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var running sync.WaitGroup
	for slot := range slots {
		caller, err := conn.Caller(stack.Call{Kind: stack.KindUnary}, slot)
		if err != nil {
			t.Fatal(err)
		}
		running.Go(func() {
			for range calls {
				if err := errors.Join(caller.Call(t.Context()), caller.After()); err != nil {
					t.Errorf("%v", err)
				}
			}
		})
	}
	running.Wait()
	if got := served.Load(); got != slots*calls {
		t.Errorf("the server answered %d calls, want %d", got, slots*calls)
	}
}
