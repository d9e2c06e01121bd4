package worker

import (
	"bufio"
	"context"
	"net"
	"testing"
	"testing/synctest"
)

// The context may end while the connection is dialed, before the socket is known that its end is to interrupt.
func TestACallWhoseContextEndsInTheDialReturns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		near, far := net.Pipe() // whose other end reads nothing
		defer far.Close()
		l := &link{turn: make(chan struct{}, 1)}
		l.dial = func(context.Context) (Conn, error) {
			cancel()
			<-l.expired
			l.keep(near)
			return &lineClient{near, bufio.NewReader(near), 100}, nil
		}
		if _, err := l.call(ctx, []byte("hello")); err == nil {
			t.Error("the call was answered by nobody")
		}
		if l.conn != nil {
			t.Error("the connection of a call that was left is used again")
		}
	})
}
