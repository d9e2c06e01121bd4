package request

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"rpcbench/internal/stack"
)

// Metadata accompanies every call, in order. It is safe for concurrent use.
type Metadata []stack.Metadatum

// NewMetadata makes gRPC metadata. Values may have functions. If a name ends in -bin, its value is base64 of the bytes to send.
func NewMetadata(pairs []Pair, options Options) (Metadata, error) {
	return newMetadata(pairs, options, true)
}

// newMetadata makes gRPC's metadata or HTTP's headers.
func newMetadata(pairs []Pair, options Options, isGRPC bool) (Metadata, error) {
	var list Metadata
	for i, p := range pairs {
		m, err := p.metadatum(options.complete(), scopeMetadata+uint64(i), isGRPC)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// A Pair is an entry as it was written.
type Pair struct {
	Source string // what sentences call it
	Name   string
	Value  string
	File   string `json:"-"` // that it was read from; "-" is stdin, and empty is none
}

// metadataBytesMax bounds a file of metadata, which goes with every call.
const metadataBytesMax = 1 << 20

// ReadPairs reads entries. Each is "name: value", or a JSON object of pairs, or @PATH for a file of either with one pair on each
// line; @- is stdin.
func ReadPairs(entries []string, stdin io.Reader) ([]Pair, error) {
	var list []Pair
	for _, entry := range entries {
		source, content := fmt.Sprintf("metadata %q", short(entry)), entry
		path, isFile := strings.CutPrefix(entry, "@")
		if isFile {
			name, read, err := readFile(path, stdin)
			if err != nil {
				return nil, fmt.Errorf("metadata: %w", err)
			}
			source, content = "metadata in "+name, string(withoutMark(read))
			if strings.TrimSpace(content) == "" {
				return nil, fmt.Errorf("%s: it is empty; a pipe can be read only once", source)
			}
			if len(content) > metadataBytesMax {
				return nil, fmt.Errorf("%s: the file has more than %d bytes", source, metadataBytesMax)
			}
		}
		read, err := readPairs(source, content, isFile)
		if err != nil {
			return nil, err
		}
		if isFile {
			for i := range read {
				read[i].File = path
			}
		}
		list = append(list, read...)
	}
	return list, nil
}

// readPairs reads one entry, or a file's.
func readPairs(source, content string, isFile bool) ([]Pair, error) {
	if object := strings.TrimSpace(content); strings.HasPrefix(object, "{") {
		return objectPairs(source, object)
	}
	if !isFile {
		p, err := parsePair(source, content)
		return []Pair{p}, err
	}
	var list []Pair
	line := 0
	for text := range strings.SplitSeq(content, "\n") {
		line++
		if strings.TrimSpace(text) == "" {
			continue
		}
		p, err := parsePair(fmt.Sprintf("%s, line %d", source, line), text)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

func parsePair(source, text string) (Pair, error) {
	name, value, ok := strings.Cut(text, ":")
	if !ok {
		return Pair{}, fmt.Errorf(`%s: the format is "name: value"`, source)
	}
	if name == "" && strings.HasPrefix(value, "authority:") {
		name = ":authority"
	}
	return Pair{Source: source, Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)}, nil
}

func objectPairs(source, object string) ([]Pair, error) {
	var values map[string]string
	if err := json.Unmarshal([]byte(object), &values); err != nil {
		return nil, fmt.Errorf(`%s: not a JSON object of strings, such as {"name": "value"}`, source)
	}
	var list []Pair
	for _, name := range slices.Sorted(maps.Keys(values)) {
		list = append(list, Pair{Source: source, Name: name, Value: values[name]})
	}
	return list, nil
}

// metadatum checks a pair.
func (p Pair) metadatum(options Options, scope uint64, isGRPC bool) (stack.Metadatum, error) {
	check := httpName
	if isGRPC {
		check = grpcName
	}
	name, err := check(p.Name)
	if err != nil {
		return stack.Metadatum{}, fmt.Errorf("%s: %w", p.Source, err)
	}
	w := &written{}
	if isGRPC && strings.HasSuffix(name, "-bin") {
		w.base64Of = name
	}
	v := options.vocabulary(p.File)
	if w.text, err = newText(v, options, []byte(p.Value), syntaxPlain, scope, inName(p.Source)); err != nil {
		return stack.Metadatum{}, err
	}
	tried := options.draw(0, 0, scope, w.text.template)
	tried.short = true
	if _, err := w.appendDrawn(nil, tried); err != nil {
		return stack.Metadatum{}, fmt.Errorf("%s: %w", p.Source, err)
	}
	if isGRPC && name == "user-agent" && w.text.template.varies {
		return stack.Metadatum{},
			fmt.Errorf("%s: a gRPC client has one user-agent, so it can't differ between calls", p.Source)
	}
	if r, row, ok := w.text.template.unprintable(); ok {
		err := fmt.Errorf("the value has %q, which is not printable ASCII", r)
		if row > 0 {
			err = fmt.Errorf("%s, row %d: %w", options.Rows.name, row, err)
		}
		return stack.Metadatum{}, fmt.Errorf("%s: %w", p.Source, err)
	}
	return stack.Metadatum{Name: name, Value: w}, nil
}

// unprintable returns a character of the template that no header has, and the row that it is in, from 1; 0 is none.
func (t *template) unprintable() (_ rune, row int, _ bool) {
	for _, p := range t.parts {
		if r, ok := unprintable(string(p.literal)); ok {
			return r, 0, true
		}
		for i, text := range p.value.among {
			if r, ok := unprintable(text); ok && p.value.ofRow {
				return r, i + 1, true
			} else if ok {
				return r, 0, true
			}
		}
	}
	return 0, 0, false
}

func unprintable(text string) (rune, bool) {
	for _, r := range text {
		if r < ' ' || r > '~' {
			return r, true
		}
	}
	return 0, false
}

// inName is the place of a text without lines.
type inName string

func (n inName) at(int) string { return string(n) }

// reserved names belong to the protocol: who sets them breaks the call.
var reserved = []string{
	"connection", "content-length", "content-type", "grpc-accept-encoding", "grpc-encoding", "grpc-message", "grpc-status",
	"grpc-timeout", "host", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
}

// grpcName checks a name of gRPC's metadata, and puts it in lower case.
func grpcName(name string) (string, error) {
	name = strings.ToLower(name)
	switch {
	case name == ":authority":
		return "", errors.New("use the flag --authority for the authority")
	case name == "":
		return "", errors.New("the name is missing")
	case strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "":
		return "", fmt.Errorf("the name %q has characters other than letters, digits, '-', '_' and '.'", name)
	case slices.Contains(reserved, name):
		return "", fmt.Errorf("%s is set by the protocol", name)
	default:
		return name, nil
	}
}

// A written value is a text, or base64 of the bytes to send.
type written struct {
	text     *text
	base64Of string // the name that wants base64; "" where the text itself is sent
}

// Constant is stack.Value's.
func (w *written) Constant() ([]byte, bool) {
	if w.text.template.varies {
		return nil, false
	}
	value, err := w.Append(nil, 0)
	return value, err == nil
}

// Append is stack.Value's.
func (w *written) Append(dst []byte, call uint64) ([]byte, error) {
	return w.appendDrawn(dst, w.text.options.draw(call, 0, w.text.scope, w.text.template))
}

func (w *written) appendDrawn(dst []byte, d draw) ([]byte, error) {
	start := len(dst)
	dst = w.text.appendDrawn(dst, d)
	if w.base64Of == "" {
		return dst, nil
	}
	encoded := strings.TrimRight(string(dst[start:]), "=")
	encoded = strings.NewReplacer("-", "+", "_", "/").Replace(encoded)
	decoded, err := base64.RawStdEncoding.DecodeString(encoded)
	if err != nil {
		err = fmt.Errorf("the value is not base64, which %s needs", w.base64Of)
		return dst[:start], w.text.options.inRow(w.text.template, d.call, err)
	}
	return append(dst[:start], decoded...), nil
}

// AppendWire is stack.Value's.
func (w *written) AppendWire(dst []byte, call uint64) ([]byte, error) {
	if w.base64Of == "" {
		return w.Append(dst, call)
	}
	raw, err := w.Append(nil, call)
	if err != nil {
		return dst, err
	}
	return base64.RawStdEncoding.AppendEncode(dst, raw), nil
}
