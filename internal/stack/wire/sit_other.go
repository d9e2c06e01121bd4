//go:build !linux

package wire

import "net"

// sit leaves the socket to Go's poller here.
func sit(net.Conn) (stand func()) { return func() {} }
