package inproc_test

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"rpcbench/internal/worker/inproc"
)

func TestWhoDialsFindsWhoListensInTheSameNetwork(t *testing.T) {
	t.Parallel()
	var here, elsewhere inproc.Network
	listener, err := here.Listen("inproc:1")
	if err != nil || listener.Addr().String() != "inproc:1" || listener.Addr().Network() != "inproc" {
		t.Fatal(listener, err)
	}
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.Copy(conn, conn)
	}()
	conn, err := here.Dial(t.Context(), "inproc:1")
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 4)
	if _, err := conn.Write([]byte("ping")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != "ping" {
		t.Errorf("%q, %v", got, err)
	}
	_ = conn.SetReadDeadline(time.Now().Add(-time.Second))
	if _, err := conn.Read(got); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("behind a deadline: %v", err)
	}
	conn.Close()
	if _, err := here.Listen("inproc:1"); err == nil || err.Error() != "the address is in use" {
		t.Errorf("a second listener: %v", err)
	}
	if _, err := here.Listen(""); err == nil {
		t.Error("there is a listener without an address")
	}
	const nobody = `nothing in this process listens at "inproc:1"`
	if _, err := elsewhere.Dial(t.Context(), "inproc:1"); err == nil || err.Error() != nobody {
		t.Errorf("found in another network: %v", err)
	}
	listener.Close()
	if _, err := listener.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a closed listener: %v", err)
	}
	if _, err := here.Dial(t.Context(), "inproc:1"); err == nil {
		t.Error("a closed listener is found")
	}
}
