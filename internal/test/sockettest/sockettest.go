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

// Pair returns both ends of a connection of the kernel, which end with the test.
func Pair(t testing.TB, network, address string) (here, there net.Conn) {
	t.Helper()
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if here, err = net.Dial(network, listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { here.Close() })
	if there, err = listener.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { there.Close() })
	return here, there
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
