package worker

import (
	"net"
	"sync"
	"syscall"
)

// segments are those that TCP sent, and of them those that it sent again.
type segments struct{ out, again int64 }

func (s segments) and(more segments) segments {
	return segments{s.out + more.out, s.again + more.again}
}

// sockets are the open TCP sockets of a process, and what closed ones have sent.
type sockets struct {
	mu     sync.Mutex
	open   map[*countedConn]syscall.RawConn
	closed segments
}

// add has a socket counted, unless it is none of TCP.
func (s *sockets) add(counted *countedConn, conn net.Conn) {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[*countedConn]syscall.RawConn{}
	}
	s.open[counted] = raw
}

// end keeps what a socket has sent that is about to be closed.
func (s *sockets) end(counted *countedConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	raw, ok := s.open[counted]
	if !ok {
		return
	}
	delete(s.open, counted)
	if sent, ok := segmentsOf(raw); ok {
		s.closed = s.closed.and(sent)
	}
}

// sent returns what all sockets have sent so far; false where the system does not tell.
func (s *sockets) sent() (sum segments, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum = s.closed
	for _, raw := range s.open {
		if sent, ok := segmentsOf(raw); ok {
			sum = sum.and(sent)
		}
	}
	return sum, segmentsKnown
}
