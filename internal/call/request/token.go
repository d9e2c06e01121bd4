package request

import (
	"errors"
	"fmt"
	"strings"

	"rpcbench/internal/stack"
)

// A Token is a bearer token: RFC 6750, section 2.1.
type Token struct{ value string }

// tokenBytesMax is more than servers take in a header.
const tokenBytesMax = 64 << 10

// ParseToken makes a token of a text.
func ParseToken(text string) (*Token, error) {
	t := &Token{value: strings.TrimSpace(text)}
	switch {
	case t.value == "":
		return nil, errors.New("the token is empty")
	case len(t.value) > tokenBytesMax:
		return nil, fmt.Errorf("the token is longer than %d KiB", tokenBytesMax>>10)
	case strings.ContainsFunc(t.value, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, errors.New("the token has a space or a character that is not printable ASCII")
	default:
		return t, nil
	}
}

// ReadToken reads a token from a file.
func ReadToken(path string) (*Token, error) {
	_, content, err := readFile(path, nil)
	if err != nil {
		return nil, fmt.Errorf("cannot read the token: %w", err)
	}
	t, err := ParseToken(string(withoutMark(content)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Value returns the token.
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

// Constant is stack.Value's.
func (t *Token) Constant() ([]byte, bool) { return []byte("Bearer " + t.value), true }

// Append is stack.Value's.
func (t *Token) Append(dst []byte, _ uint64) ([]byte, error) {
	return append(append(dst, "Bearer "...), t.value...), nil
}

// AppendWire is stack.Value's.
func (t *Token) AppendWire(dst []byte, call uint64) ([]byte, error) { return t.Append(dst, call) }
