package once

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/stack"
)

func callHTTP(ctx context.Context, config Config, opened *recipe.Call, sent []Field) (*Exchange, error) {
	c := newClock()
	h := opened.HTTP
	path, body := string(h.AppendPath(nil, 0)), h.AppendBody(nil, 0)
	request, err := http.NewRequestWithContext(traced(ctx, c), h.Method, h.Scheme+"://"+opened.Authority+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for _, f := range sent {
		request.Header.Add(f.Name, f.Value)
	}
	if config.Compression == stack.CompressionGzip {
		request.Header.Set("Accept-Encoding", stack.CompressionGzip)
	}
	made := &Exchange{Call: h.Method + " " + h.Shown(), Request: Request{Metadata: hidden(sent)}}
	if len(body) > 0 {
		made.Request.Messages = []Message{ofBody(body)}
	}
	transport := transportTo(config, c)
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(request)
	if err != nil {
		if status := ofTransport(err, c.late(config.TLS != nil)); status != nil {
			c.ended("no_reply")
			made.Status, made.Timing = *status, c.all()
			return made, nil
		}
		return nil, err
	}
	defer response.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(response.Body, BodyBytesMost+1))
	c.ended("reply")
	made.Timing = c.all()
	made.Status = ofResponse(response, h.Expected, err)
	if made.Reply.Cut = len(reply) > BodyBytesMost; made.Reply.Cut {
		reply = reply[:BodyBytesMost]
	}
	if len(reply) > 0 {
		made.Reply.Messages = []Message{ofReply(reply, response.Header.Get("Content-Encoding"))}
	}
	made.Reply.Headers, made.Reply.Trailers = hidden(ofHeader(response.Header)), hidden(ofHeader(response.Trailer))
	return made, nil
}

// ofTransport is the status of a call without a response, under the code that load would count. It is nil if there was no call:
// it was canceled, or there was no connection. late are the words of one that the deadline has ended.
func ofTransport(err error, late string) *Status {
	var dialled *net.OpError
	switch {
	case errors.Is(err, context.Canceled):
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return &Status{Code: stack.DeadlineExceeded.String(), Message: late}
	case errors.As(err, &dialled) && dialled.Op == "dial":
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return &Status{Code: stack.Unavailable.String(), Message: "the server ended the connection and did not answer"}
	case errors.As(err, &dialled):
		return &Status{Code: stack.Unavailable.String(), Message: err.Error()}
	case strings.HasPrefix(err.Error(), "net/http: "), strings.HasPrefix(err.Error(), "http2: "):
		return &Status{Code: stack.Internal.String(), Message: err.Error()}
	default:
		return nil
	}
}

// ofResponse is the status of a call with a response, which err cut short.
func ofResponse(response *http.Response, expected stack.Statuses, err error) Status {
	within := " within the response, whose status was " + response.Status
	switch {
	case err == nil:
		return Status{OK: expected.Has(response.StatusCode), Code: response.Status}
	case errors.Is(err, context.DeadlineExceeded):
		return Status{Code: stack.DeadlineExceeded.String(), Message: late + within}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return Status{Code: stack.Unavailable.String(), Message: "the server ended the connection" + within}
	default:
		return Status{Code: stack.Internal.String(), Message: err.Error() + "," + within}
	}
}

// transportTo is one that takes no proxy, follows nothing and changes nothing.
func transportTo(config Config, c *clock) *http.Transport {
	protocols := &http.Protocols{}
	protocols.SetHTTP1(!config.HTTP2)
	protocols.SetHTTP2(config.HTTP2)
	protocols.SetUnencryptedHTTP2(config.HTTP2)
	return &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return c.dial(ctx, config.Network, config.Address)
		},
		TLSClientConfig: config.TLS, Protocols: protocols, DisableCompression: true,
	}
}

// traced notes the parts behind the connection.
func traced(ctx context.Context, c *clock) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		TLSHandshakeDone:     func(tls.ConnectionState, error) { c.ended("tls") },
		GotFirstResponseByte: func() { c.ended("first_byte") },
	})
}

// ofReply is the body of a reply, unpacked where it is in gzip as its header says.
func ofReply(body []byte, encoding string) Message {
	if !strings.EqualFold(encoding, stack.CompressionGzip) {
		return ofBody(body)
	}
	packed, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return ofBody(body)
	}
	unpacked, _ := io.ReadAll(io.LimitReader(packed, BodyBytesMost)) // what is there, of one that was cut
	message := ofBody(unpacked)
	message.Bytes, message.Unpacked = len(body), len(unpacked)
	return message
}

// ofBody is a body as JSON, or else as text, or else as bytes.
func ofBody(body []byte) Message {
	switch {
	case json.Valid(body):
		return Message{Bytes: len(body), JSON: body}
	case isText(body):
		return Message{Bytes: len(body), Text: strings.ToValidUTF8(string(body), "�")}
	default:
		return Message{Bytes: len(body), Bin: body}
	}
}

// isText reports whether a body can be read: text in UTF-8 or in another encoding has no zeros, and few bytes that are not
// characters.
func isText(body []byte) bool {
	strange := 0
	for _, r := range string(body) {
		switch {
		case r == 0:
			return false
		case r == utf8.RuneError || r < ' ' && !strings.ContainsRune("\t\n\r\f\x1b", r):
			strange++
		}
	}
	return strange <= len(body)/10
}

// ofHeader are the entries in order of their names.
func ofHeader(header http.Header) []Field {
	var list []Field
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, value := range header[name] {
			list = append(list, Field{strings.ToLower(name), value})
		}
	}
	return list
}
