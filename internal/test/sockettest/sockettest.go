// Package sockettest provides servers on bare sockets, for tests of clients with servers that misbehave, and in-memory
// sockets, for tests in virtual time.
package sockettest

import (
	"net"
	"testing"
)

// Serve has talk look after every connection to an address on loopback, which it returns, each in its own goroutine. A
// connection that talk does not close ends with the test.
func Serve(t testing.TB, talk func(net.Conn)) (address string) {
	t.Helper()
	return ServeOn(t, listen(t), talk)
}

// ServeOn is Serve on a listener that exists, and will be closed.
func ServeOn(t testing.TB, listener net.Listener, talk func(net.Conn)) (address string) {
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
			go talk(conn)
		}
	}()
	return listener.Addr().String()
}

// ClosedPort returns an address on loopback where nobody listens until the test ends. It is the address of a client, so that
// no other listener gets it.
func ClosedPort(t testing.TB) (address string) {
	t.Helper()
	client, err := net.Dial("tcp", Serve(t, func(net.Conn) {}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client.LocalAddr().String()
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}
