package once

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"

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
		return nil, err
	}
	defer response.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(response.Body, BodyBytesMost+1))
	c.ended("reply")
	made.Timing = c.all()
	made.Status = Status{OK: err == nil && response.StatusCode < http.StatusBadRequest, Code: response.Status}
	if err != nil {
		made.Status.Message = err.Error()
	}
	if made.Reply.Cut = len(reply) > BodyBytesMost; made.Reply.Cut {
		reply = reply[:BodyBytesMost]
	}
	if len(reply) > 0 {
		made.Reply.Messages = []Message{ofBody(reply)}
	}
	made.Reply.Headers, made.Reply.Trailers = hidden(ofHeader(response.Header)), hidden(ofHeader(response.Trailer))
	return made, nil
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

// ofBody is a body as JSON, or else as text.
func ofBody(body []byte) Message {
	if json.Valid(body) {
		return Message{Bytes: len(body), JSON: body}
	}
	return Message{Bytes: len(body), Text: strings.ToValidUTF8(string(body), "�")}
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
