package worker

import (
	"errors"
	"net"
	"testing"
)

// dialled returns a counted connection to a listener that lasts as long as the test.
func dialled(t *testing.T) (*wire, net.Conn, net.Listener) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	w := &wire{}
	conn, err := w.dial(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return w, conn, listener
}

// What a closed socket has sent is kept, and one of another kind counts nothing.
func TestSegmentsAreCountedByTCP(t *testing.T) {
	t.Parallel()
	w, conn, listener := dialled(t)
	peer, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	before, known := w.tcp.sent()
	for range 5 {
		if _, err := conn.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		if _, err := peer.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
	after, _ := w.tcp.sent()
	if !known || after.out-before.out < 5 || after.again < before.again {
		t.Errorf("before %+v, after %+v, known %v", before, after, known)
	}
	conn.Close()
	conn.Close()
	if closed, _ := w.tcp.sent(); closed.out < after.out || len(w.tcp.open) != 0 {
		t.Errorf("closed: %+v of %+v, %d open", closed, after, len(w.tcp.open))
	}
	one, other := net.Pipe()
	defer other.Close()
	w.count(one)
	if len(w.tcp.open) != 0 {
		t.Error("a pipe has segments")
	}
}

// The kernel's counters have 32 bits. What a socket has sent goes on when they begin anew, and is kept when it is closed.
func TestSegmentsGoOnWhereTheKernelsCountersEnd(t *testing.T) {
	t.Parallel()
	w, conn, _ := dialled(t)
	const last = int64(1<<32 - 1)
	for _, socket := range w.tcp.open {
		socket.sent = segments{out: last, again: 7<<32 + last, in: last}
	}
	sent, known := w.tcp.sent()
	few := func(n int64) bool { return n > 0 && n < 1000 } // the handshake's
	if !known || !few(sent.out-last) || !few(sent.again-7<<32-last) || !few(sent.in-last) {
		t.Errorf("sent %+v, known %v; want a few more than %d and %d", sent, known, last, 7<<32+last)
	}
	conn.Close()
	if closed, _ := w.tcp.sent(); closed.out < sent.out || closed.again != sent.again || closed.in < sent.in {
		t.Errorf("closed: %+v of %+v", closed, sent)
	}
}

// A socket that a stack has put in the place of its own is asked in its stead.
func TestSegmentsOfAReplacedSocketAreCounted(t *testing.T) {
	t.Parallel()
	w, conn, listener := dialled(t)
	var replaced net.Conn
	rebase := func(old net.Conn) (net.Conn, error) {
		var err error
		replaced, err = net.Dial("tcp", listener.Addr().String())
		return replaced, errors.Join(err, old.Close())
	}
	if err := conn.(*rawCountedConn).Rebase(rebase); err != nil {
		t.Fatal(err)
	}
	if sent, known := w.tcp.sent(); !known || sent.out == 0 || sent.in == 0 {
		t.Errorf("sent %+v, known %v", sent, known)
	}
	raw, err := conn.(*rawCountedConn).SyscallConn()
	if err == nil {
		err = raw.Control(func(uintptr) {})
	}
	if err != nil {
		t.Errorf("the socket below can't be asked: %v", err)
	}
	replaced.Close()
	if _, known := w.tcp.sent(); known {
		t.Error("a socket that can't be asked is missing, and the sum is said to be known")
	}
}
