// Package once makes one call of a recipe and records everything about it: what was sent, what came back, and how long each part
// took. It is for inspection, not for measurement.
package once

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"slices"
	"time"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/call/secret"
)

// Limits on the part of a reply that an Exchange keeps.
const (
	RepliesMost   = 100
	BodyBytesMost = 64 << 10
)

// A Config says which call is made, and where.
type Config struct {
	Network, Address string
	TLS              *tls.Config   // nil is plaintext
	HTTP2            bool          // of a URL
	Compression      string        // stack.CompressionGzip, or none
	Deadline         time.Duration // of the call, its connection included
	Recipe           recipe.Recipe
}

// An Exchange is one call. Its strings are as the server sent them.
type Exchange struct {
	Call    string  `json:"call"` // package.Service/Method, or "GET /path"
	Status  Status  `json:"status"`
	Request Request `json:"request"`
	Reply   Reply   `json:"reply"`
	Timing  []Part  `json:"timing"`
}

// A Status is how a call ended.
type Status struct {
	OK bool `json:"ok"`
	// Code is one of gRPC, such as NOT_FOUND, or for a URL the status of a whole response, such as "404 Not Found".
	Code    string `json:"code"`
	Message string `json:"message,omitempty"`
}

// A Request records what was sent.
type Request struct {
	Metadata []Field   `json:"metadata,omitempty"`
	Messages []Message `json:"messages,omitempty"`
}

// A Reply records what came back.
type Reply struct {
	Headers  []Field   `json:"headers,omitempty"`
	Messages []Message `json:"messages,omitempty"` // RepliesMost at the most
	Trailers []Field   `json:"trailers,omitempty"`
	// Cut reports that the reply was longer than the limit and was not read to its end.
	Cut bool `json:"cut,omitempty"`
}

// A Field is a header or an entry of metadata. The value of one that holds a secret is secret.Hidden.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A Message is one of gRPC, or a body of HTTP.
type Message struct {
	Bytes int             `json:"bytes"`            // as encoded
	JSON  json.RawMessage `json:"json,omitempty"`   // nil where it is none
	Text  string          `json:"text,omitempty"`   // of a body that is not JSON
	Bin   []byte          `json:"base64,omitempty"` // of a body that is no text either
	// Unpacked is the length of a body that came in gzip, as far as it was read. JSON, Text and Bin are of what was in it.
	Unpacked int `json:"unpacked_bytes,omitempty"`
}

// A Part is the duration of one part of the call. Parts follow one another, except the last, which is the whole call.
type Part struct {
	Name string `json:"name"`
	Ns   int64  `json:"ns"`
}

// Call makes the call. An error says that there was none: of the recipe, of a connection that could not be made, or that ctx was
// canceled. A call that fails, or that the deadline ends, is an Exchange.
func Call(ctx context.Context, config Config) (*Exchange, error) {
	opened, err := recipe.Open(config.Recipe)
	if err != nil {
		return nil, err
	}
	sent, err := fields(opened)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, config.Deadline)
	defer cancel()
	if opened.HTTP != nil {
		return callHTTP(ctx, config, opened, sent)
	}
	return callGRPC(ctx, config, opened, sent)
}

// fields are the metadata of the first call.
func fields(opened *recipe.Call) ([]Field, error) {
	var list []Field
	for _, m := range opened.Metadata {
		value, err := m.Append(nil, 0)
		if err != nil {
			return nil, err
		}
		list = append(list, Field{m.Name, string(value)})
	}
	return list, nil
}

// hidden returns the fields with no secret in them.
func hidden(list []Field) []Field {
	shown := slices.Clone(list)
	for i, f := range shown {
		if secret.Named(f.Name) {
			shown[i].Value = secret.Hidden
		}
	}
	return shown
}
