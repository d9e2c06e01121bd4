package stack

import (
	"crypto/tls"
	"net"
)

// CloseNow closes a socket without TLS's farewell, for which Close waits up to 5 s where the peer reads nothing.
func CloseNow(socket net.Conn) {
	if secure, ok := socket.(*tls.Conn); ok {
		socket = secure.NetConn()
	}
	socket.Close()
}
