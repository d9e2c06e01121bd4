package tcp

import (
	"context"

	"rpcbench/internal/stack"
)

// A window is a socket that several slots of a ping_pong or of bursts share.
type window struct {
	socket   *socket
	ctx      context.Context
	requests requests
}

func openWindow(c *conn, all requests) stack.OpenStream {
	return func(ctx context.Context) (stack.MessageStream, error) {
		s := &socket{conn: c}
		if err := s.ready(ctx); err != nil {
			return nil, stack.Failure(ctx, stack.NetCode(err), err)
		}
		context.AfterFunc(ctx, func() { c.drop(s.net) })
		return &window{socket: s, ctx: ctx, requests: all.own()}, nil
	}
}

// Send is stack.MessageStream's.
func (w *window) Send(message stack.Message, more bool) (bytes int, err error) {
	if err := w.socket.send(w.requests.next(message, more), more); err != nil {
		return 0, stack.Failure(w.ctx, stack.NetCode(err), err)
	}
	return 0, nil
}

// End is stack.MessageStream's. Here nothing begins and ends a stream but its socket, which goes on.
func (*window) End() error { return nil }

// Recv is stack.MessageStream's.
func (w *window) Recv(buffer stack.Reply) (stack.Reply, error) {
	reply, err := w.socket.receive(buffer)
	if err != nil {
		return stack.Reply{}, stack.Failure(w.ctx, stack.NetCode(err), err)
	}
	return reply, nil
}
