package worker

import (
	"context"
	"errors"

	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/service"
)

// A conn is a connection of rpcbench's: links for its slots, or one for all.
type conn struct {
	info     stack.Info
	links    []*link
	inFlight int
	shared   stack.PingPong
}

// Caller implements stack.Conn.
func (c *conn) Caller(call stack.Call, slot int) (stack.Caller, error) {
	if err := c.info.CheckCall(call, slot, c.inFlight); err != nil {
		return nil, err
	}
	own := c.links[slot%len(c.links)]
	if call.Batch > 0 {
		return newCaller(c, own, batches, service.Batch(call), call, slot), nil
	}
	return newCaller(c, own, singles, service.Benchmark(call), call, slot), nil
}

// Close implements stack.Conn.
func (c *conn) Close() error {
	var errs []error
	for _, l := range c.links {
		errs = append(errs, l.close())
	}
	return errors.Join(errs...)
}

// A message is one of protobuf's, an M.
type message[M any] interface {
	*M
	proto.Message
}

// newCaller makes the Caller of a slot for one of the two services.
func newCaller[Q, A any, PQ message[Q], PA message[A]](
	c *conn, own *link, first byte, messages service.Messages[Q, A], call stack.Call, slot int,
) stack.Caller {
	unary := func(ctx context.Context, request *Q) (*A, error) {
		sent, err := proto.MarshalOptions{}.MarshalAppend([]byte{first}, PQ(request))
		if err != nil {
			return nil, stack.Errorf(stack.Internal, "encode the request: %w", err)
		}
		got, err := own.call(ctx, sent)
		if err != nil {
			return nil, err
		}
		return decodeReply[A, PA](got, call.ReplyBytesMax())
	}
	failure := func(ctx context.Context, err error) error { return stack.Failure(ctx, stack.CodeOf(err), err) }
	opening := streams[Q, A, PQ, PA]{first, call, c.opener(own, call)}
	client := service.Client[Q, A]{
		Unary: unary, Upload: opening.upload, Download: opening.download, BothWays: opening.bothWays, Stream: opening.stream,
		Failure: failure, Messages: messages,
	}
	return service.NewCaller(&c.shared, client, call, slot, c.inFlight)
}

// opener opens the streams of a slot on its link. Streams that slots share are on any link that has none.
func (c *conn) opener(own *link, call stack.Call) func(ctx context.Context) (*linkStream, error) {
	if own.multiplexed || !stack.SharesStreams(call.Kind) || call.Streams == c.inFlight {
		return own.stream
	}
	return func(ctx context.Context) (*linkStream, error) {
		for _, l := range c.links {
			if l.lend(ctx) {
				return l.stream(ctx)
			}
		}
		return nil, stack.Errorf(stack.Internal, "all %d connections have a stream", len(c.links))
	}
}
