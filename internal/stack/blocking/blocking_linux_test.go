package blocking

import (
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/stack/loop"
	"rpcbench/internal/test/sockettest"
)

// pairOfSockets returns a socket in blocking mode and its other end.
func pairOfSockets(t *testing.T, network, address string) (*socket, net.Conn) {
	t.Helper()
	here, there := sockettest.Pair(t, network, address)
	made, err := newSocket(here)
	if err != nil {
		t.Fatal(err)
	}
	readers.Add(1) // as Take does, and Close takes back
	t.Cleanup(func() { made.Close() })
	return made, there
}

// inUse returns when somebody reads or writes, or does not in three minutes.
func (s *socket) inUse() {
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end) && s.using.TryLock(); {
		s.using.Unlock()
		time.Sleep(time.Millisecond)
	}
}

func TestABlockingSocketReadsAndWrites(t *testing.T) {
	t.Parallel()
	for network, address := range map[string]string{"tcp": "127.0.0.1:0", "unix": t.TempDir() + "/s"} {
		s, other := pairOfSockets(t, network, address)
		if _, err := s.Write([]byte("ping")); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 10)
		if n, err := other.Read(got); string(got[:n]) != "ping" {
			t.Errorf("%s: %q arrived, %v", network, got[:n], err)
		}
		go func() { s.inUse(); other.Write([]byte("pong")); other.Close() }()
		if n, err := s.Read(got); string(got[:n]) != "pong" {
			t.Errorf("%s: read %q, %v", network, got[:n], err)
		}
		if _, err := s.Read(got); !errors.Is(err, io.EOF) {
			t.Errorf("%s: read %v at the end", network, err)
		}
	}
}

func TestAReaderInTheKernelReturnsNowAndThen(t *testing.T) {
	t.Parallel()
	s, _ := pairOfSockets(t, "tcp", "127.0.0.1:0")
	failed := syscall.EINTR // of Go's own signals
	for failed == syscall.EINTR {
		_, failed = loop.Receive(s.fd, make([]byte, 1))
	}
	if failed != syscall.EAGAIN {
		t.Errorf("it returned %v", failed)
	}
}

func TestAReaderIsRoused(t *testing.T) {
	t.Parallel()
	s, _ := pairOfSockets(t, "tcp", "127.0.0.1:0")
	for range 3 {
		go func() { s.inUse(); s.SetReadDeadline(time.Unix(1, 0)) }()
		if _, err := s.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the reader returned %v", err)
		}
		s.SetReadDeadline(time.Time{})
	}
}

// Who reads keeps a processor of Go's, and gives it back when the world is to stop.
func TestTheWorldStopsWhileSomebodyReads(t *testing.T) {
	s, other := pairOfSockets(t, "tcp", "127.0.0.1:0")
	read := make(chan error, 1)
	go func() {
		_, err := s.Read(make([]byte, 1))
		read <- err
	}()
	s.inUse()
	for range 20 {
		runtime.GC()
	}
	other.Write([]byte("a"))
	if err := <-read; err != nil {
		t.Errorf("the reader returned %v", err)
	}
}

func TestCloseWakesWhoUsesTheSocket(t *testing.T) {
	t.Parallel()
	for what, use := range map[string]func(s *socket) error{
		"reader": func(s *socket) error {
			_, err := s.Read(make([]byte, 1))
			return err
		},
		"writer": func(s *socket) (err error) {
			for err == nil { // more may fit in since
				_, err = s.Write(make([]byte, 1<<20))
			}
			return err
		},
	} {
		s, _ := pairOfSockets(t, "tcp", "127.0.0.1:0")
		for full := syscall.Errno(0); full != syscall.EAGAIN; {
			_, full = loop.Send(s.fd, make([]byte, 1<<20))
		}
		go func() { s.inUse(); s.Close() }()
		if err := use(s); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("the %s was told %v", what, err)
		}
		if s.Close() == nil {
			t.Errorf("the %s's socket was closed twice", what)
		}
	}
}

func TestAHurriedWriteDoesNotWait(t *testing.T) {
	t.Parallel()
	s, _ := pairOfSockets(t, "tcp", "127.0.0.1:0")
	s.SetWriteDeadline(time.Now())
	for range 1000 {
		if _, err := s.Write(make([]byte, 1<<20)); err != nil {
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("the write failed with %v", err)
			}
			return
		}
	}
	t.Error("a gigabyte was written to nobody")
}

// A processor is given back once, by yield or by Close, and the reader goes on.
func TestAReaderWithoutItsProcessorReadsOn(t *testing.T) {
	s, other := pairOfSockets(t, "tcp", "127.0.0.1:0")
	before := readers.Load()
	s.yield()
	other.Write([]byte("pong"))
	got := make([]byte, 10)
	if n, err := s.Read(got); string(got[:n]) != "pong" {
		t.Errorf("read %q, %v", got[:n], err)
	}
	go func() { s.inUse(); s.SetReadDeadline(time.Unix(1, 0)) }()
	if _, err := s.Read(got); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the reader returned %v", err)
	}
	s.Close()
	if gave := before - readers.Load(); gave != 1 {
		t.Errorf("%d readers were given back, want 1", gave)
	}
}
