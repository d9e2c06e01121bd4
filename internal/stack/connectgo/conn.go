package connectgo

import (
	"context"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/service"
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
		benchmark:  newClients[request, response](l, benchmarkPath, benchmarkNames, options),
		batch:      newClients[batch, batch](l, batchPath, batchNames, options),
		fromServer: newClient[request, response](l, downloadPath, options),
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
		return service.NewCaller(&c.shared, c.batch.client(service.Batch(call)), call, slot, c.inFlight), nil
	}
	client := c.benchmark.client(service.Benchmark(call))
	client.Download = c.downloads(call.Messages)
	return service.NewCaller(&c.shared, client, call, slot, c.inFlight), nil
}

// Close is stack.Conn's.
func (c *conn) Close() error { return c.link.Close() }
