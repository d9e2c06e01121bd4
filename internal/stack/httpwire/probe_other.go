//go:build !unix

package httpwire

import "net"

// A probe reports nothing where sockets can't be inspected: a call on a socket that the server has closed fails.
type probe struct{}

func newProbe(net.Conn) probe { return probe{} }

func (probe) state() state { return quiet }
