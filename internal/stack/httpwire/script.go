package httpwire

import (
	"fmt"

	"rpcbench/internal/stack"
)

// A script is a slot's side of its calls, one at a time: what they send, and what their responses mean.
type script interface {
	// next begins a call and returns its request, until the next. With an error nothing is sent.
	next() (request, error)
	// answers says how to read a response.
	answers() reading
	// take returns what a response means for the call.
	take(r *response) error
	// verify is stack.Caller.After.
	verify() error
}

// newScript returns the script of rpcbench's own service, or of a foreign resource.
func newScript(d dialled, call stack.Call, slot int) script {
	if call.Resource != nil {
		return newForeign(d, call, slot)
	}
	return newOwn(d, call, slot)
}

// A dialed holds what the requests of a connection have in common.
type dialled struct {
	host string
	gzip bool // responses may be compressed; of our own service requests are
	once bool // a connection serves one call
}

// head begins a header: behind it come the fields of the call.
func (d dialled) head(to []byte, agent bool) []byte {
	to = fmt.Appendf(to, "host: %s\r\n", d.host)
	if agent {
		to = append(to, "user-agent: rpcbench\r\n"...)
	}
	if d.gzip {
		to = append(to, "accept-encoding: gzip\r\n"...)
	}
	if d.once {
		to = append(to, "connection: close\r\n"...)
	}
	return to
}
