package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"rpcbench/internal/stack"
)

// HTTPConfig describes HTTP requests as flags specify them.
type HTTPConfig struct {
	Method  string // "" is POST with a body and GET without
	URL     string // http or https; path and query may have functions, which are escaped there
	Headers []Pair // values may have functions
	Input   Input  // bodies: the whole text, or each of JSON lines; none where its Text is empty
	Options Options
}

// HTTP has the requests of a load of HTTP. It may be used concurrently, but for Headers.Refresh.
type HTTP struct {
	Method    string
	Scheme    string // "http" or "https"
	Authority string // host, or host:port, as the URL or a host header has it
	Address   string // host:port, to connect to
	Headers   Metadata
	Expected  stack.Statuses // that are a success
	shown     string
	path      *text
	bodies    []*text
	options   Options
}

// NewHTTP reads and checks a description.
func NewHTTP(config HTTPConfig) (*HTTP, error) {
	config.Options = config.Options.complete()
	h := &HTTP{Method: config.Method, options: config.Options}
	if err := h.setURL(config.URL); err != nil {
		return nil, err
	}
	var err error
	if h.Headers, err = newMetadata(config.Headers, config.Options, false); err != nil {
		return nil, err
	}
	if err := h.takeHost(); err != nil {
		return nil, err
	}
	if err := h.setBodies(config.Input); err != nil {
		return nil, err
	}
	switch {
	case h.Method == "" && len(h.bodies) > 0:
		h.Method = "POST"
	case h.Method == "":
		h.Method = "GET"
	case !isToken(h.Method):
		return nil, fmt.Errorf("%q is not an HTTP method, such as GET", h.Method)
	case h.Method == http.MethodConnect:
		return nil, errors.New("CONNECT is not supported: it opens a tunnel")
	}
	return h, nil
}

// setURL parses the URL of the requests. Functions may follow the host only.
func (h *HTTP) setURL(raw string) error {
	u, err := ParseURL(raw)
	if err != nil {
		return err
	}
	h.Scheme, h.Authority, h.Address, h.shown = u.Scheme, u.Authority, u.Address, u.Shown()
	words := h.options.vocabulary(h.options.File)
	h.path, err = newText(words, h.options, []byte(u.path), syntaxURL, scopePath, inName(raw))
	return err
}

// withoutValues is a path as it was written, without the values in its query, which may be secrets.
func withoutValues(path string) string {
	list, err := holes([]byte(path), false)
	if err != nil {
		return path // which newText refuses
	}
	bare := []byte(path)
	for _, hole := range list {
		for i := hole.start; i < hole.end; i++ {
			bare[i] = ' ' // so that what stands in a function does not look like a query
		}
	}
	begin := bytes.IndexByte(bare, '?')
	if begin < 0 {
		return path
	}
	var names []string
	for pair := range strings.SplitSeq(string(bare[begin+1:]), "&") {
		shown := "…" // without a value the name may be the secret
		if name, _, named := strings.Cut(pair, "="); named && !strings.Contains(name, " ") {
			shown = name + "=…"
		}
		names = append(names, shown)
	}
	return path[:begin] + "?" + strings.Join(names, "&")
}

// Shown is the path as results may have it: as it was written, without the values in its query.
func (h *HTTP) Shown() string { return h.shown }

// Bodies returns the number of different bodies, 0 if there are none.
func (h *HTTP) Bodies() int { return len(h.bodies) }

// takeHost makes the authority of a host header.
func (h *HTTP) takeHost() error {
	for i, m := range h.Headers {
		if m.Name != "host" {
			continue
		}
		host, ok := m.Constant()
		if !ok {
			return errors.New("functions are not supported in the host header")
		}
		if len(host) == 0 {
			return errors.New("the host header is empty; give a name, such as shop.example")
		}
		h.Authority = string(host)
		h.Headers = append(h.Headers[:i:i], h.Headers[i+1:]...)
		return h.takeHost()
	}
	return nil
}

// setBodies makes the bodies. Where they are JSON, functions are written as JSON has them.
func (h *HTTP) setBodies(input Input) error {
	if len(input.Text) == 0 {
		return nil
	}
	if err := input.check(); err != nil {
		return err
	}
	unmarked := input.Text
	if input.Format != FormatBinary {
		unmarked = withoutMark(input.Text)
	}
	syntax := h.syntaxOf(unmarked)
	if syntax != bodyText {
		input.Text = unmarked
	}
	contents := []span{{0, len(input.Text)}}
	switch input.Format {
	case FormatCSV:
		return fmt.Errorf(`%s: CSV needs a schema, and HTTP has none; use JSON lines, or --rows-file and {{column "NAME"}}`, input.Name)
	case FormatLines:
		input.Text = unmarked
		contents, syntax = lineSpans(unmarked), bodyJSON
	}
	for _, s := range contents {
		made, err := h.body(input, s, syntax)
		if err != nil {
			return err
		}
		h.bodies = append(h.bodies, made)
	}
	if len(h.bodies) > RequestsMax {
		return fmt.Errorf("%s has more than %d requests", input.Name, RequestsMax)
	}
	if syntax == bodyJSON && h.header("content-type") == nil {
		p := Pair{Source: "metadata", Name: "content-type", Value: "application/json"}
		m, err := p.metadatum(h.options, 0, false)
		h.Headers = append(h.Headers, m)
		return err
	}
	return nil
}

// A bodySyntax is what a body has to be, and how the values of functions are written into it.
type bodySyntax int

const (
	bodyText      bodySyntax = iota // anything
	bodyJSON                        // a JSON value
	bodyJSONLines                   // a JSON value on each line
	bodyLikeJSON                    // something with JSON's strings: JSON5, JSON text sequences
)

// syntaxOf returns what a body is: by its content type or, without one, JSON if it parses as JSON.
func (h *HTTP) syntaxOf(content []byte) bodySyntax {
	if header := h.header("content-type"); header != nil {
		value, _ := header.Constant()
		return syntaxOfType(string(value))
	}
	if list, err := holes(content, true); err == nil && json.Valid(filled(content, list)) {
		return bodyJSON
	}
	return bodyText
}

func syntaxOfType(contentType string) bodySyntax {
	media, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	switch {
	case !strings.Contains(media, "json"):
		return bodyText
	case strings.Contains(media, "ndjson"), strings.Contains(media, "jsonl"): // jsonlines as well
		return bodyJSONLines
	case strings.Contains(media, "json5"), strings.Contains(media, "json-seq"):
		return bodyLikeJSON
	default:
		return bodyJSON
	}
}

// body makes one body of a part of the input: bytes as they are, JSON that is checked, or any text.
func (h *HTTP) body(input Input, part span, syntax bodySyntax) (*text, error) {
	v, at, content := h.options.vocabulary(input.File), inText{input.Name, input.Text, part.start}, input.Text[part.start:part.end]
	if input.Format == FormatBinary {
		t := &template{}
		t.literal(content, 0)
		made, err := newText(v, h.options, nil, syntaxPlain, 0, at)
		made.template = t
		return made, err
	}
	if syntax == bodyText {
		return newText(v, h.options, content, syntaxPlain, 0, at)
	}
	list, err := holes(content, true)
	if err != nil {
		return nil, located(at, err)
	}
	plain := filled(content, list)
	for _, value := range syntax.values(plain) {
		var parsed json.RawMessage // of a body only its syntax matters
		if err := json.Unmarshal(plain[value.start:value.end], &parsed); err != nil {
			at.start += value.start
			return nil, located(at, jsonFault(err, plain[value.start:value.end]))
		}
	}
	return newText(v, h.options, content, syntaxJSON, 0, at)
}

// values returns the parts of a body that have to be JSON.
func (s bodySyntax) values(body []byte) []span {
	switch s {
	case bodyJSON:
		return []span{{0, len(body)}}
	case bodyJSONLines:
		return lineSpans(body)
	default:
		return nil
	}
}

// header returns the value of a header; nil where there is none.
func (h *HTTP) header(name string) stack.Value {
	for _, m := range h.Headers {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// lineSpans returns the lines that are not empty.
func lineSpans(text []byte) []span {
	var spans []span
	start := 0
	for line := range strings.SplitSeq(string(text), "\n") {
		if strings.TrimSpace(line) != "" {
			spans = append(spans, span{start, start + len(line)})
		}
		start += len(line) + 1
	}
	return spans
}

// httpName checks the name of a header, and puts it in lower case.
func httpName(name string) (string, error) {
	name = strings.ToLower(name)
	switch {
	case name == "":
		return "", errors.New("the name is missing")
	case !isToken(name):
		return "", fmt.Errorf("%q is not a header name", name)
	case name != "host" && name != "content-type" && !strings.HasPrefix(name, "grpc-") && slices.Contains(reserved, name):
		return "", fmt.Errorf("%s is set by the protocol", name)
	default:
		return name, nil
	}
}

// isToken reports whether a word is a token (RFC 9110, section 5.6.2).
func isToken(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// Constant returns the path and the body that every call has; it is false where calls differ.
func (h *HTTP) Constant() (path, body []byte, ok bool) {
	if h.path.template.varies || len(h.bodies) > 1 || len(h.bodies) == 1 && h.bodies[0].template.varies {
		return nil, nil, false
	}
	return h.AppendPath(nil, 0), h.AppendBody(nil, 0), true
}

// AppendPath appends a call's path with its query, "/a?b=c".
func (h *HTTP) AppendPath(dst []byte, call uint64) []byte { return h.path.append(dst, call) }

// AppendBody appends a call's body, which may be empty.
func (h *HTTP) AppendBody(dst []byte, call uint64) []byte {
	if len(h.bodies) == 0 {
		return dst
	}
	return h.bodies[h.options.pick(call, len(h.bodies))].append(dst, call)
}
