package stack_test

import (
	"crypto/tls"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/sockettest"
	"rpcbench/internal/worker/credential"
)

// A peer that reads nothing, whose socket is full, holds up nobody who closes.
func TestCloseNowDoesNotWaitForThePeer(t *testing.T) {
	t.Parallel()
	set, err := credential.New()
	if err != nil {
		t.Fatal(err)
	}
	key, err := tls.X509KeyPair(set.Server.CertPEM, set.Server.KeyPEM)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		pipes := sockettest.NewPipes()
		pipes.Room = 4096
		defer pipes.Close()
		sockettest.ServeOn(t, pipes, func(conn net.Conn) {
			_ = tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{key}}).Handshake()
		})
		raw, err := pipes.Dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		socket := tls.Client(raw, &tls.Config{InsecureSkipVerify: true})
		if err := socket.Handshake(); err != nil {
			t.Fatal(err)
		}
		socket.SetWriteDeadline(time.Now().Add(time.Second))
		for err == nil {
			_, err = socket.Write(make([]byte, 1000))
		}
		begun := time.Now()
		stack.CloseNow(socket)
		if took := time.Since(begun); took != 0 {
			t.Errorf("to close took %v", took)
		}
	})
}
