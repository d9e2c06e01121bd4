package connectgo

import (
	"context"
	"slices"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/service"
)

// A conn is one HTTP/2 connection and a client for each method on it.
type conn struct {
	info     stack.Info
	link     *link
	json     bool
	sends    bool // the deadline with every call
	inFlight int
	shared   stack.PingPong
	options  []connect.ClientOption
	methods
}

// methods are the clients whose replies have most bytes.
type methods struct {
	most       int
	benchmark  clients[request, response]
	batch      clients[batch, batch]
	fromServer *connect.Client[request, response]
	bothWays   *connect.Client[request, response]
}

func (c connectGo) dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	l := newLink(config)
	if _, err := l.open(ctx, nil); err != nil {
		return nil, stack.Failure(ctx, stack.NetCode(err), err)
	}
	return &conn{
		info: c.Info(), link: l, json: c.json, sends: stack.SendDeadline.IsOn(config.Options), inFlight: config.InFlight,
		options: c.clientOptions(config),
	}, nil
}

// bound has the clients refuse replies that are longer than a call's. The slots of a call share them.
func (c *conn) bound(call stack.Call) {
	most := call.ReplyBytesMax()
	if c.json {
		most = call.ReplyBodyMax()
	}
	if c.most == most {
		return
	}
	options := append(slices.Clip(c.options), connect.WithReadMaxBytes(most))
	c.methods = methods{
		most:       most,
		benchmark:  newClients[request, response](c.link, benchmarkPath, benchmarkNames, options),
		batch:      newClients[batch, batch](c.link, batchPath, batchNames, options),
		fromServer: newClient[request, response](c.link, downloadPath, options),
		bothWays:   newClient[request, response](c.link, bothWaysPath, options),
	}
}

func (c connectGo) clientOptions(config stack.DialConfig) []connect.ClientOption {
	var list []connect.ClientOption
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
	c.bound(call)
	caller := c.callerOf(call, slot)
	if c.sends {
		return call.WithDeadline(caller), nil
	}
	return caller, nil
}

func (c *conn) callerOf(call stack.Call, slot int) stack.Caller {
	if call.Batch > 0 {
		return service.NewCaller(&c.shared, c.batch.client(service.Batch(call)), call, slot, c.inFlight)
	}
	client := c.benchmark.client(service.Benchmark(call))
	client.Download, client.BothWays = c.downloads(call.Messages), c.streams(call.Messages)
	return service.NewCaller(&c.shared, client, call, slot, c.inFlight)
}

// Retries is stack.Retrier's.
func (c *conn) Retries() int64 { return c.link.retries.Load() }

// Close is stack.Conn's.
func (c *conn) Close() error { return c.link.Close() }
