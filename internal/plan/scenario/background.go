package scenario

import (
	"cmp"
	"fmt"

	"rpcbench/internal/stack"
)

// A Background is a call that is made again and again, on every connection, beside the measured ones. The zero
// Background is none.
type Background struct {
	Kind          string // unary, stream, upload or download
	RequestBytes  int
	ResponseBytes int
	Messages      int // of a stream, upload or download
}

var backgroundKinds = []string{stack.KindUnary, stack.KindStream, stack.KindUpload, stack.KindDownload}

var backgroundKeys = []string{"kind", "request_bytes", "response_bytes", "messages"}

// background accepts none, or a map such as {kind: stream, messages: 100, request_bytes: 10}. Its defaults are those of
// a case of its kind.
func background(n node) (Background, error) {
	if n.form == scalar && n.text == "none" {
		return Background{}, nil
	}
	if n.form != mapping {
		return Background{}, fmt.Errorf("%s stands where none or a map such as {kind: stream, messages: 100} is expected", n.form)
	}
	texts, err := texts(n)
	if err != nil {
		return Background{}, err
	}
	for name := range texts {
		if _, err := oneOf(backgroundKeys...)(name); err != nil {
			return Background{}, err
		}
	}
	return readBackground(texts)
}

func readBackground(texts map[string]string) (b Background, err error) {
	if b.Kind, err = oneOf(backgroundKinds...)(texts["kind"]); err != nil {
		return b, fmt.Errorf("kind: %w", err)
	}
	if b.RequestBytes, err = size(cmp.Or(texts["request_bytes"], requestBytes(b.Kind))); err != nil {
		return b, fmt.Errorf("request_bytes: %w", err)
	}
	same := fmt.Sprint(b.RequestBytes)
	if b.ResponseBytes, err = size(cmp.Or(texts["response_bytes"], responseBytes(b.Kind), same)); err != nil {
		return b, fmt.Errorf("response_bytes: %w", err)
	}
	if b.Kind == stack.KindUnary {
		if _, given := texts["messages"]; given {
			return b, fmt.Errorf("messages: a unary call has none")
		}
		return b, nil
	}
	if b.Messages, err = count(1, MessagesMax)(cmp.Or(texts["messages"], "1000")); err != nil {
		return b, fmt.Errorf("messages: %w", err)
	}
	return b, nil
}

// texts reads a map of scalars.
func texts(n node) (map[string]string, error) {
	read := make(map[string]string, len(n.fields))
	for _, f := range n.fields {
		if f.value.form != scalar {
			return nil, fmt.Errorf("%s: %s stands where one value is expected", f.name, f.value.form)
		}
		if _, twice := read[f.name]; twice {
			return nil, fmt.Errorf("%s is given twice", f.name)
		}
		read[f.name] = f.value.text
	}
	return read, nil
}
