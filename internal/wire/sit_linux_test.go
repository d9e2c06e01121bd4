package wire

import (
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// pairOfSockets returns a sitting socket and its other end.
func pairOfSockets(t *testing.T, network, address string) (*sitting, net.Conn) {
	t.Helper()
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	here, err := net.Dial(network, listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	there, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	made, err := newSitting(here)
	if err != nil {
		t.Fatal(err)
	}
	seats.Add(1) // as sit does, and Close takes back
	t.Cleanup(func() { made.Close(); there.Close() })
	return made.(*sitting), there
}

func TestASittingSocketReadsAndWrites(t *testing.T) {
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
		time.AfterFunc(3*rouseEvery, func() { other.Write([]byte("pong")); other.Close() })
		if n, err := s.Read(got); string(got[:n]) != "pong" {
			t.Errorf("%s: read %q, %v", network, got[:n], err)
		}
		if _, err := s.Read(got); !errors.Is(err, io.EOF) {
			t.Errorf("%s: read %v at the end", network, err)
		}
	}
}

func TestASittingReaderIsRoused(t *testing.T) {
	t.Parallel()
	s, _ := pairOfSockets(t, "tcp", "127.0.0.1:0")
	for range 3 {
		time.AfterFunc(time.Millisecond, func() { s.SetReadDeadline(past) })
		if _, err := s.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the reader returned %v", err)
		}
		s.SetReadDeadline(time.Time{})
	}
}

// Who reads keeps a processor of Go's, and gives it back when the world is to stop.
func TestTheWorldStopsWhileSomebodySits(t *testing.T) {
	s, other := pairOfSockets(t, "tcp", "127.0.0.1:0")
	read := make(chan error, 1)
	go func() {
		_, err := s.Read(make([]byte, 1))
		read <- err
	}()
	for range 20 {
		runtime.GC()
	}
	other.Write([]byte("a"))
	if err := <-read; err != nil {
		t.Errorf("the reader returned %v", err)
	}
}

func TestCloseWakesWhoSits(t *testing.T) {
	t.Parallel()
	s, _ := pairOfSockets(t, "tcp", "127.0.0.1:0")
	ended := make(chan error, 2)
	go func() {
		_, err := s.Read(make([]byte, 1))
		ended <- err
	}()
	go func() {
		var err error
		for err == nil { // until the buffers are full, and then it waits
			_, err = s.Write(make([]byte, 1<<20))
		}
		ended <- err
	}()
	time.AfterFunc(5*time.Millisecond, func() { s.Close() })
	for range 2 {
		if err := <-ended; err == nil || errors.Is(err, io.EOF) {
			t.Errorf("who used it was told %v", err)
		}
	}
	if s.Close() == nil {
		t.Error("it was closed twice")
	}
}

func TestAHurriedWriteDoesNotWait(t *testing.T) {
	t.Parallel()
	s, _ := pairOfSockets(t, "tcp", "127.0.0.1:0")
	s.SetWriteDeadline(time.Now())
	for range 1000 {
		if _, err := s.Write(make([]byte, 1<<20)); err != nil {
			if !errors.Is(err, syscall.EAGAIN) {
				t.Errorf("the write failed with %v", err)
			}
			return
		}
	}
	t.Error("a gigabyte was written to nobody")
}
