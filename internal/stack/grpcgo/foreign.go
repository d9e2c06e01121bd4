package grpcgo

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"

	"rpcbench/internal/stack"
)

// A foreign makes one slot's calls of a method that is not ours. Messages go as they come, and replies are not decoded.
type foreign struct {
	grpc    *grpc.ClientConn
	method  *stack.Method
	header  header
	options []grpc.CallOption
	desc    grpc.StreamDesc
	count   int // Call.Messages
	replies stack.Replies
	out     outgoing
	in      rawReply
	due     chan struct{} // holds one: the next message may be due
}

func newForeign(c *conn, call stack.Call, slot int) foreign {
	f := foreign{
		grpc: c.grpc, method: call.Method, header: newHeader(call.Method), options: foreignOptions(c.share), count: call.Messages,
		replies: stack.NewReplies(call, slot), out: newOutgoing(call.Method),
		desc: grpc.StreamDesc{
			ClientStreams: call.Kind != stack.KindDownload, ServerStreams: call.Kind != stack.KindUpload,
		},
		due: make(chan struct{}, 1),
	}
	due := f.due
	f.replies.WakeSender(func() {
		select {
		case due <- struct{}{}:
		default:
		}
	})
	return f
}

// foreignOptions let every reply be as long as a slot's share.
func foreignOptions(share int) []grpc.CallOption {
	return []grpc.CallOption{grpc.ForceCodecV2(raw{}), grpc.MaxCallRecvMsgSize(share)}
}

// callerOfMethod makes the Caller of a method.
func (c *conn) callerOfMethod(call stack.Call, slot int) stack.Caller {
	switch f := newForeign(c, call, slot); call.Kind {
	case stack.KindUpload:
		if call.Method.Paced() {
			return newForeignStream(f) // or a server that ends the stream would be noticed with the next message only
		}
		return &foreignUpload{f}
	case stack.KindDownload:
		return &foreignDownload{f}
	case stack.KindStream:
		return newForeignStream(f)
	case stack.KindPingPong:
		return c.shared.Caller(call, slot, c.inFlight, f.openEcho)
	default:
		return &foreignUnary{f}
	}
}

// After is stack.Caller's.
func (f *foreign) After() error { return f.replies.Verify() }

// open opens a stream for a call.
func (f *foreign) open(ctx context.Context, call uint64) (grpc.ClientStream, error) {
	ctx, err := f.header.join(ctx, call)
	if err != nil {
		return nil, err
	}
	return f.grpc.NewStream(ctx, &f.desc, f.method.Path, f.options...)
}

// send sends the messages of a call, each when it is due, and half-closes. It returns nil where the server has ended the
// stream, or ctx did: the reply says why.
func (f *foreign) send(ctx context.Context, stream grpc.ClientStream, call uint64) error {
	count := f.count
	if count == 0 {
		count = f.method.Requests.Messages(call)
	}
	for i := range count {
		if !f.await(ctx, i) {
			return nil
		}
		message, err := f.out.message(call, i)
		if err == nil {
			err = stream.SendMsg(message)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		f.replies.AddSent(len(message.bytes))
	}
	return stream.CloseSend()
}

// await waits until message i is due. It is false when ctx ends before.
func (f *foreign) await(ctx context.Context, i int) bool {
	for !f.replies.Sending(i) {
		select {
		case <-f.due:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// receive takes replies until the server ends the stream, or, with a count, has sent more.
func (f *foreign) receive(stream grpc.ClientStream, most int) error {
	for got := 0; ; got++ {
		err := stream.RecvMsg(&f.in)
		switch {
		case errors.Is(err, io.EOF), err == nil && most > 0 && got == most:
			return nil
		case err != nil:
			return err
		}
		f.replies.AddBytes(f.in.bytes)
	}
}

// receiveOne takes the one reply of an upload.
func (f *foreign) receiveOne(stream grpc.ClientStream) error {
	err := stream.RecvMsg(&f.in)
	switch {
	case errors.Is(err, io.EOF):
		return stack.Errorf(stack.Internal, "the server sent status OK without a reply")
	case err == nil:
		f.replies.AddBytes(f.in.bytes)
	}
	return err
}

// end ends a call.
func (f *foreign) end(ctx context.Context, err error) error {
	if err != nil {
		return foreignFailure(ctx, err)
	}
	f.replies.End()
	return nil
}

// foreignFailure is failure, but of errors that have a code already.
func foreignFailure(ctx context.Context, err error) error {
	if failed, ok := errors.AsType[*stack.Error](err); ok {
		return stack.Failure(ctx, failed.Code, failed)
	}
	return failure(ctx, err)
}

type foreignUnary struct{ foreign }

// Call is stack.Caller's.
func (f *foreignUnary) Call(ctx context.Context) error {
	f.replies.Begin()
	return f.end(ctx, f.invoke(ctx, f.method.NextCall()))
}

func (f *foreignUnary) invoke(ctx context.Context, call uint64) error {
	message, err := f.out.message(call, 0)
	if err != nil {
		return err
	}
	joined, err := f.header.join(ctx, call)
	if err != nil {
		return err
	}
	if err := f.grpc.Invoke(joined, f.method.Path, message, &f.in, f.options...); err != nil {
		return err
	}
	f.replies.AddSent(len(message.bytes))
	f.replies.AddBytes(f.in.bytes)
	return nil
}

type foreignUpload struct{ foreign }

// Call is stack.Caller's.
func (f *foreignUpload) Call(ctx context.Context) error {
	f.replies.Begin()
	life, cancel := context.WithCancel(ctx)
	defer cancel() // of a stream that could not be sent to its end
	call := f.method.NextCall()
	stream, err := f.open(life, call)
	if err == nil {
		err = f.send(life, stream, call)
	}
	if err == nil {
		err = f.receiveOne(stream)
	}
	return f.end(ctx, err)
}

type foreignDownload struct{ foreign }

// Call is stack.Caller's.
func (f *foreignDownload) Call(ctx context.Context) error {
	f.replies.Begin()
	life, cancel := context.WithCancel(ctx)
	defer cancel() // of a stream that has more than was wanted
	call := f.method.NextCall()
	stream, err := f.open(life, call)
	if err == nil {
		err = f.ask(stream, call)
	}
	if err == nil {
		err = f.receive(stream, f.count)
	}
	return f.end(ctx, err)
}

// ask sends the one message of a download.
func (f *foreignDownload) ask(stream grpc.ClientStream, call uint64) error {
	message, err := f.out.message(call, 0)
	if err == nil {
		err = stream.SendMsg(message)
	}
	if errors.Is(err, io.EOF) {
		return nil // receive says why
	}
	if err != nil {
		return err
	}
	f.replies.AddSent(len(message.bytes))
	return stream.CloseSend()
}

// A foreignStream sends in a second goroutine while replies come.
type foreignStream struct {
	foreign
	sent chan error
}

func newForeignStream(f foreign) *foreignStream { return &foreignStream{f, make(chan error, 1)} }

// Call is stack.Caller's.
func (f *foreignStream) Call(ctx context.Context) error {
	f.replies.Begin()
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	call := f.method.NextCall()
	stream, err := f.open(life, call)
	if err != nil {
		return f.end(ctx, err)
	}
	go func() {
		err := f.send(life, stream, call)
		if err != nil {
			cancel() // the server waits for what does not come
		}
		f.sent <- err
	}()
	if f.desc.ServerStreams {
		err = f.receive(stream, 0)
	} else {
		err = f.receiveOne(stream)
	}
	cancel() // the stream has ended, and the sender does not wait until its next message is due
	if sent := <-f.sent; sent != nil {
		err = sent // what went wrong there comes first
	}
	return f.end(ctx, err)
}
