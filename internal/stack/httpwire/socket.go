package httpwire

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"rpcbench/internal/stack"
)

// inlineBytes is the maximum length of a request that is written before anything is read: it fits into a socket's buffer. A
// longer one is written while its response is awaited, because a server may answer before it has read everything.
const inlineBytes = 64 << 10

// minIdle is the idle time after which a socket is checked before a call: whether the server has closed it, as servers do with
// unused connections, or has sent something unexpected. A shorter idle time is not worth the system call.
const minIdle = time.Millisecond

// A socket is one slot's, opened when it is needed. Its calls are made one at a time.
type socket struct {
	dial    func(ctx context.Context) (net.Conn, error)
	once    bool          // it is closed after each call
	retries *atomic.Int64 // requests that went out once more
	reader  *bufio.Reader
	used    time.Time       // when the last call ended
	probe   probe           // of open
	ctx     context.Context // that calls are made with
	stop    func() bool     // ends following ctx

	mu     sync.Mutex
	open   net.Conn // nil is none
	closed bool
}

// A request is the request of a call.
type request struct {
	whole []byte
	// repeats says that the server does the same when it gets it twice.
	repeats bool
}

// call writes a request and reads its response. Where that fails, or the server says so, the socket is closed. A request
// that found the end of a connection which had served before goes out once more on another one, if nothing of it was
// written, or it does the same twice: as in RFC 9112, section 9.3.1, and as Go's client has it.
func (s *socket) call(ctx context.Context, r request, to *response) error {
	if ctx != s.ctx {
		s.follow(ctx)
	}
	reused, err := s.ready(ctx)
	if err != nil {
		return err
	}
	written, err := s.exchange(r.whole, to)
	if err != nil && reused && !to.begun && (r.repeats || written == 0) && isEnd(err) {
		s.retries.Add(1)
		s.drop(stack.CloseNow)
		if _, err = s.ready(ctx); err == nil {
			_, err = s.exchange(r.whole, to)
		}
	}
	switch {
	case err != nil:
		s.drop(stack.CloseNow)
	case !to.goesOn || s.once:
		s.drop(closePolitely)
	}
	s.used = time.Now()
	return named(err)
}

func closePolitely(open net.Conn) { open.Close() }

// isEnd reports whether an error is the end of a connection by the server.
func isEnd(err error) bool {
	return stack.IsNetError(err) && !errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(err, net.ErrClosed)
}

// named returns an error that explains what the end of the connection means for a call.
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

// exchange writes a request, reads its response, and returns how much of the request was written.
func (s *socket) exchange(request []byte, to *response) (written int, err error) {
	if len(request) > inlineBytes {
		return s.exchangeLong(request, to)
	}
	written, failed := s.open.Write(request)
	err = to.read(s.reader)
	if failed != nil && err != nil {
		return written, failed
	}
	to.goesOn = to.goesOn && failed == nil // who does not read on may have answered
	return written, err
}

// exchangeLong reads the response while the request is written. When it is there, a request that the server has read is
// written; of another one the rest is not for it.
func (s *socket) exchangeLong(request []byte, to *response) (written int, err error) {
	var failed error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		written, failed = s.open.Write(request)
	}()
	err = to.read(s.reader)
	_ = s.open.SetWriteDeadline(past) // a socket that can't is closed
	<-ended
	_ = s.open.SetWriteDeadline(time.Time{})
	to.goesOn = to.goesOn && failed == nil
	return written, err
}

var past = time.Unix(1, 0)

// ready opens the socket where it is not, and reports whether it was. An answer to nothing, which came before the request, is
// an error.
func (s *socket) ready(ctx context.Context) (reused bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if s.open != nil {
		fit, err := s.isFit(ctx)
		if fit {
			return true, nil
		}
		s.drop(stack.CloseNow)
		if err != nil {
			return false, err
		}
	}
	return false, s.reopen(ctx)
}

// isFit reports whether an open socket takes another request.
func (s *socket) isFit(ctx context.Context) (fit bool, err error) {
	if s.reader.Buffered() == 0 {
		if time.Since(s.used) < minIdle {
			return true, nil
		}
		_, secure := s.open.(*tls.Conn)
		switch state := s.probe.state(); {
		case state == ended, state == spoken && secure: // which is TLS's farewell
			return false, nil
		case secure:
			s.peek(ctx)
		case state == spoken:
			_, _ = s.reader.Peek(1) // it is there
		}
	}
	said, _ := s.reader.Peek(s.reader.Buffered())
	switch {
	case len(said) == 0:
		return true, nil
	case isTimeout(said):
		return false, nil
	}
	return false, broken("%.60q, which answers no request", said)
}

// peek looks whether TLS has read more than was asked for, and waits for nothing.
func (s *socket) peek(ctx context.Context) {
	_ = s.open.SetReadDeadline(past)
	_, _ = s.reader.Peek(1)
	_ = s.open.SetReadDeadline(time.Time{})
	if ctx.Err() != nil {
		_ = s.open.SetDeadline(past) // as in reopen
	}
}

// isTimeout reports whether a server says that it has waited long enough, before it closes.
func isTimeout(said []byte) bool {
	return bytes.HasPrefix(said, []byte("HTTP/1.1 408 ")) || bytes.HasPrefix(said, []byte("HTTP/1.0 408 "))
}

func (s *socket) reopen(ctx context.Context) error {
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
		s.drop(stack.CloseNow) // which the context before has ended, or is about to
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

func (s *socket) drop(by func(net.Conn)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open != nil {
		by(s.open)
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
