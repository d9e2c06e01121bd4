package httpjson

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"

	"rpcbench/internal/stack"
)

// A foreign makes a slot's calls of a foreign resource.
type foreign struct {
	transport http.RoundTripper // which follows no redirect
	base      *url.URL
	host      string // "" is base's
	isHTTP2   bool
	gzip      bool
	resource  *stack.Resource
	replies   stack.Replies
	path      []byte
	body      []byte
	value     []byte
}

func newForeign(c *conn, call stack.Call, slot int) (stack.Caller, error) {
	base, err := url.Parse(c.url)
	if err != nil {
		return nil, stack.Errorf(stack.InvalidArgument, "%s is not a URL: %w", c.url, err)
	}
	return &foreign{
		transport: c.transport, base: base, host: c.config.Authority, isHTTP2: c.isHTTP2,
		gzip: c.config.Compression == stack.CompressionGzip, resource: call.Resource, replies: stack.NewReplies(call, slot),
	}, nil
}

// Call is stack.Caller's.
func (f *foreign) Call(ctx context.Context) error {
	f.replies.Begin()
	if err := f.call(ctx); err != nil {
		return stack.Failure(ctx, stack.LostNetCode(err), err)
	}
	f.replies.End()
	return nil
}

// After is stack.Caller's.
func (f *foreign) After() error { return f.replies.Verify() }

func (f *foreign) call(ctx context.Context) error {
	request, err := f.request(ctx)
	if err != nil {
		return err
	}
	response, err := f.transport.RoundTrip(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	length, err := io.Copy(io.Discard, response.Body)
	if err == nil {
		err = f.resource.Expected.Check(response.StatusCode)
	}
	if err != nil {
		return err
	}
	f.replies.AddSent(len(f.body))
	f.replies.AddBytes(int(length))
	return nil
}

// request makes the request of the next call.
func (f *foreign) request(ctx context.Context) (*http.Request, error) {
	number := f.resource.NextCall()
	var err error // new memory: the library may still read the last call's, where the server answered early or was lost
	if f.body, err = f.resource.AppendBody(make([]byte, 0, len(f.body)), number); err != nil {
		return nil, err
	}
	f.path = f.resource.Requests.AppendPath(f.path[:0], number)
	target, err := url.ParseRequestURI(string(f.path))
	if err != nil {
		return nil, stack.Errorf(stack.InvalidArgument, "the path can't be made: %w", err)
	}
	target.Scheme, target.Host = f.base.Scheme, f.base.Host
	request := (&http.Request{
		Method: f.resource.Verb, URL: target, Host: f.host, Header: http.Header{}, ContentLength: int64(len(f.body)),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	if len(f.body) > 0 {
		f.setBody(request)
	}
	return request, f.setHeader(request.Header, number)
}

// setBody gives a request its body. Over HTTP/2 the library sends a call once more that the server did not take before it retired
// the connection, if it can have the body again. Over HTTP/1.1 it would also resend what the server may have processed.
func (f *foreign) setBody(request *http.Request) {
	body := f.body
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	request.Body, _ = open()
	if f.isHTTP2 {
		request.GetBody = open
	}
}

func (f *foreign) setHeader(header http.Header, number uint64) error {
	header.Set("User-Agent", "rpcbench")
	if f.gzip {
		header.Set("Accept-Encoding", "gzip")
	}
	for _, m := range f.resource.Headers {
		var err error
		if f.value, err = m.Append(f.value[:0], number); err != nil {
			return stack.Errorf(stack.InvalidArgument, "the header can't be made: %w", err)
		}
		if m.Name == "user-agent" {
			header.Del(m.Name)
		}
		header.Add(m.Name, string(f.value))
	}
	return nil
}
