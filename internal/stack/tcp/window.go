package tcp

import (
	"context"

	"rpcbench/internal/stack"
)

// A window is a socket that several slots of a ping_pong share.
type window struct {
	socket  *socket
	ctx     context.Context
	request []byte
}

func openWindow(c *conn, request []byte) stack.OpenStream {
	return func(ctx context.Context) (stack.MessageStream, error) {
		s := &socket{conn: c}
		if err := s.ready(ctx); err != nil {
			return nil, stack.Failure(ctx, stack.NetCode(err), err)
		}
		context.AfterFunc(ctx, func() { c.drop(s.net) })
		return &window{socket: s, ctx: ctx, request: request}, nil
	}
}

// Send is stack.MessageStream's.
func (w *window) Send() error {
	if err := w.socket.send(w.request); err != nil {
		return stack.Failure(w.ctx, stack.NetCode(err), err)
	}
	return nil
}

// Recv is stack.MessageStream's.
func (w *window) Recv(buffer []byte) ([]byte, error) {
	reply, err := w.socket.receive(buffer)
	if err != nil {
		return nil, stack.Failure(w.ctx, stack.NetCode(err), err)
	}
	return reply, nil
}
