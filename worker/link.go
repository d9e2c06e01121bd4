package worker

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"rpcbench/internal/stack"
)

// A link is a Conn that is dialed again after it broke. If calls don't share it, it carries one at a time, and the call's context
// ends waits on its socket.
type link struct {
	multiplexed bool
	dial        func(ctx context.Context) (Conn, error)
	turn        chan struct{}        // held by who looks at conn, and by who dials
	conn        Conn                 // nil before the first call, and after a failed one
	socket      atomic.Pointer[wire] // that of conn
	bound       context.Context      // that ends the socket's waits
	unbind      func() bool
	expired     chan struct{}   // closed when bound has ended the waits
	streaming   *linkStream     // of conn, that has not ended; nil where calls share conn
	lent        context.Context // of the stream that slots share
	lending     sync.Mutex      // guards lent
	unconfirmed atomic.Bool     // the server asked for a certificate, and nothing says yet that it took it
}

type wire struct{ net.Conn }

// past is a time that is over.
var past = time.Unix(1, 0)

// keep stores the socket that a dial opened.
func (l *link) keep(socket net.Conn) { l.socket.Store(&wire{socket}) }

// prepare opens the connection before the first call. If the server asked for a certificate, it sends an empty message: the
// reply, always a refusal, shows that the certificate was accepted.
func (l *link) prepare(ctx context.Context) error {
	open, err := l.open(ctx)
	if err != nil || !l.unconfirmed.Load() {
		return err
	}
	_, err = open.Call(ctx, nil)
	if err == nil || isAnswer(err) {
		return nil
	}
	l.drop(open)
	return inside(err)
}

// call makes a call. Errors are *stack.Error.
func (l *link) call(ctx context.Context, message []byte) ([]byte, error) {
	open, err := l.open(ctx)
	if err != nil {
		return nil, err
	}
	reply, err := open.Call(ctx, message)
	if err == nil {
		return reply, nil
	}
	l.failed(ctx, open, err)
	return nil, inside(err)
}

// failed drops the connection of a call or stream, unless the server has refused it or, where others share the connection,
// ctx has ended.
func (l *link) failed(ctx context.Context, open Conn, err error) {
	if !isAnswer(err) && (!l.multiplexed || ctx.Err() == nil) {
		l.drop(open)
	}
}

// open returns the connection, which it dials if there is none.
func (l *link) open(ctx context.Context) (Conn, error) {
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, stack.Failure(ctx, stack.Canceled, ctx.Err())
	}
	defer func() { <-l.turn }()
	if l.streaming != nil { // its slot has left it
		l.discard()
	}
	if !l.multiplexed && l.bound != ctx {
		l.bind(ctx)
	}
	if l.conn != nil {
		return l.conn, nil
	}
	made, err := l.dial(ctx)
	if err != nil {
		return nil, inside(err)
	}
	l.conn = made
	if !l.multiplexed && ctx.Err() != nil {
		l.expire() // what bind has arranged may have met the socket before
	}
	return made, nil
}

// bind makes a context end the socket's waits, in place of the previous one.
func (l *link) bind(ctx context.Context) {
	if l.unbind != nil && !l.unbind() {
		<-l.expired
		if socket := l.socket.Load(); socket != nil {
			_ = socket.SetDeadline(time.Time{}) // a socket that is closed fails the next call
		}
	}
	expired := make(chan struct{})
	l.bound, l.expired = ctx, expired
	l.unbind = context.AfterFunc(ctx, func() {
		defer close(expired)
		l.expire()
	})
}

// expire ends the waits on the socket.
func (l *link) expire() {
	if socket := l.socket.Load(); socket != nil {
		_ = socket.SetDeadline(past) // one that is closed needs none
	}
}

// drop closes a connection that can't be used any more.
func (l *link) drop(broken Conn) {
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	if l.conn == broken {
		l.discard()
	}
}

// discard closes the connection, at once. The caller holds turn.
func (l *link) discard() {
	if socket := l.socket.Load(); socket != nil {
		stack.CloseNow(socket.Conn)
	}
	_ = l.conn.Close() // why it is closed is known
	l.conn, l.streaming = nil, nil
}

// close ends the link.
func (l *link) close() error {
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	if l.unbind != nil {
		l.unbind()
	}
	if l.conn == nil {
		return nil
	}
	err := l.conn.Close()
	l.conn, l.streaming = nil, nil
	return err
}
