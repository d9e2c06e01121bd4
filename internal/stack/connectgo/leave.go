package connectgo

import (
	"context"
	"errors"
	"io"
	"net/http"
)

// net/http ends no HTTP/2 stream while one of its goroutines waits to write. Once a server has stopped reading, the end of a
// context reaches neither sender nor receiver. A leavable body ends with the context itself. net/http frees the rest of the
// stream when it can write again, or when the connection is closed.

// leavably makes a request whose bodies end with its context. A body that is sent whole, as in a unary call, does so anyway.
func leavably(conn *http.ClientConn, request *http.Request) (*http.Response, error) {
	if request.ContentLength >= 0 {
		return conn.RoundTrip(request)
	}
	sending := context.AfterFunc(request.Context(), func() { request.Body.Close() })
	response, err := conn.RoundTrip(request)
	if err != nil {
		sending()
		return nil, err
	}
	response.Body = newLeavableBody(request.Context(), response.Body, sending)
	return response, nil
}

// A leavableBody is a response's body that ends with its request's context.
type leavableBody struct {
	io.ReadCloser

	ctx     context.Context
	sending func() bool // stops watching the request's body
	reading func() bool // stops watching this one
	ended   bool        // all was read
}

func newLeavableBody(ctx context.Context, body io.ReadCloser, sending func() bool) *leavableBody {
	b := &leavableBody{ReadCloser: body, ctx: ctx, sending: sending}
	b.reading = context.AfterFunc(ctx, func() { body.Close() })
	return b
}

// Read implements io.Reader.
func (b *leavableBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.ended = b.ended || errors.Is(err, io.EOF)
	return n, err
}

// Close implements io.Closer. Discarding unread data writes to the server, and may wait until the context ends.
func (b *leavableBody) Close() error {
	b.sending()
	switch {
	case !b.reading(): // the context's end closes it
		return nil
	case b.ended:
		return b.ReadCloser.Close()
	}
	closed := make(chan error, 1)
	go func() { closed <- b.ReadCloser.Close() }()
	select {
	case err := <-closed:
		return err
	case <-b.ctx.Done():
		return nil
	}
}
