package httpwire

import (
	"context"

	"rpcbench/internal/stack"
)

// A caller makes one slot's calls over HTTP/1.1.
type caller struct {
	socket   *socket
	script   script
	response response
}

func newCaller(s *socket, own script) *caller {
	return &caller{socket: s, script: own, response: response{reading: own.answers()}}
}

// Call is stack.Caller's.
func (c *caller) Call(ctx context.Context) error {
	request, err := c.script.next()
	if err == nil {
		err = c.socket.call(ctx, request, &c.response)
	}
	if err == nil {
		err = c.script.take(&c.response)
	}
	if err != nil {
		return stack.Failure(ctx, stack.NetCode(err), err)
	}
	return nil
}

// After is stack.Caller's.
func (c *caller) After() error { return c.script.verify() }
