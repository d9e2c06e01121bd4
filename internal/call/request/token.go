package request

import (
	"errors"
	"fmt"
	"strings"

	"rpcbench/internal/stack"
)

// A Token is a bearer token: RFC 6750, section 2.1.
type Token struct {
	path  string // "" is a token that never changes
	value string
}

// tokenBytesMax is more than servers take in a header.
const tokenBytesMax = 64 << 10

// ParseToken makes a token of a text.
func ParseToken(text string) (*Token, error) {
	t := &Token{value: strings.TrimSpace(text)}
	switch {
	case t.value == "":
		return nil, errors.New("the token is empty")
	case len(t.value) > tokenBytesMax:
		return nil, fmt.Errorf("the token is longer than %d kB", tokenBytesMax>>10)
	case strings.ContainsFunc(t.value, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, errors.New("the token has a space or a character that is not printable ASCII")
	default:
		return t, nil
	}
}

// ReadToken reads a token from a file, which Metadata.Refresh reads again.
func ReadToken(path string) (*Token, error) {
	t := &Token{path: path}
	return t, t.refresh()
}

// KeptToken is a token that was read from a file before, and is read from there again.
func KeptToken(path, value string) *Token { return &Token{path: path, value: value} }

// Value returns the token as it was read last.
func (t *Token) Value() string { return t.value }

// EnvToken reads a token from the environment.
func EnvToken(name string, lookUp LookUp) (*Token, error) {
	text, ok := lookUp(name)
	if !ok {
		return nil, fmt.Errorf("the environment has no variable %s for the token", name)
	}
	t, err := ParseToken(text)
	if err != nil {
		return nil, fmt.Errorf("the variable %s: %w", name, err)
	}
	return t, nil
}

// Metadatum returns the metadata that shows the token.
func (t *Token) Metadatum() stack.Metadatum { return stack.Metadatum{Name: "authorization", Value: t} }

// Constant is stack.Value's. The value stays so until Metadata.Refresh.
func (t *Token) Constant() ([]byte, bool) { return []byte("Bearer " + t.value), true }

// Append is stack.Value's.
func (t *Token) Append(dst []byte, _ uint64) ([]byte, error) {
	return append(append(dst, "Bearer "...), t.value...), nil
}

// AppendWire is stack.Value's.
func (t *Token) AppendWire(dst []byte, call uint64) ([]byte, error) { return t.Append(dst, call) }

func (t *Token) refresh() error {
	if t.path == "" {
		return nil
	}
	_, content, err := readFile(t.path, nil)
	if err != nil {
		return fmt.Errorf("cannot read the token: %w", err)
	}
	read, err := ParseToken(string(withoutMark(content)))
	if err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	t.value = read.value
	return nil
}
