package httpwire

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/loop"
	"rpcbench/internal/test/sockettest"
)

// A seated is the only slot of a connection that a loop serves, as a Caller.
type seated struct {
	*joined
	ended chan error
}

// onLoop makes one. Systems without loops skip the test.
func onLoop(t *testing.T, address string, resource *stack.Resource, options ...string) seated {
	t.Helper()
	l, err := loop.New()
	if errors.Is(err, loop.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-over })
	one := seated{ended: make(chan error, 1)}
	sender, err := dialTo(t, address, options...).(stack.Joiner).Join(
		l, stack.Call{Kind: stack.KindUnary, Resource: resource}, func(_ int, err error) { one.ended <- err })
	if err != nil {
		t.Fatal(err)
	}
	one.joined = sender.(*joined)
	go func() {
		defer close(over)
		for l.Turn() {
		}
	}()
	return one
}

// Call implements stack.Caller.
func (s seated) Call(ctx context.Context) error {
	s.Send(0, false)
	select {
	case err := <-s.ended:
		return err
	case <-ctx.Done():
		s.Cancel(0)
		if err := <-s.ended; err != nil {
			return stack.Failure(ctx, stack.CodeOf(err), err)
		}
		return nil
	}
}

// After implements stack.Caller.
func (seated) After() error { return nil }

// isOpen reports whether the slot has a socket.
func (s seated) isOpen() bool {
	s.seats[0].mu.Lock()
	defer s.seats[0].mu.Unlock()
	return s.seats[0].open != nil
}

// A request that finds the end of its connection is sent once more, and not twice, if that does no harm.
func TestALoopSendsARequestOnceMore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		verb    string
		lost    int64 // connections that the server ends instead of answering
		want    stack.Code
		retries int64
	}{
		{"GET", 1, stack.OK, 1}, {"PUT", 1, stack.OK, 1}, {"POST", 1, stack.Unavailable, 0}, {"GET", 2, stack.Unavailable, 1},
	} {
		var opened atomic.Int64
		one := onLoop(t, sockettest.Serve(t, func(conn net.Conn) {
			defer conn.Close()
			number := opened.Add(1)
			from := bufio.NewReader(conn)
			for i := 0; ; i++ {
				if _, err := http.ReadRequest(from); err != nil || number <= c.lost && (i > 0 || number > 1) {
					return
				}
				io.WriteString(conn, empty)
			}
		}), &stack.Resource{Verb: c.verb, Requests: page{"/", ""}})
		if err := one.Call(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := one.Call(t.Context()); stack.CodeOf(err) != c.want {
			t.Errorf("%s, %d lost: %v, want %v", c.verb, c.lost, err, c.want)
		}
		if got := one.conn.Retries(); got != c.retries {
			t.Errorf("%s, %d lost: %d requests were sent once more, want %d", c.verb, c.lost, got, c.retries)
		}
		if err := one.Call(t.Context()); err != nil {
			t.Errorf("%s, %d lost: the call after it: %v", c.verb, c.lost, err)
		}
	}
}

// A long request is written as the server reads it, and leaves the connection for the next one.
func TestALoopWritesALongRequest(t *testing.T) {
	t.Parallel()
	const bytes = 20_000_000 // more than the buffers of sockets hold
	var opened, read atomic.Int64
	one := onLoop(t, sockettest.Serve(t, readsAll(&opened, &read)),
		&stack.Resource{Verb: "POST", Requests: page{"/", strings.Repeat("x", bytes)}})
	for range 3 {
		if err := one.Call(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if opened.Load() != 1 || read.Load() != 3*bytes {
		t.Errorf("3 calls had %d connections, and the server read %d bytes", opened.Load(), read.Load())
	}
}

// A call that is cancelled while its socket is being opened ends at once, and the socket is closed when it is open.
func TestALoopLeavesASocketThatIsTooLate(t *testing.T) {
	t.Parallel()
	for _, answers := range []bool{false, true} {
		goes, served := make(chan struct{}), make(chan int, 2)
		one := onLoop(t, sockettest.Serve(t, func(conn net.Conn) {
			n, _ := conn.Read(make([]byte, 100))
			served <- n
			io.WriteString(conn, empty)
		}), get())
		dial := one.conn.config.Dial
		ctx, cancel := context.WithCancel(t.Context())
		one.conn.config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			cancel()
			<-goes
			if answers {
				ctx = context.Background()
			}
			return dial(ctx, network, address)
		}
		if err := one.Call(ctx); stack.CodeOf(err) != stack.Canceled {
			t.Errorf("%v, want CANCELLED", err)
		}
		close(goes)
		if answers {
			if n := <-served; n != 0 {
				t.Errorf("the server got %d bytes of a call that was cancelled", n)
			}
		}
		if err := one.Call(t.Context()); err != nil {
			t.Errorf("the next call: %v", err)
		}
	}
}
