package httpwire

import (
	"bufio"
	"context"
	"net"
	"sync"
	"time"
)

// inlineBytes is how long a request may be to be written before anything is read: it fits into a socket's buffer. A longer
// one is written while its response is awaited, because a server may answer before it has read all.
const inlineBytes = 64 << 10

// A socket is one slot's, opened when it is needed. Its calls are made one at a time.
type socket struct {
	dial   func(ctx context.Context) (net.Conn, error)
	reader *bufio.Reader
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
	if err != nil || !to.goesOn {
		s.drop()
	}
	return err
}

func (s *socket) exchange(request []byte, to *response) error {
	if len(request) <= inlineBytes {
		if _, err := s.open.Write(request); err != nil {
			return err
		}
		return to.read(s.reader)
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
	if s.open != nil {
		return nil
	}
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
	s.open = opened
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
	if s.stop != nil {
		s.stop()
	}
	s.ctx = ctx
	s.stop = context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.open != nil {
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
