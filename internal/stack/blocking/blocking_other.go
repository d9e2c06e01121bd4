//go:build !linux

package blocking

import "net"

// Take leaves the socket to Go's poller here.
func Take(net.Conn) (yield func()) { return func() {} }
