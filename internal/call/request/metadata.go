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
)

// Metadata is what goes along with every call, in order.
type Metadata []*Entry

// An Entry is a name with a value that may differ from call to call. It may be used concurrently, but for Refresh.
type Entry struct {
	Name   string // in lower case
	text   *text
	token  *Token // instead of text
	binary bool   // the name ends in -bin: the text is base64
}

// ParseMetadata makes metadata of entries, as ReadPairs reads them.
func ParseMetadata(entries []string, stdin io.Reader, options Options) (Metadata, error) {
	pairs, err := ReadPairs(entries, stdin)
	if err != nil {
		return nil, err
	}
	return NewMetadata(pairs, options)
}

// NewMetadata makes gRPC's metadata. Values may have functions. The value of a name that ends in -bin is base64 of what
// is sent.
func NewMetadata(pairs []Pair, options Options) (Metadata, error) {
	return newMetadata(pairs, options, true)
}

// newMetadata makes gRPC's metadata or HTTP's headers.
func newMetadata(pairs []Pair, options Options, isGRPC bool) (Metadata, error) {
	var list Metadata
	for i, p := range pairs {
		e, err := p.entry(options.complete(), scopeMetadata+uint64(i), isGRPC)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
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

// ReadPairs reads entries: "name: value" each, or a JSON object of them, or @PATH for a file of either, a pair on each
// line; @- is stdin.
func ReadPairs(entries []string, stdin io.Reader) ([]Pair, error) {
	var list []Pair
	for _, entry := range entries {
		source, content := fmt.Sprintf("metadata %q", short(entry)), entry
		path, isFile := strings.CutPrefix(entry, "@")
		if isFile {
			name, read, err := readFile(path, stdin)
			if err != nil {
				return nil, err
			}
			source, content = "metadata in "+name, string(read)
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
		return Pair{}, fmt.Errorf("%s: it is written \"name: value\"", source)
	}
	if name == "" && strings.HasPrefix(value, "authority:") {
		name = ":authority"
	}
	return Pair{Source: source, Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)}, nil
}

func objectPairs(source, object string) ([]Pair, error) {
	var values map[string]string
	if err := json.Unmarshal([]byte(object), &values); err != nil {
		return nil, fmt.Errorf(`%s: it is no JSON object of texts, such as {"name": "value"}: %w`, source, err)
	}
	var list []Pair
	for _, name := range slices.Sorted(maps.Keys(values)) {
		list = append(list, Pair{Source: source, Name: name, Value: values[name]})
	}
	return list, nil
}

// entry checks a pair.
func (p Pair) entry(options Options, scope uint64, isGRPC bool) (*Entry, error) {
	check := httpName
	if isGRPC {
		check = grpcName
	}
	name, err := check(p.Name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Source, err)
	}
	e := &Entry{Name: name, binary: isGRPC && strings.HasSuffix(name, "-bin")}
	v := vocabulary{lookUp: options.lookUpIn(p.File)}
	if e.text, err = newText(v, options, []byte(p.Value), syntaxPlain, scope, inName(p.Source)); err != nil {
		return nil, err
	}
	if _, err := e.Append(nil, 0); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Source, err)
	}
	if isGRPC && name == "user-agent" && e.text.template.varies {
		return nil, fmt.Errorf("%s: a client of gRPC has one user-agent, so it can't differ from call to call", p.Source)
	}
	if r, ok := e.text.template.unprintable(); ok {
		return nil, fmt.Errorf("%s: the value has %q, which is not printable ASCII", p.Source, r)
	}
	return e, nil
}

// unprintable returns a character of the template that no header has.
func (t *template) unprintable() (rune, bool) {
	for _, p := range t.parts {
		for _, text := range slices.Concat(p.value.among, []string{string(p.literal)}) {
			for _, r := range text {
				if r < ' ' || r > '~' {
					return r, true
				}
			}
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
		return "", errors.New("the authority has a flag of its own, --authority")
	case name == "":
		return "", errors.New("the name is missing")
	case strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "":
		return "", fmt.Errorf("the name %q has more than letters, digits, '-', '_' and '.'", name)
	case slices.Contains(reserved, name):
		return "", fmt.Errorf("%s is the protocol's to set", name)
	default:
		return name, nil
	}
}

// Constant returns the value that every call has; a token's stays so until Refresh.
func (e *Entry) Constant() ([]byte, bool) {
	if e.token == nil && e.text.template.varies {
		return nil, false
	}
	value, err := e.Append(nil, 0)
	return value, err == nil
}

// Append appends a call's value; of a name that ends in -bin, the bytes themselves.
func (e *Entry) Append(dst []byte, call uint64) ([]byte, error) {
	if e.token != nil {
		return append(append(dst, "Bearer "...), e.token.value...), nil
	}
	if !e.binary {
		return e.text.append(dst, call), nil
	}
	start := len(dst)
	dst = e.text.append(dst, call)
	encoded := strings.TrimRight(string(dst[start:]), "=")
	encoded = strings.NewReplacer("-", "+", "_", "/").Replace(encoded)
	decoded, err := base64.RawStdEncoding.DecodeString(encoded)
	if err != nil {
		return dst[:start], fmt.Errorf("%q is no base64, which %s needs", short(string(dst[start:])), e.Name)
	}
	return append(dst[:start], decoded...), nil
}

// AppendWire appends a call's value as HTTP/2 carries it: base64 without padding under a name that ends in -bin.
func (e *Entry) AppendWire(dst []byte, call uint64) ([]byte, error) {
	start := len(dst)
	dst, err := e.Append(dst, call)
	if err != nil || !e.binary {
		return dst, err
	}
	raw := slices.Clone(dst[start:])
	return base64.RawStdEncoding.AppendEncode(dst[:start], raw), nil
}

// Refresh reads again what may have changed, the token's file. It is for every new connection, before its calls, and
// must not run beside anything else of the metadata.
func (m Metadata) Refresh() error {
	for _, e := range m {
		if e.token != nil {
			if err := e.token.refresh(); err != nil {
				return err
			}
		}
	}
	return nil
}
