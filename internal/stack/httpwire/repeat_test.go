package httpwire

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/sockettest"
	"rpcbench/internal/worker/credential"
)

const (
	answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
	empty  = "HTTP/1.1 204 No Content\r\n\r\n" // to HEAD too
)

// numbered is a server that talks as told on its first connection, and answers every request on all others. It counts them.
func numbered(t *testing.T, first func(conn net.Conn)) (address string, opened *atomic.Int64) {
	opened = &atomic.Int64{}
	return sockettest.Serve(t, func(conn net.Conn) {
		if opened.Add(1) == 1 {
			first(conn)
			return
		}
		says(empty, stays)(conn)
	}), opened
}

// What a server says before it is asked answers nothing: the connection ends, and the call that finds it fails.
func TestAnAnswerToNothingIsNobodys(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		first string     // to the first request
		later string     // before the second
		want  stack.Code // of the second call
	}{
		"with the answer before":        {first: answer + answer, want: stack.Internal},
		"half of one":                   {first: answer + "HTT", want: stack.Internal},
		"later":                         {first: answer, later: answer, want: stack.Internal},
		"that the server waits no more": {first: answer, later: "HTTP/1.1 408 Request Timeout\r\n\r\n", want: stack.OK},
	} {
		for by, listening := range listeners {
			t.Run(what+"/"+by, func(t *testing.T) {
				t.Parallel()
				next := make(chan struct{})
				address, opened := numbered(t, says(c.first, func(conn net.Conn) {
					<-next
					io.WriteString(conn, c.later)
				}))
				one, hear := listening(t, address)
				if err := one.Call(t.Context()); err != nil {
					t.Fatal(err)
				}
				close(next)
				if c.later != "" {
					hear()
				}
				err := one.Call(t.Context())
				if stack.CodeOf(err) != c.want || err != nil && !strings.Contains(err.Error(), `, which answers no request`) {
					t.Errorf("the second call: %v, want %v", err, c.want)
				}
				if err := one.Call(t.Context()); err != nil {
					t.Errorf("the third call: %v", err)
				}
				if got := opened.Load(); got != 2 {
					t.Errorf("there were %d connections, want 2", got)
				}
			})
		}
	}
}

// listeners make the only slot of a connection. hear returns when what the server said between calls has arrived.
var listeners = map[string]func(t *testing.T, address string) (one stack.Caller, hear func()){
	"goroutine": func(t *testing.T, address string) (stack.Caller, func()) {
		one := callerOf(t, address, get())
		return one, func() {
			for one.socket.probe.state() == quiet {
				time.Sleep(time.Millisecond)
			}
			one.socket.used = time.Now().Add(-minIdle)
		}
	},
	"loop": func(t *testing.T, address string) (stack.Caller, func()) {
		one := onLoop(t, address, get())
		return one, func() {
			for one.isOpen() {
				time.Sleep(time.Millisecond)
			}
		}
	},
}

// A gathered socket writes nothing before it is told.
type gathered struct {
	net.Conn
	hold bool
	held []byte
}

func (g *gathered) Write(b []byte) (int, error) {
	if !g.hold {
		return g.Conn.Write(b)
	}
	g.held = append(g.held, b...)
	return len(b), nil
}

// Over TLS an answer to nothing may have been read with the one before, and not been looked at.
func TestAnAnswerToNothingInTLSIsNobodys(t *testing.T) {
	t.Parallel()
	set, err := credential.New()
	if err != nil {
		t.Fatal(err)
	}
	key, err := tls.X509KeyPair(set.Server.CertPEM, set.Server.KeyPEM)
	if err != nil {
		t.Fatal(err)
	}
	secure := func(conn net.Conn) (*gathered, *tls.Conn) {
		below := &gathered{Conn: conn}
		return below, tls.Server(below, &tls.Config{Certificates: []tls.Certificate{key}})
	}
	var opened atomic.Int64
	one := callerOf(t, sockettest.Serve(t, func(conn net.Conn) {
		below, above := secure(conn)
		answers := 1
		if opened.Add(1) == 1 {
			answers = 2
		}
		for from := bufio.NewReader(above); ; {
			if _, err := http.ReadRequest(from); err != nil {
				return
			}
			below.hold = true
			for range answers {
				io.WriteString(above, answer)
			}
			below.Conn.Write(below.held)
			below.held = nil
		}
	}), get())
	dial := one.socket.dial
	one.socket.dial = func(ctx context.Context) (net.Conn, error) {
		conn, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		return tls.Client(conn, &tls.Config{InsecureSkipVerify: true}), nil
	}
	for i, want := range []stack.Code{stack.OK, stack.Internal, stack.OK, stack.OK} {
		if err := one.Call(t.Context()); stack.CodeOf(err) != want {
			t.Errorf("call %d: %v, want %v", i, err, want)
		}
		one.socket.used = time.Now().Add(-minIdle)
	}
	if got := opened.Load(); got != 2 {
		t.Errorf("there were %d connections, want 2", got)
	}
}

// A slow writer's long writes are done when somebody has lost patience with them, and not before.
type slowWriter struct {
	net.Conn
	impatient chan struct{} // holds one
}

func (s *slowWriter) Write(b []byte) (int, error) {
	n, err := s.Conn.Write(b)
	if len(b) > inlineBytes {
		<-s.impatient
	}
	return n, err
}

func (s *slowWriter) SetDeadline(t time.Time) error { return s.SetWriteDeadline(t) }

func (s *slowWriter) SetWriteDeadline(t time.Time) error {
	if !t.IsZero() {
		select {
		case s.impatient <- struct{}{}:
		default: // and when the test ends
		}
	}
	return s.Conn.SetWriteDeadline(t)
}

// readsAll answers each request once it has read all of it. It counts connections, and the bytes of bodies.
func readsAll(opened, read *atomic.Int64) func(net.Conn) {
	return func(conn net.Conn) {
		opened.Add(1)
		from := bufio.NewReader(conn)
		for {
			request, err := http.ReadRequest(from)
			if err != nil {
				return
			}
			n, _ := io.Copy(io.Discard, request.Body)
			read.Add(n)
			io.WriteString(conn, answer)
		}
	}
}

// Who has written a long request, and does not know yet that it is answered, has written it: the connection goes on.
func TestALongRequestLeavesTheConnection(t *testing.T) {
	t.Parallel()
	var opened, read atomic.Int64
	one := callerOf(t, sockettest.Serve(t, readsAll(&opened, &read)),
		&stack.Resource{Verb: "POST", Requests: page{"/", strings.Repeat("x", 2*inlineBytes)}})
	dial := one.socket.dial
	one.socket.dial = func(ctx context.Context) (net.Conn, error) {
		conn, err := dial(ctx)
		return &slowWriter{conn, make(chan struct{}, 1)}, err
	}
	for range 3 {
		if err := one.Call(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if got := opened.Load(); got != 1 {
		t.Errorf("3 calls had %d connections, want 1", got)
	}
}

// A connection that the server ends just when a call begins costs the call nothing where it may be made again.
func TestARequestThatFindsTheEndGoesOutOnceMore(t *testing.T) {
	t.Parallel()
	for verb, want := range map[string]struct {
		code    stack.Code
		retries int64
	}{
		"GET": {stack.OK, 1}, "HEAD": {stack.OK, 1}, "PUT": {stack.OK, 1}, "DELETE": {stack.OK, 1},
		"POST": {stack.Unavailable, 0}, "PATCH": {stack.Unavailable, 0}, // the server may have read it
	} {
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			address, opened := numbered(t, func(conn net.Conn) {
				http.ReadRequest(bufio.NewReader(conn))
				io.WriteString(conn, empty)
				conn.(*net.TCPConn).CloseWrite() // so that writing to it does not fail
				io.Copy(io.Discard, conn)
			})
			one := callerOf(t, address, &stack.Resource{Verb: verb, Requests: page{"/", ""}})
			if err := one.Call(t.Context()); err != nil {
				t.Fatal(err)
			}
			for one.socket.probe.state() == quiet { // its end is on its way
				time.Sleep(time.Millisecond)
			}
			one.socket.used = time.Now().Add(time.Hour) // as if it had been under way until now
			if err := one.Call(t.Context()); stack.CodeOf(err) != want.code {
				t.Errorf("the call that found the end: %v, want %v", err, want.code)
			}
			if got := one.socket.retries.Load(); got != want.retries {
				t.Errorf("%d requests went out once more, want %d", got, want.retries)
			}
			if err := one.Call(t.Context()); err != nil {
				t.Errorf("the call after it: %v", err)
			}
			if got := opened.Load(); got != 2 {
				t.Errorf("there were %d connections, want 2", got)
			}
		})
	}
}

// A server that ends every connection without an answer is asked twice at the most, and a new connection's end is nobody's
// but the call's.
func TestARequestGoesOutOnceMoreAndNotTwice(t *testing.T) {
	t.Parallel()
	var opened atomic.Int64
	one := callerOf(t, sockettest.Serve(t, func(conn net.Conn) {
		from := bufio.NewReader(conn)
		http.ReadRequest(from)
		if opened.Add(1) == 1 {
			io.WriteString(conn, answer)
			http.ReadRequest(from)
		}
		conn.Close()
	}), get())
	for i, c := range []struct {
		want        stack.Code
		connections int64
	}{{stack.OK, 1}, {stack.Unavailable, 2}, {stack.Unavailable, 3}} {
		if err := one.Call(t.Context()); stack.CodeOf(err) != c.want {
			t.Errorf("call %d: %v, want %v", i, err, c.want)
		}
		if got := opened.Load(); got != c.connections {
			t.Errorf("after call %d there were %d connections, want %d", i, got, c.connections)
		}
	}
}
