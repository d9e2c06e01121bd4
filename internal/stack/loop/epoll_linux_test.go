package loop

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rpcbench/internal/test/sockettest"
)

// limit is far longer than anything takes that does not hang.
const limit = 3 * time.Minute

// inKernel is a loop with a socket of the kernel, and the socket's other end.
func inKernel(t *testing.T, network, address string) (*Loop, *reader, net.Conn) {
	t.Helper()
	here, there := sockettest.Pair(t, network, address)
	l, err := New()
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{most: bufferBytes}
	socket, err := l.Adopt(here, r)
	if err != nil {
		t.Fatal(err)
	}
	r.socket = socket.(*Socket)
	t.Cleanup(func() { r.socket.Close(); l.Close() })
	return l, r, there
}

func TestASocketOfTheKernelReadsAndWrites(t *testing.T) {
	t.Parallel()
	for network, address := range map[string]string{"tcp": "127.0.0.1:0", "unix": t.TempDir() + "/s"} {
		l, r, there := inKernel(t, network, address)
		if _, err := r.socket.Write([]byte("ping")); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 10)
		if n, err := there.Read(got); string(got[:n]) != "ping" {
			t.Errorf("%s: %q arrived, %v", network, got[:n], err)
		}
		there.Write([]byte("pong"))
		for len(r.turns) == 0 {
			l.Turn()
		}
		if r.turns[0] != "pong" {
			t.Errorf("%s: read %q", network, r.turns[0])
		}
		there.Close()
		for r.err == nil {
			l.Turn()
		}
		if !errors.Is(r.err, io.EOF) {
			t.Errorf("%s: read %v at the end", network, r.err)
		}
	}
}

// The descriptor is out of Go's poller, and is the only one.
func TestAnAdoptedSocketHasOneDescriptor(t *testing.T) {
	t.Parallel()
	_, r, there := inKernel(t, "tcp", "127.0.0.1:0")
	raw, err := r.socket.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	fd := -1
	if err := raw.Control(func(lent uintptr) { fd = int(lent) }); err != nil {
		t.Fatal(err)
	}
	if _, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TYPE); err != nil {
		t.Errorf("%d is no socket: %v", fd, err)
	}
	r.socket.Close()
	if _, err := there.Read(make([]byte, 1)); !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the other end read %v: there is another descriptor", err)
	}
	if err := raw.Control(func(uintptr) { t.Error("a closed descriptor was lent") }); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a closed descriptor was lent: %v", err)
	}
}

// A peer that does not read blocks nothing. Its owner is visited when it does.
func TestNothingBlocksOnAPeer(t *testing.T) {
	t.Parallel()
	l, r, there := inKernel(t, "tcp", "127.0.0.1:0")
	var err error
	for piece := make([]byte, 1<<20); err == nil; {
		_, err = r.socket.Write(piece)
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("a write that would wait: %v", err)
	}
	go io.Copy(io.Discard, there)
	for len(r.turns) == 0 { // until there is room
		l.Turn()
	}
	if !errors.Is(r.err, os.ErrDeadlineExceeded) {
		t.Errorf("its owner read %v", r.err)
	}
}

func TestATurnInTheKernelIsRoused(t *testing.T) {
	t.Parallel()
	l, _, _ := inKernel(t, "tcp", "127.0.0.1:0")
	over := make(chan struct{})
	go func() {
		for l.Turn() {
		}
		close(over)
	}()
	l.Close()
	select {
	case <-over:
	case <-time.After(limit):
		t.Fatal("the loop did not end")
	}
}

func TestAFailureSaysWhatFailed(t *testing.T) {
	t.Parallel()
	l, r, there := inKernel(t, "tcp", "127.0.0.1:0")
	there.(*net.TCPConn).SetLinger(0)
	there.Close()
	for r.err == nil {
		l.Turn()
	}
	var failed *net.OpError
	if !errors.As(r.err, &failed) || !errors.Is(r.err, syscall.ECONNRESET) || failed.Op != "read" {
		t.Errorf("the failure is %v", r.err)
	}
}

func TestASocketWithoutADescriptorIsNotAdopted(t *testing.T) {
	t.Parallel()
	l, _, _ := inKernel(t, "tcp", "127.0.0.1:0")
	here, there := net.Pipe()
	defer there.Close()
	if _, err := l.Adopt(here, nil); err == nil {
		t.Error("it was adopted")
	}
}
