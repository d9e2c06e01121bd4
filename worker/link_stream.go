package worker

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"rpcbench/internal/stack"
)

// A linkStream is a stream on a link. Errors are io.EOF and *stack.Error.
type linkStream struct {
	link   *link
	conn   Conn
	stream ClientStream
	ctx    context.Context
	cancel context.CancelFunc // ends the stream
	stop   func() bool        // keeps the end of ctx from ending the connection
	sent   atomic.Bool        // all: the server knows that nothing follows
	over   atomic.Bool        // Recv has ended the stream
}

// lend reports whether a stream of ctx may take the link, which no other stream has.
func (l *link) lend(ctx context.Context) bool {
	l.lending.Lock()
	defer l.lending.Unlock()
	if l.lent != nil && l.lent.Err() == nil {
		return false
	}
	l.lent = ctx
	return true
}

// stream opens a stream that lives until ctx is done. Errors are *stack.Error.
func (l *link) stream(ctx context.Context) (*linkStream, error) {
	ctx, cancel := context.WithCancel(ctx)
	s := &linkStream{link: l, ctx: ctx, cancel: cancel, stop: func() bool { return true }}
	if err := s.open(); err != nil {
		cancel()
		return nil, err
	}
	return s, nil
}

func (s *linkStream) open() (err error) {
	if s.conn, err = s.link.open(s.ctx); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			s.link.free()
		}
	}()
	streamer, ok := s.conn.(Streamer)
	if !ok {
		return stack.Errorf(stack.Unimplemented, "the stack has Streams, and its %T has no method Stream", s.conn)
	}
	if s.stream, err = streamer.Stream(s.ctx); err != nil {
		s.link.failed(s.ctx, s.conn, err)
		return inside(err)
	}
	if !s.link.multiplexed {
		s.link.hold(s)
		s.stop = context.AfterFunc(s.ctx, func() { s.link.release(s, false) })
	}
	return nil
}

// hold notes that a stream has the connection.
func (l *link) hold(s *linkStream) {
	l.turn <- struct{}{}
	l.streaming = s
	<-l.turn
}

// release ends a stream's hold of the connection, which is closed unless the stream has ended on both sides.
func (l *link) release(s *linkStream, whole bool) {
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	if l.streaming != s {
		return
	}
	l.streaming = nil
	defer l.free()
	if !whole {
		l.discard()
		return
	}
	if l.unbind != nil && l.unbind() {
		l.bound, l.unbind = nil, nil
	}
}

// Send sends a message.
func (s *linkStream) Send(message []byte) error { return s.sender(s.stream.Send(message)) }

// CloseSend says that all is sent.
func (s *linkStream) CloseSend() error {
	s.sent.Store(true)
	return s.sender(s.stream.CloseSend())
}

// sender makes the error of who sends: where Recv has ended the stream, that is the one who knows why.
func (s *linkStream) sender(err error) error {
	if err != nil && s.over.Load() {
		return io.EOF
	}
	return ended(err)
}

// Recv returns the next message. With an error the stream has ended, and its connection is free or closed.
func (s *linkStream) Recv() ([]byte, error) {
	message, err := s.stream.Recv()
	if err == nil {
		return message, nil
	}
	s.over.Store(true)
	s.stop()
	if s.link.multiplexed && !errors.Is(err, io.EOF) {
		s.link.failed(s.ctx, s.conn, err)
	} else if !s.link.multiplexed {
		s.link.release(s, s.sent.Load() && (errors.Is(err, io.EOF) || isAnswer(err)))
	}
	s.cancel()
	return nil, ended(err)
}

// ended makes rpcbench's own error of a stream's, but for io.EOF.
func ended(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return inside(err)
}
