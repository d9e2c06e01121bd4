package grpcgo

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"rpcbench/internal/stack"
)

// An outgoing makes the messages of a method, one at a time.
type outgoing struct {
	method *stack.Method
	raw    rawMessage
}

func newOutgoing(method *stack.Method) outgoing {
	o := outgoing{method: method}
	o.raw.bytes, o.raw.shared = method.Requests.Constant()
	return o
}

// message returns message i of a call, until the next.
func (o *outgoing) message(call uint64, i int) (*rawMessage, error) {
	if o.raw.shared {
		return &o.raw, nil
	}
	var err error
	o.raw.bytes, err = o.method.Append(o.raw.bytes[:0], call, i)
	return &o.raw, err
}

// A header puts a method's metadata into contexts.
type header struct {
	list   []stack.Metadatum
	varies bool
	from   context.Context // that joined was made of
	joined context.Context
}

func newHeader(method *stack.Method) header {
	h := header{list: method.Metadata}
	for _, m := range h.list {
		if _, ok := m.Constant(); !ok {
			h.varies = true
		}
	}
	return h
}

// join returns a context with a call's metadata. It costs nothing where calls have the same, and the same context.
func (h *header) join(ctx context.Context, call uint64) (context.Context, error) {
	switch {
	case len(h.list) == 0:
		return ctx, nil
	case !h.varies && ctx == h.from:
		return h.joined, nil
	}
	pairs := metadata.MD{}
	for _, m := range h.list {
		value, err := m.Append(nil, call)
		if err != nil {
			return ctx, stack.Errorf(stack.InvalidArgument, "the metadata can't be made: %w", err)
		}
		pairs.Append(m.Name, string(value))
	}
	h.from, h.joined = ctx, metadata.NewOutgoingContext(ctx, pairs)
	return h.joined, nil
}

// A foreignEcho is an open stream of ping_pong.
type foreignEcho struct {
	ctx    context.Context
	stream grpc.ClientStream
	method *stack.Method
	out    outgoing
	sent   int    // messages
	call   uint64 // that opened it
}

// openEcho is stack.OpenStream's.
func (f *foreign) openEcho(ctx context.Context) (stack.MessageStream, error) {
	own := foreign{grpc: f.grpc, method: f.method, header: newHeader(f.method), options: f.options, desc: f.desc}
	call := f.method.NextCall()
	stream, err := own.open(ctx, call)
	if err != nil {
		return nil, foreignFailure(ctx, err)
	}
	return &foreignEcho{ctx: ctx, stream: stream, method: f.method, out: newOutgoing(f.method), call: call}, nil
}

// Send is stack.MessageStream's.
func (e *foreignEcho) Send(stack.Message, bool) (bytes int, err error) {
	if e.sent > 0 {
		e.call = e.method.NextCall()
	}
	message, err := e.out.message(e.call, e.sent)
	if err == nil {
		err = e.stream.SendMsg(message)
	}
	switch {
	case errors.Is(err, io.EOF):
		return 0, err
	case err != nil:
		return 0, foreignFailure(e.ctx, err)
	}
	e.sent++
	return len(message.bytes), nil
}

// Recv implements stack.MessageStream. It does not decode the reply; only its length is known.
func (e *foreignEcho) Recv(stack.Reply) (stack.Reply, error) {
	var in rawReply
	err := e.stream.RecvMsg(&in)
	switch {
	case errors.Is(err, io.EOF):
		return stack.Reply{}, err
	case err != nil:
		return stack.Reply{}, foreignFailure(e.ctx, err)
	}
	return stack.Reply{Bytes: in.bytes}, nil
}

// End is stack.MessageStream's.
func (e *foreignEcho) End() error {
	if err := e.stream.CloseSend(); err != nil {
		return foreignFailure(e.ctx, err)
	}
	var in rawReply
	switch err := e.stream.RecvMsg(&in); {
	case err == nil:
		return stack.Errorf(stack.Internal, "a message arrived that answers no request")
	case errors.Is(err, io.EOF):
		return nil
	default:
		return foreignFailure(e.ctx, err)
	}
}
