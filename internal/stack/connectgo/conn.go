package connectgo

import (
	"context"
	"strconv"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
)

// A conn is one HTTP/2 connection and a client for each method on it.
type conn struct {
	info     stack.Info
	link     *link
	inFlight int
	shared   stack.PingPong

	benchmark  clients[request, response]
	batch      clients[batch, batch]
	fromServer *connect.Client[request, response]
}

func (c connectGo) dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	l, err := newLink(config)
	if err != nil {
		return nil, err
	}
	if _, err := l.open(ctx); err != nil {
		return nil, stack.Failure(ctx, stack.NetCode(err), err)
	}
	options := c.clientOptions(config)
	return &conn{
		info: c.Info(), link: l, inFlight: config.InFlight,
		benchmark: newBenchmarkClients(l, options), batch: newBatchClients(l, options),
		fromServer: newClient[request, response](l, benchmarkPath+"StreamingFromServer", options),
	}, nil
}

func (c connectGo) clientOptions(config stack.DialConfig) []connect.ClientOption {
	list := []connect.ClientOption{connect.WithReadMaxBytes(c.readBytesMax)}
	if c.json {
		list = append(list, connect.WithProtoJSON())
	}
	if config.Compression == stack.CompressionGzip {
		return append(list, connect.WithSendGzip(), connect.WithCompressMinBytes(0))
	}
	return append(list, connect.WithAcceptCompression("gzip", nil, nil)) // else it asks for compressed replies
}

// Caller is stack.Conn's.
func (c *conn) Caller(call stack.Call, slot int) (stack.Caller, error) {
	if err := c.info.CheckCall(call, slot, c.inFlight); err != nil {
		return nil, err
	}
	if call.Batch > 0 {
		return callerOf(c, batchMethods(c.batch, call), call, slot), nil
	}
	m := benchmarkMethods(c.benchmark, call)
	switch call.Kind {
	case stack.KindStream:
		return &stream{newCaller(m, call, slot), make(chan error, 1)}, nil
	case stack.KindDownload:
		return &download{newCaller(m, call, slot), c.fromServer, strconv.Itoa(call.Messages)}, nil
	default:
		return callerOf(c, m, call, slot), nil
	}
}

// callerOf makes the Caller of a kind that both services have.
func callerOf[Q, A any](c *conn, m methods[Q, A], call stack.Call, slot int) stack.Caller {
	switch call.Kind {
	case stack.KindPingPong, stack.KindBurst:
		return c.shared.Caller(call, slot, c.inFlight, openEcho(m, call))
	case stack.KindUpload:
		return &upload[Q, A]{newCaller(m, call, slot)}
	default:
		return &unary[Q, A]{newCaller(m, call, slot)}
	}
}

// Close is stack.Conn's.
func (c *conn) Close() error { return c.link.Close() }
