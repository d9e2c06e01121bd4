package worker

import (
	"net"
	"sync"
	"syscall"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

// segments are those that TCP sent, of them those that it sent again, and those that arrived.
type segments struct{ out, again, in int64 }

func (s segments) and(more segments) segments {
	return segments{s.out + more.out, s.again + more.again, s.in + more.in}
}

// An askedSocket is an open socket, and what it had sent when it was last asked.
type askedSocket struct {
	raw  syscall.RawConn
	sent segments
}

// ask returns what the socket has sent so far.
func (a *askedSocket) ask() (sent segments, known bool) {
	now, known := segmentsOf(a.raw)
	if known {
		a.sent = segments{
			host.CountOn(a.sent.out, now.out), host.CountOn(a.sent.again, now.again), host.CountOn(a.sent.in, now.in),
		}
	}
	return a.sent, known
}

// sockets are the open TCP sockets of a process, and what closed ones have sent.
type sockets struct {
	mu     sync.Mutex
	open   map[*countedConn]*askedSocket
	closed segments
}

// add has a socket counted, unless it is none of TCP.
func (s *sockets) add(counted *countedConn, conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		s.put(counted, tcp)
	}
}

// move has a socket counted by what took its place. What has no descriptor to ask by counts nothing more.
func (s *sockets) move(counted *countedConn, other net.Conn) {
	s.mu.Lock()
	_, isOpen := s.open[counted]
	s.mu.Unlock()
	if conn, ok := other.(syscall.Conn); ok && isOpen {
		s.put(counted, conn)
	}
}

func (s *sockets) put(counted *countedConn, conn syscall.Conn) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[*countedConn]*askedSocket{}
	}
	s.open[counted] = &askedSocket{raw: raw}
}

// end keeps what a socket has sent that is about to be closed.
func (s *sockets) end(counted *countedConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	socket, ok := s.open[counted]
	if !ok {
		return
	}
	delete(s.open, counted)
	if sent, ok := socket.ask(); ok {
		s.closed = s.closed.and(sent)
	}
}

// addSegments adds what all sockets have sent, where the system tells.
func addSegments(s *control.Snapshot, of *sockets) {
	if sent, known := of.sent(); known {
		s.SegmentsOut, s.SegmentsIn, s.Retransmits = new(sent.out), new(sent.in), new(sent.again)
	}
}

// sent returns what all sockets have sent so far; false where the system does not tell.
func (s *sockets) sent() (sum segments, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum, known = s.closed, segmentsKnown
	for _, socket := range s.open {
		sent, ok := socket.ask()
		if !ok {
			known = false // some are missing from the sum
		}
		sum = sum.and(sent)
	}
	return sum, known
}
