package httpjson

import (
	"context"
	"net"
	"net/http"

	"rpcbench/internal/stack"
)

// A conn is an HTTP client with its own pool.
type conn struct {
	config    stack.DialConfig
	transport *http.Transport
	client    *http.Client
	url       string // without a path
	isHTTP2   bool
}

func newConn(config stack.DialConfig, isHTTP2, once bool) *conn {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(!isHTTP2)
	protocols.SetHTTP2(isHTTP2)
	protocols.SetUnencryptedHTTP2(isHTTP2)
	sockets := config.InFlight
	if isHTTP2 {
		sockets = 1
	}
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return config.Dial(ctx, config.Network, config.Address)
		},
		TLSClientConfig:     config.TLS.Clone(), // the library adds to it
		Protocols:           protocols,
		MaxConnsPerHost:     sockets,
		MaxIdleConnsPerHost: sockets,
		DisableCompression:  true, // or it would ask for gzip where none is wanted
		DisableKeepAlives:   once,
	}
	scheme, host := "http", config.Address
	if config.TLS != nil {
		scheme = "https"
	}
	if config.Network == stack.NetworkUnix {
		host = "localhost" // a path is none
	}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // a redirect is an answer
	}}
	return &conn{config, transport, client, scheme + "://" + host, isHTTP2}
}

// Caller is stack.Conn's.
func (c *conn) Caller(call stack.Call, slot int) (stack.Caller, error) {
	if err := (httpJSON{}).Info().CheckCall(call, slot, c.config.InFlight); err != nil {
		return nil, err
	}
	if call.Resource != nil {
		return newForeign(c, call, slot)
	}
	if c.isHTTP2 {
		return nil, stack.Errorf(stack.Unimplemented, "http-json-go calls its own service only over HTTP/1.1")
	}
	if call.Batch > 0 {
		return newUnary[batch](c, stack.JSONBatchPath, newBatch(call), call, slot), nil
	}
	return newUnary[simpleResponse](c, stack.JSONPath, newSimpleRequest(call), call, slot), nil
}

func newUnary[A any](c *conn, path string, request request[A], call stack.Call, slot int) *unary[A] {
	return &unary[A]{
		client:  c.client,
		url:     c.url + path,
		gzip:    c.config.Compression == stack.CompressionGzip,
		most:    call.ReplyBodyMax(),
		request: request,
		replies: stack.NewReplies(call, slot),
	}
}

// Close is stack.Conn's. Calls that still run end by their contexts.
func (c *conn) Close() error {
	c.transport.CloseIdleConnections()
	return nil
}
