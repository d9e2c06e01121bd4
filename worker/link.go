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
// ends waits on its socket until the call has ended: after that, libraries may read ahead.
type link struct {
	multiplexed bool
	dial        func(ctx context.Context) (Conn, error)
	turn        chan struct{}        // held by who looks at conn, and by who dials
	conn        Conn                 // nil before the first call, and after a failed one
	socket      atomic.Pointer[wire] // that of conn
	bound       context.Context      // that ends the socket's waits in a call
	unbind      func() bool
	expired     chan struct{}   // closed when what follows the end of bound is done
	using       sync.Mutex      // guards used and late
	used        bool            // a call or a stream has conn, which calls don't share
	late        bool            // its socket waits for nothing any more
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
	if err != nil {
		return err
	}
	defer l.free()
	if !l.unconfirmed.Load() {
		return nil
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
	defer l.free()
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

// open returns the connection, which it dials if there is none, to who has it until free.
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
	if !l.multiplexed {
		l.use(ctx)
	}
	if l.conn != nil {
		return l.conn, nil
	}
	made, err := l.dial(ctx)
	if err != nil {
		l.free()
		return nil, inside(err)
	}
	l.conn = made
	if !l.multiplexed && ctx.Err() != nil {
		l.expire() // the end of ctx may have met the socket before
	}
	return made, nil
}

// use makes the end of a context end the socket's waits until free.
func (l *link) use(ctx context.Context) {
	if l.bound != ctx {
		l.bind(ctx)
	}
	l.using.Lock()
	l.used = true
	l.using.Unlock()
	if ctx.Err() != nil {
		l.expire() // it may have ended before
	}
}

// bind puts a context in the place of the previous one.
func (l *link) bind(ctx context.Context) {
	if l.unbind != nil && !l.unbind() {
		<-l.expired
	}
	expired := make(chan struct{})
	l.bound, l.expired = ctx, expired
	l.unbind = context.AfterFunc(ctx, func() {
		defer close(expired)
		l.expire()
	})
}

// expire ends the waits on the socket of a call or a stream.
func (l *link) expire() {
	l.using.Lock()
	defer l.using.Unlock()
	if socket := l.socket.Load(); l.used && socket != nil {
		_ = socket.SetDeadline(past) // one that is closed needs none
		l.late = true
	}
}

// free ends what open began: nothing ends the socket's waits until the next call.
func (l *link) free() {
	if l.multiplexed {
		return
	}
	l.using.Lock()
	defer l.using.Unlock()
	l.used = false
	if l.late {
		_ = l.socket.Load().SetDeadline(time.Time{}) // a socket that is closed fails the next call
		l.late = false
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
