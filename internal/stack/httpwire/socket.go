package httpwire

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"rpcbench/internal/stack"
)

// inlineBytes is how long a request may be to be written before anything is read: it fits into a socket's buffer. A longer
// one is written while its response is awaited, because a server may answer before it has read all.
const inlineBytes = 64 << 10

// idleLeast: a socket that has rested for so long is asked before a call whether the server has ended it,
// as servers do with connections that nobody uses. A shorter rest is not worth the system call.
const idleLeast = time.Second

// A socket is one slot's, opened when it is needed. Its calls are made one at a time.
type socket struct {
	dial   func(ctx context.Context) (net.Conn, error)
	once   bool // it is closed after each call
	reader *bufio.Reader
	used   time.Time       // when the last call ended
	probe  probe           // of open
	ctx    context.Context // that calls are made with
	stop   func() bool     // ends following ctx

	mu     sync.Mutex
	open   net.Conn // nil is none
	closed bool
}

// call writes a request and reads its response. Where that fails, or the server says so, the socket is closed.
func (s *socket) call(ctx context.Context, request []byte, to *response) error {
	if ctx != s.ctx {
		s.follow(ctx)
	}
	if err := s.ready(ctx); err != nil {
		return err
	}
	err := s.exchange(request, to)
	if err != nil || !to.goesOn || s.once {
		s.drop()
	}
	s.used = time.Now()
	return named(err)
}

// named says in words what an end of the connection means for a call.
func named(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return stack.Errorf(stack.Unavailable, "the server ended the connection within its response")
	case errors.Is(err, io.EOF):
		return stack.Errorf(stack.Unavailable, "the server ended the connection and did not answer")
	default:
		return err
	}
}

func (s *socket) exchange(request []byte, to *response) error {
	if len(request) <= inlineBytes {
		_, failed := s.open.Write(request)
		if err := to.read(s.reader); failed == nil || err == nil { // who does not read on may have answered
			to.goesOn = to.goesOn && failed == nil
			return err
		}
		return failed
	}
	written := make(chan error, 1)
	go func() {
		_, err := s.open.Write(request)
		written <- err
	}()
	err := to.read(s.reader)
	select {
	case failed := <-written:
		to.goesOn = to.goesOn && failed == nil
	default: // the server answered before it had all: the rest is not for it
		to.goesOn = false
		_ = s.open.SetDeadline(past) // a socket that can't is closed
		if failed := <-written; failed == nil {
			return err
		}
	}
	return err
}

var past = time.Unix(1, 0)

// ready opens the socket where it is not.
func (s *socket) ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.open != nil && (time.Since(s.used) < idleLeast || s.probe.alive()) {
		return nil
	}
	s.drop()
	opened, err := s.dial(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		opened.Close()
		return net.ErrClosed
	}
	s.open, s.probe = opened, newProbe(opened)
	s.used = time.Now()
	if s.reader == nil {
		s.reader = bufio.NewReaderSize(opened, 16<<10)
	}
	s.reader.Reset(opened)
	if ctx.Err() != nil {
		_ = opened.SetDeadline(past) // what follows ctx came before
	}
	return nil
}

// follow has a call end when ctx does. It costs nothing while the context stays the same.
func (s *socket) follow(ctx context.Context) {
	if s.stop != nil && !s.stop() {
		s.drop() // which the context before has ended, or is about to
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ctx = ctx
	s.stop = context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.open != nil && s.ctx == ctx {
			_ = s.open.SetDeadline(past) // as above
		}
	})
}

func (s *socket) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open != nil {
		s.open.Close()
		s.open = nil
	}
}

// end closes the socket for good, under a call too.
func (s *socket) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.open != nil {
		s.open.Close()
	}
}
