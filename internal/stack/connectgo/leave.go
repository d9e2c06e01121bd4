package connectgo

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
)

// net/http ends no HTTP/2 stream while one of its goroutines waits to write. Once a server has stopped reading, the end of a
// context reaches neither sender nor receiver. A leavable body ends with the context itself. net/http frees the rest of the
// stream when it can write again, or when the connection is closed.

// leavably makes a request by send, whose bodies end with its context. A body that is sent whole, as in a unary call, does so
// anyway.
func leavably(send func(*http.Request) (*http.Response, error), request *http.Request) (*http.Response, error) {
	if request.ContentLength >= 0 {
		return send(request)
	}
	body := &heldBody{ReadCloser: request.Body}
	sending := context.AfterFunc(request.Context(), body.end)
	held := request.WithContext(request.Context())
	held.Body, held.GetBody = body, body.again
	response, err := send(held)
	if err != nil {
		sending()
		body.end()
		return nil, err
	}
	body.release()
	response.Body = newLeavableBody(request.Context(), response.Body, sending)
	return response, nil
}

// A heldBody is a stream's request body, which stays open when a connection that has not read from it closes it: the next
// connection can have it. That ends with release.
type heldBody struct {
	io.ReadCloser

	mu       sync.Mutex
	begun    bool // it was read
	closed   bool // while it was held
	released bool
}

// Read implements io.Reader.
func (h *heldBody) Read(p []byte) (int, error) {
	h.mu.Lock()
	closed := h.closed
	h.begun = h.begun || !closed
	h.mu.Unlock()
	if closed {
		return 0, io.ErrClosedPipe
	}
	return h.ReadCloser.Read(p)
}

// Close implements io.Closer.
func (h *heldBody) Close() error {
	h.mu.Lock()
	h.closed = true
	held := !h.begun && !h.released
	h.mu.Unlock()
	if held {
		return nil
	}
	return h.ReadCloser.Close()
}

// again is http.Request's GetBody.
func (h *heldBody) again() (io.ReadCloser, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.begun {
		return nil, errors.New("messages of the stream are gone")
	}
	h.closed = false
	return h, nil
}

// release has the body closed where it was while it was held.
func (h *heldBody) release() {
	h.mu.Lock()
	h.released = true
	closed := h.closed
	h.mu.Unlock()
	if closed {
		h.ReadCloser.Close()
	}
}

// end closes the body.
func (h *heldBody) end() { h.ReadCloser.Close() }

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
