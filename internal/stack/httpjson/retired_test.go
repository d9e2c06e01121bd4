package httpjson

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	"golang.org/x/net/http2"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/sockettest"
)

// overHTTP2 dials a connection whose first socket is to the first address, and whose others are to the second.
func overHTTP2(t *testing.T, first, second string) *conn {
	t.Helper()
	var dialled atomic.Int64
	conn := newConn(stack.DialConfig{
		Network: stack.NetworkTCP, Address: "test:1", Compression: stack.CompressionNone, InFlight: 2,
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			address := first
			if dialled.Add(1) > 1 {
				address = second
			}
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	}, true, false)
	t.Cleanup(func() { conn.Close() })
	return conn
}

func serveHTTP2(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{Handler: handler, Protocols: protocols}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return l.Addr().String()
}

func callOf(t *testing.T, c *conn, slot int) func() error {
	t.Helper()
	caller, err := c.Caller(stack.Call{
		Kind: stack.KindUnary, Resource: &stack.Resource{Verb: http.MethodPost, Requests: numbered{}},
	}, slot)
	if err != nil {
		t.Fatal(err)
	}
	return func() error { return errors.Join(caller.Call(t.Context()), caller.After()) }
}

// A server that retires the connection may not have taken a call, whose body is then sent again.
func TestABodyThatARetiredConnectionDidNotTakeIsSentOnceMore(t *testing.T) {
	t.Parallel()
	refusing := sockettest.Serve(t, func(socket net.Conn) {
		_, _ = io.ReadFull(socket, make([]byte, len(http2.ClientPreface)))
		f := http2.NewFramer(socket, socket)
		f.WriteSettings()
		for {
			frame, err := f.ReadFrame()
			if err != nil {
				return
			}
			if frame.Header().Type == http2.FrameData {
				f.WriteGoAway(0, http2.ErrCodeNo, nil)
			}
		}
	})
	bodies := make(chan string, 1)
	good := serveHTTP2(t, func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		bodies <- string(body)
	})
	if err := callOf(t, overHTTP2(t, refusing, good), 0)(); err != nil {
		t.Fatal(err)
	}
	if got := <-bodies; got != "body 0" {
		t.Errorf("the body is %q, want that of call 0", got)
	}
}

// A call that hangs on a connection which the server has retired is no reason for others to wait, though one socket is all that
// the connection has otherwise.
func TestCallsGoOnBesideOneThatHangsOnARetiredConnection(t *testing.T) {
	t.Parallel()
	came, answer := make(chan struct{}), make(chan struct{})
	var served atomic.Int64
	first := serveHTTP2(t, func(w http.ResponseWriter, _ *http.Request) {
		if served.Add(1) == 1 {
			close(came)
			<-answer
			return
		}
		w.Header().Set("Connection", "close") // as the library sends GOAWAY
	})
	second := serveHTTP2(t, func(http.ResponseWriter, *http.Request) {})
	c := overHTTP2(t, first, second)
	ended := make(chan error, 1)
	hangs, call := callOf(t, c, 0), callOf(t, c, 1)
	go func() { ended <- hangs() }()
	<-came
	for n := range 4 {
		if err := call(); err != nil {
			t.Errorf("call %d: %v", n, err)
		}
	}
	if len(ended) > 0 {
		t.Errorf("the call that hangs ended with %v", <-ended)
	}
	close(answer)
	if err := <-ended; err != nil {
		t.Errorf("the call that hangs ended with %v", err)
	}
}
