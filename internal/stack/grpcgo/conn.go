package grpcgo

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/experimental"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/mem"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpctls"
	"rpcbench/internal/stack/service"
)

// A conn is one ClientConn.
type conn struct {
	grpc     *grpc.ClientConn
	client   testpb.BenchmarkServiceClient
	inFlight int
	shared   stack.PingPong
	codec    string // options.codec
	sends    bool   // the deadline with every call
	share    int    // DialConfig.ReplyBytes
}

// Dial opens a connection and returns when it is ready: after the exchange of HTTP/2 settings.
func (g grpcGo) Dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	if err := g.Info().CheckDial(config); err != nil {
		return nil, err
	}
	o := readOptions(config.Options)
	made, err := grpc.NewClient("passthrough:///"+config.Address, dialOptions(config, o)...)
	if err != nil {
		return nil, stack.Errorf(stack.InvalidArgument, "no client for %s: %w", config.Address, err)
	}
	c := &conn{
		grpc: made, client: testpb.NewBenchmarkServiceClient(made),
		inFlight: config.InFlight, codec: o.codec, sends: o.sendDeadline, share: config.ReplyBytes(),
	}
	if err := c.ready(ctx); err != nil {
		made.Close()
		return nil, err
	}
	return c, nil
}

func dialOptions(config stack.DialConfig, o options) []grpc.DialOption {
	list := []grpc.DialOption{
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return config.Dial(ctx, config.Network, config.Address)
		}),
		grpc.WithDisableServiceConfig(),
		grpc.WithDisableRetry(),
		grpc.WithNoProxy(),
		grpc.WithIdleTimeout(0),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.Config{
				BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: reconnectDelayMax,
			},
			MinConnectTimeout: 20 * time.Second, // gRPC's own
		}),
		grpc.WithDefaultCallOptions(callOptions(config)...),
	}
	authority := config.Authority
	if config.TLS != nil {
		list = append(list, grpc.WithTransportCredentials(transportTLS(config.TLS, authority)))
	} else {
		list = append(list, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if config.Network == stack.NetworkUnix {
			authority = cmp.Or(authority, "localhost") // a path is none
		}
	}
	if authority != "" {
		list = append(list, grpc.WithAuthority(authority))
	}
	if codec := codecOf(o.codec); codec != nil {
		list = append(list, grpc.WithDefaultCallOptions(grpc.ForceCodecV2(codec)))
	}
	if o.writeBuffer > 0 {
		list = append(list, grpc.WithWriteBufferSize(o.writeBuffer))
	}
	if o.readBuffer > 0 {
		list = append(list, grpc.WithReadBufferSize(o.readBuffer))
	}
	if o.sharedBuffer {
		list = append(list, grpc.WithSharedWriteBuffer(true)) //nolint:staticcheck // gRPC makes it the default
	}
	if o.unpooled {
		list = append(list, experimental.WithBufferPool(mem.NopBufferPool{}))
	}
	if o.window > 0 {
		list = append(list, grpc.WithInitialWindowSize(int32(o.window)), grpc.WithInitialConnWindowSize(int32(o.window)))
	}
	return list
}

// transportTLS returns credentials for the server that config names, whatever the authority.
func transportTLS(config *tls.Config, authority string) credentials.TransportCredentials {
	if authority == "" {
		return credentials.NewTLS(config)
	}
	return grpctls.New(config)
}

func callOptions(config stack.DialConfig) []grpc.CallOption {
	if config.Compression == stack.CompressionGzip {
		return []grpc.CallOption{grpc.UseCompressor(gzip.Name)}
	}
	return nil
}

// ready connects and waits until that is done or has failed. A connection that the server has ended is not opened anew without
// a call: the channel is idle again.
func (c *conn) ready(ctx context.Context) error {
	c.grpc.Connect()
	for changed := false; ; changed = true {
		state := c.grpc.GetState()
		switch {
		case state == connectivity.Ready:
			return nil
		case state == connectivity.Idle && changed:
			return stack.Errorf(stack.Unavailable, "the server ended the connection as soon as it was open")
		case state == connectivity.TransientFailure:
			return c.whyNotReady(ctx)
		case !c.grpc.WaitForStateChange(ctx, state):
			return stack.Failure(ctx, stack.Canceled, ctx.Err())
		}
	}
}

// whyNotReady makes a call, because only the error of a call says what went wrong.
func (c *conn) whyNotReady(ctx context.Context) error {
	_, err := c.client.UnaryCall(ctx, &testpb.SimpleRequest{})
	return failure(ctx, err)
}

// Caller is stack.Conn's.
func (c *conn) Caller(call stack.Call, slot int) (stack.Caller, error) {
	if err := (grpcGo{}).Info().CheckCall(call, slot, c.inFlight); err != nil {
		return nil, err
	}
	caller := c.callerOf(call, slot)
	if c.sends {
		return call.WithDeadline(caller), nil
	}
	return caller, nil
}

func (c *conn) callerOf(call stack.Call, slot int) stack.Caller {
	if call.Method != nil {
		return c.callerOfMethod(call, slot)
	}
	under := c.connFor(call)
	if call.Batch > 0 {
		return service.NewCaller(&c.shared, batchClient(under, call, c.codec == codecPooled), call, slot, c.inFlight)
	}
	if c.codec == codecBytes {
		return service.NewCaller(&c.shared, bufferClient(under, call), call, slot, c.inFlight)
	}
	return service.NewCaller(&c.shared, benchmarkClient(under, call), call, slot, c.inFlight)
}

// connFor returns a connection that bounds replies by their expected length. If the library's own limit does so, it is the plain
// connection: the option costs two allocations per call. Batches are always bounded, because they take many times the memory of
// their encoding.
func (c *conn) connFor(call stack.Call) grpc.ClientConnInterface {
	most := call.ReplyBytesMax()
	if call.Batch == 0 && most <= replyBytesDefault && replyBytesDefault <= c.share {
		return c.grpc
	}
	return boundedReplies{c.grpc, grpc.MaxCallRecvMsgSize(most)}
}

// boundedReplies lets every reply be as long as is due, and not as long as a server likes.
type boundedReplies struct {
	grpc.ClientConnInterface

	take grpc.CallOption
}

// Invoke is grpc.ClientConnInterface's.
func (l boundedReplies) Invoke(ctx context.Context, method string, args, reply any, options ...grpc.CallOption) error {
	return l.ClientConnInterface.Invoke(ctx, method, args, reply, append(options, l.take)...)
}

// NewStream is grpc.ClientConnInterface's.
func (l boundedReplies) NewStream(
	ctx context.Context, desc *grpc.StreamDesc, method string, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	return l.ClientConnInterface.NewStream(ctx, desc, method, append(options, l.take)...)
}

// Close is stack.Conn's.
func (c *conn) Close() error { return c.grpc.Close() }
