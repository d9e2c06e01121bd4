package httpwire

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/loop"
)

// A seat is a slot whose socket a loop serves. Its calls follow the same rules as those of a socket: see there, and RFC 9112,
// section 9.3.1, for what is sent once more.
type seat struct {
	joined *joined
	slot   int
	script script

	mu       sync.Mutex
	response response
	request  request
	call     uint64             // counts the calls, for a socket that is opened too late for one
	cancel   context.CancelFunc // ends dialling; nil while no socket is being opened
	busy     bool               // with a call
	reused   bool               // the socket had served before the call
	again    bool               // the request was sent once more
	written  int                // bytes of the request
	failed   error              // of writing it
	wrong    error              // the server said something that answers no request

	open  net.Conn   // nil is none
	below *loop.Gate // of open
}

// begin starts a call.
func (s *seat) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy, s.again, s.failed = true, false, nil
	s.call++
	var err error
	if s.request, err = s.script.next(); err == nil && s.wrong != nil {
		err, s.wrong = s.wrong, nil
	}
	switch {
	case err != nil:
		s.endSoon(failure(err))
	case s.open == nil:
		s.dial()
	default:
		s.reused = true
		s.send()
	}
}

// send begins to write the request.
func (s *seat) send() {
	s.response.start()
	s.written = 0
	s.write()
}

// write writes what the socket accepts of the request. More follows when there is room. A server that reads no further may have
// answered, so a failure counts only if there is no response.
func (s *seat) write() {
	for s.failed == nil && s.written < len(s.request.whole) && s.below.Kept() == 0 {
		var n int
		n, s.failed = s.open.Write(s.request.whole[s.written:min(len(s.request.whole), s.written+inlineBytes)])
		s.written += n
	}
}

// isUnsent reports whether some of the request was not sent.
func (s *seat) isUnsent() bool { return s.written < len(s.request.whole) || s.below.Kept() > 0 }

// dial opens a socket for the call, in a goroutine of its own.
func (s *seat) dial() {
	ctx, cancel := context.WithCancel(s.joined.ctx)
	s.cancel = cancel
	go func(call uint64) {
		defer cancel()
		open, below, err := s.joined.dial(ctx, s)
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case !s.busy || s.call != call: // it was cancelled
			if err == nil {
				stack.CloseNow(open)
			}
		case err != nil:
			s.cancel = nil
			s.endSoon(failure(err))
		default:
			s.cancel, s.open, s.below, s.reused = nil, open, below, false
			s.send()
			s.joined.loop.Ask(s) // TLS may have read ahead
		}
	}(s.call)
}

// Ready is loop.Owner's.
func (s *seat) Ready() {
	s.mu.Lock()
	over, err := s.turn()
	s.mu.Unlock()
	if over {
		s.joined.ended(s.slot, err)
	}
}

// turn writes on, and reads what there is. It reports whether the call has ended.
func (s *seat) turn() (over bool, err error) {
	if s.open == nil {
		return false, nil
	}
	s.writeOn()
	_, plain := s.open.(*loop.Gate)
	for more := true; more && s.open != nil; more = !plain {
		buffer := s.joined.loop.Buffer()
		n, failed := s.open.Read(buffer)
		if n > 0 {
			if ended, why := s.take(buffer[:n]); ended {
				over, err = true, why
			}
		}
		if errors.Is(failed, os.ErrDeadlineExceeded) {
			break
		}
		if failed != nil && s.open != nil {
			if ended, why := s.lost(failed); ended {
				over, err = true, why
			}
		}
	}
	return over, err
}

// writeOn writes what is left of the request, as far as there is room.
func (s *seat) writeOn() {
	if !s.busy || !s.isUnsent() {
		return
	}
	if err := s.below.Push(); err != nil && s.failed == nil {
		s.failed = err
	}
	s.write()
}

// take takes what arrived.
func (s *seat) take(data []byte) (over bool, err error) {
	if !s.busy {
		s.hear(data)
		return false, nil
	}
	used, whole, err := s.response.feed(data)
	switch {
	case err != nil:
		s.drop(stack.CloseNow)
		return true, s.over(err)
	case !whole:
		return false, nil
	}
	err = s.answered()
	if used < len(data) && s.open != nil {
		s.hear(data[used:])
	}
	return true, err
}

// answered ends a call whose response is complete. A server that has not read the whole request won't read the rest of it.
func (s *seat) answered() error {
	switch {
	case s.failed != nil || s.isUnsent():
		s.drop(stack.CloseNow)
	case !s.response.goesOn || s.joined.conn.once:
		s.drop(closePolitely)
	}
	return s.over(s.script.take(&s.response))
}

// over ends the call, within Ready.
func (s *seat) over(err error) error {
	s.busy = false
	if err != nil {
		return failure(err)
	}
	return s.script.verify()
}

// hear takes what answers no request. A server that says that it has waited long enough closes its socket as it should.
func (s *seat) hear(said []byte) {
	if !isTimeout(said) {
		s.wrong = broken("%.60q, which answers no request", said)
	}
	s.drop(stack.CloseNow)
}

// lost ends a socket that has failed, or that the server has ended. The call ends too, unless its request is sent once more.
func (s *seat) lost(err error) (over bool, why error) {
	if !s.busy {
		s.drop(stack.CloseNow)
		return false, nil
	}
	if err = s.response.cutOff(err); err == nil {
		return true, s.answered()
	}
	s.drop(stack.CloseNow)
	if s.reused && !s.again && !s.response.begun && (s.request.repeats || s.written == 0) && isEnd(err) {
		s.again, s.failed = true, nil
		s.joined.conn.retries.Add(1)
		s.dial()
		return false, nil
	}
	if s.failed != nil {
		err = s.failed
	}
	return true, s.over(named(err))
}

// end ends the call and its socket, from any goroutine.
func (s *seat) end(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
	if s.busy || s.joined.ctx.Err() != nil {
		s.drop(stack.CloseNow)
	}
	if s.busy {
		s.endSoon(why)
	}
}

// endSoon ends the call, outside of Ready.
func (s *seat) endSoon(err error) {
	s.busy = false
	s.joined.endSoon(s.slot, err)
}

func (s *seat) drop(by func(net.Conn)) {
	if s.open != nil {
		by(s.open)
		s.open = nil
	}
}

// failure is what a call ends with.
func failure(err error) error {
	return stack.Failure(context.Background(), stack.NetCode(err), err)
}
