package point

import (
	"cmp"
	"fmt"
	"strconv"

	"rpcbench/internal/stack"
)

var backgroundKinds = []string{stack.KindUnary, stack.KindStream, stack.KindUpload, stack.KindDownload}

var backgroundKeys = []string{"kind", "request_bytes", "response_bytes", "messages"}

// background accepts none, or a map such as {kind: stream, messages: 100, request_bytes: 10}. Defaults are those of a case of
// that kind.
func background(n Node) (*Background, error) {
	if n.Form == Scalar && n.Text == "none" {
		return nil, nil
	}
	if n.Form != Map {
		return nil, fmt.Errorf("%s is given; expected none or a map such as {kind: stream, messages: 100}", n.Form)
	}
	texts, err := texts(n)
	if err != nil {
		return nil, err
	}
	for name := range texts {
		if _, err := oneOf(backgroundKeys...)(name); err != nil {
			return nil, err
		}
	}
	b, err := readBackground(texts)
	return &b, err
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
			return b, fmt.Errorf("messages: a unary call has no messages")
		}
		return b, nil
	}
	if b.Messages, err = count(1, MessagesMax)(cmp.Or(texts["messages"], "1000")); err != nil {
		return b, fmt.Errorf("messages: %w", err)
	}
	return b, nil
}

// write says a background as a case does.
func (b *Background) write() Node {
	if b == nil {
		return absent()
	}
	return mapNode(b.texts())
}

func (b *Background) texts() map[string]string {
	texts := map[string]string{
		"kind": b.Kind, "request_bytes": strconv.Itoa(b.RequestBytes), "response_bytes": strconv.Itoa(b.ResponseBytes),
	}
	if b.Messages != 0 {
		texts["messages"] = strconv.Itoa(b.Messages)
	}
	return texts
}

// Text is the background as files have it, "" without one.
func (b *Background) Text() string {
	if b == nil {
		return ""
	}
	return pairs(b.texts())
}
