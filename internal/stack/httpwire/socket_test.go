package httpwire

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/sockettest"
)

// A page is a target without functions.
type page struct{ path, body string }

func (p page) Constant() (path, body []byte, ok bool) { return []byte(p.path), []byte(p.body), true }

func (p page) AppendPath(dst []byte, _ uint64) []byte { return append(dst, p.path...) }

func (p page) AppendBody(dst []byte, _ uint64) []byte { return append(dst, p.body...) }

// A varying page's calls say that they differ, so that each is made anew.
type varying struct{ page }

func (varying) Constant() (path, body []byte, ok bool) { return nil, nil, false }

// callerOf makes the only slot of a resource.
func callerOf(t *testing.T, address string, resource *stack.Resource, options ...string) *caller {
	t.Helper()
	return dialAndMake(t, address, resource, options...).(*caller)
}

// dialAndMake makes the only slot of a connection with options, NAME=VALUE.
func dialAndMake(t *testing.T, address string, resource *stack.Resource, options ...string) stack.Caller {
	t.Helper()
	return makeOn(t, dialTo(t, address, options...), resource)
}

// makeOn makes the only slot of a connection.
func makeOn(t *testing.T, conn stack.Conn, resource *stack.Resource) stack.Caller {
	t.Helper()
	made, err := conn.Caller(stack.Call{Kind: stack.KindUnary, Resource: resource}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// dialTo opens a connection with options, NAME=VALUE.
func dialTo(t *testing.T, address string, options ...string) stack.Conn {
	t.Helper()
	given := map[string]string{}
	for _, option := range options {
		name, value, _ := strings.Cut(option, "=")
		given[name] = value
	}
	conn, err := New().Dial(t.Context(), stack.DialConfig{
		Network: stack.NetworkTCP, Address: address, Compression: stack.CompressionNone, InFlight: 1,
		Options: given,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			socket, err := new(net.Dialer).DialContext(ctx, network, address)
			return &sockettest.Rebased{Conn: socket}, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// blockingTo opens a connection that waits for replies in the kernel, where it can.
func blockingTo(t *testing.T, address string, options ...string) stack.Conn {
	t.Helper()
	conn := dialTo(t, address, options...)
	conn.(stack.Blocker).Block()
	return conn
}

// makers make the only slot of a connection: with a goroutine of its own, in whose stead the kernel waits, and on a loop.
var makers = map[string]func(t *testing.T, address string, resource *stack.Resource, options ...string) stack.Caller{
	"goroutine": dialAndMake,
	"blocking": func(t *testing.T, address string, resource *stack.Resource, options ...string) stack.Caller {
		t.Helper()
		return makeOn(t, blockingTo(t, address, options...), resource)
	},
	"loop": func(t *testing.T, address string, resource *stack.Resource, options ...string) stack.Caller {
		return onLoop(t, address, resource, options...)
	},
}

func get() *stack.Resource { return &stack.Resource{Verb: "GET", Requests: page{"/", ""}} }

// says answers every request with a text.
func says(text string, andThen func(net.Conn)) func(net.Conn) {
	return func(conn net.Conn) {
		from := bufio.NewReader(conn)
		for {
			if _, err := http.ReadRequest(from); err != nil {
				return
			}
			if _, err := conn.Write([]byte(text)); err != nil {
				return
			}
			andThen(conn)
		}
	}
}

func ends(conn net.Conn)   { conn.Close() }
func stays(net.Conn)       {}
func resets(conn net.Conn) { conn.(*net.TCPConn).SetLinger(0); conn.Close() }

func TestABadServerIsAnOutcomeWithASentence(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		serve func(net.Conn)
		want  stack.Code
		says  string
	}{
		"closes at once":  {ends, stack.Unavailable, ""},
		"does not answer": {says("", ends), stack.Unavailable, "the server ended the connection and did not answer"},
		"ends early": {
			says("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ends), stack.Unavailable,
			"the server ended the connection within its response",
		},
		"ends in a chunk": {
			says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf", ends), stack.Unavailable, "within its response",
		},
		"resets":  {says("", resets), stack.Unavailable, "connection reset by peer"},
		"garbage": {says("220 ftp.example ready\r\n", stays), stack.Internal, `the first line "220 ftp.example ready"`},
		"HTTP/2": {
			says("\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64", stays), stack.Unavailable,
			"the server speaks HTTP/2 only: give --http2, or for gRPC host:port and --call",
		},
		"switches": {
			says("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", stays), stack.Internal, "a switch to another protocol",
		},
		"never ends to wait": {
			says(strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", interimMax), stays), stack.Internal, "more than 100 interim responses",
		},
		"says nothing": {says("", stays), stack.DeadlineExceeded, ""},
		"stops":        {says("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", stays), stack.DeadlineExceeded, ""},
	} {
		for by, maker := range makers {
			t.Run(what+"/"+by, func(t *testing.T) {
				t.Parallel()
				one := maker(t, sockettest.Serve(t, c.serve), get())
				for range 2 {
					ctx, cancel := context.WithCancel(t.Context())
					if c.want == stack.DeadlineExceeded {
						ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
					}
					err := one.Call(ctx)
					cancel()
					if stack.CodeOf(err) != c.want || !strings.Contains(err.Error(), c.says) {
						t.Errorf("%v, want %v: %s", err, c.want, c.says)
					}
				}
			})
		}
	}
}

func TestAServerThatAnswersBeforeItHasReadIsHeard(t *testing.T) {
	t.Parallel()
	address := sockettest.Serve(t, func(conn net.Conn) {
		conn.Read(make([]byte, 10))
		conn.Write([]byte("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n"))
	})
	for by, maker := range makers {
		t.Run(by, func(t *testing.T) {
			t.Parallel()
			one := maker(t, address, &stack.Resource{Verb: "POST", Requests: page{"/", strings.Repeat("x", 30_000_000)}})
			for range 2 {
				if err := one.Call(t.Context()); stack.CodeOf(err) != stack.StatusCode(413) {
					t.Errorf("%v, want HTTP_413", err)
				}
			}
		})
	}
}

func TestASocketThatEndedWhileItRestedIsOpenedAnew(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	one := callerOf(t, sockettest.Serve(t, says("HTTP/1.1 204 No Content\r\n\r\n", func(conn net.Conn) {
		conn.Close()
		ended <- struct{}{}
	})), get())
	for i := range 3 {
		go func() { <-ended }()
		if err := one.Call(t.Context()); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
		for one.socket.probe.state() == quiet { // its end is on its way
			time.Sleep(time.Millisecond)
		}
		one.socket.used = time.Now().Add(-minIdle)
	}
}

// A server need not end a connection that the client does not want to keep.
func TestWithoutKeepAliveTheClientEndsTheConnection(t *testing.T) {
	t.Parallel()
	for by, maker := range makers {
		t.Run(by, func(t *testing.T) {
			t.Parallel()
			var opened atomic.Int64
			one := maker(t, sockettest.Serve(t, func(conn net.Conn) {
				opened.Add(1)
				says("HTTP/1.1 204 No Content\r\n\r\n", stays)(conn)
			}), get(), "keep_alive=false")
			for range 3 {
				if err := one.Call(t.Context()); err != nil {
					t.Error(err)
				}
			}
			if got := opened.Load(); got != 3 {
				t.Errorf("3 calls had %d connections", got)
			}
		})
	}
}

// Nobody else can read from a socket that is not Go's.
func TestABlockingConnectionTakesItsSocketsFromGo(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("sockets stay with Go's poller here")
	}
	address := sockettest.Serve(t, says("HTTP/1.1 204 No Content\r\n\r\n", stays))
	for _, blocks := range []bool{true, false} {
		open := dialTo
		if blocks {
			open = blockingTo
		}
		one := makeOn(t, open(t, address), get()).(*caller)
		if err := one.Call(t.Context()); err != nil {
			t.Fatal(err)
		}
		raw, err := one.socket.open.(*sockettest.Rebased).SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		if err := raw.Read(func(uintptr) bool { return true }); errors.Is(err, errors.ErrUnsupported) != blocks {
			t.Errorf("blocks %t: a read of Go's ended with %v", blocks, err)
		}
	}
}

func TestACallAllocatesNothing(t *testing.T) {
	answer := []byte("HTTP/1.1 200 OK\r\nDate: Mon, 01 Jan 2024 00:00:00 GMT\r\nConnection: keep-alive\r\n" +
		"Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello")
	chunked := []byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
	for what, c := range map[string]struct {
		requests stack.Targets
		answer   []byte
	}{
		"constant": {page{"/", "body"}, answer}, "varying": {varying{page{"/a", "body"}}, answer}, "chunks": {page{"/", ""}, chunked},
	} {
		address := sockettest.Serve(t, func(conn net.Conn) {
			room := make([]byte, 4096)
			for {
				if _, err := conn.Read(room); err != nil {
					return
				}
				conn.Write(c.answer)
			}
		})
		for by, maker := range makers {
			if by == "blocking" {
				continue // the server would have to wait for the only processor that AllocsPerRun leaves
			}
			t.Run(what+"/"+by, func(t *testing.T) {
				one := maker(t, address, &stack.Resource{Verb: "POST", Requests: c.requests})
				ctx := t.Context()
				call := func() {
					if err := one.Call(ctx); err != nil || one.After() != nil {
						t.Fatal(err)
					}
				}
				call()
				if got := testing.AllocsPerRun(1000, call); got > 0 {
					t.Errorf("a call allocates %v times", got)
				}
			})
		}
	}
}
