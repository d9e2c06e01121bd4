package httpwire

import (
	"context"
	"net"
	"strconv"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/loop"
	"rpcbench/internal/stack/wire"
)

// An http2Conn is one connection over HTTP/2, for resources of others.
type http2Conn struct {
	*wire.Conn
	inFlight int
	gzip     bool
}

func dialHTTP2(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	client, err := wire.Dial(ctx, wire.Config{
		Dial: func(ctx context.Context) (net.Conn, error) {
			return config.Dial(ctx, config.Network, config.Address)
		},
		TLS: config.TLS, Authority: authority(config),
	})
	if err != nil {
		return nil, err
	}
	return &http2Conn{
		Conn: wire.NewConn(client, config.InFlight), inFlight: config.InFlight, gzip: config.Compression == stack.CompressionGzip,
	}, nil
}

func (c *http2Conn) check(call stack.Call, slot int) error {
	if err := (httpWire{}).Info().CheckCall(call, slot, c.inFlight); err != nil {
		return err
	}
	if call.Resource == nil {
		return stack.Errorf(stack.Unimplemented, "http-wire calls its own service over HTTP/1.1 only")
	}
	return nil
}

// Caller is stack.Conn's.
func (c *http2Conn) Caller(call stack.Call, slot int) (stack.Caller, error) {
	if err := c.check(call, slot); err != nil {
		return nil, err
	}
	return c.Conn.Caller(slot, func() (wire.Script, error) { return c.script(call), nil })
}

// Join implements stack.Joiner.
func (c *http2Conn) Join(on *loop.Loop, call stack.Call, ended func(slot int, err error)) (stack.Sender, error) {
	if err := c.check(call, 0); err != nil {
		return nil, err
	}
	return c.Conn.Join(on, c.script(call), ended)
}

// Pipeline is stack.Pipeliner's.
func (c *http2Conn) Pipeline(call stack.Call) (stack.Pipeline, error) {
	if err := c.check(call, 0); err != nil {
		return nil, err
	}
	return c.Conn.Pipeline(c.script(call))
}

// script returns a script whose header has the fields of all calls. If paths differ, the length of the body differs by call too.
func (c *http2Conn) script(call stack.Call) wire.Script {
	resource := call.Resource
	made := wire.Call{Verb: resource.Verb, Expected: resource.Expected}
	if !hasAgent(resource.Headers) {
		made.Header = append(made.Header, wire.Field{Name: "user-agent", Value: "rpcbench"})
	}
	if c.gzip {
		made.Header = append(made.Header, wire.Field{Name: "accept-encoding", Value: "gzip"})
	}
	var differ []stack.Metadatum
	for _, m := range resource.Headers {
		if value, constant := m.Constant(); constant {
			made.Header = append(made.Header, wire.Field{Name: m.Name, Value: string(value)})
		} else {
			differ = append(differ, m)
		}
	}
	path, body, constant := resource.Requests.Constant()
	if constant {
		made.Path = string(path)
		if hasLength(resource.Verb, body) {
			made.Header = append(made.Header, wire.Field{Name: "content-length", Value: strconv.Itoa(len(body))})
		}
	}
	return wire.Script{Call: made, Exchange: func(_ *wire.Lane, slot int) wire.Exchange {
		return &http2Exchange{
			resource: resource, replies: stack.NewReplies(call, slot), differ: differ, constant: constant, body: body,
		}
	}}
}

// An http2Exchange is a slot's requests and responses: wire.Exchange.
type http2Exchange struct {
	resource *stack.Resource
	replies  stack.Replies
	differ   []stack.Metadatum // what calls don't have alike
	constant bool              // path and body are
	body     []byte
	value    []byte
	fields   []byte
	came     int // bytes of the response's body
}

// Begin is wire.Exchange's.
func (e *http2Exchange) Begin() (messages int, err error) {
	e.replies.Begin()
	e.came = 0
	number := e.resource.NextCall()
	if err := e.make(number); err != nil {
		return 0, err
	}
	e.replies.AddSent(len(e.body))
	return min(len(e.body), 1), nil
}

// make sets the parts of a call that differ from others.
func (e *http2Exchange) make(number uint64) error {
	e.fields = e.fields[:0]
	if !e.constant {
		var err error
		if e.body, err = e.resource.AppendBody(e.body[:0], number); err != nil {
			return err
		}
		e.value = e.resource.Requests.AppendPath(e.value[:0], number)
		e.fields = wire.AppendField(e.fields, ":path", e.value)
		if hasLength(e.resource.Verb, e.body) {
			e.value = strconv.AppendInt(e.value[:0], int64(len(e.body)), 10)
			e.fields = wire.AppendField(e.fields, "content-length", e.value)
		}
	}
	for _, m := range e.differ {
		var err error
		if e.value, err = m.Append(e.value[:0], number); err != nil {
			return stack.Errorf(stack.InvalidArgument, "the header can't be made: %w", err)
		}
		e.fields = wire.AppendField(e.fields, m.Name, e.value)
	}
	return nil
}

// Fields is wire.Exchange's.
func (e *http2Exchange) Fields() []byte { return e.fields }

// Message is wire.Exchange's.
func (e *http2Exchange) Message(int) ([]byte, error) { return e.body, nil }

// Reply is wire.Exchange's.
func (e *http2Exchange) Reply(payload []byte, _ bool) { e.came += len(payload) }

// End is wire.Exchange's.
func (e *http2Exchange) End() error {
	e.replies.AddBytes(e.came)
	e.replies.End()
	return e.replies.Verify()
}
