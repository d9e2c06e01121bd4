package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A document is the text of one message, in JSON with functions.
type document struct {
	text  []byte
	place place
}

// documents splits an input into requests, each of one message or, for a client's stream, of its messages.
func (in Input) documents(method protoreflect.MethodDescriptor) ([][]document, error) {
	var list [][]document
	var err error
	in.Text = withoutMark(in.Text)
	switch in.Format {
	case FormatLines:
		list, err = in.lines(method)
	case FormatCSV:
		list, err = in.rows(method)
	default:
		list, err = in.values(method)
	}
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, fmt.Errorf("%s has no request", in.Name)
	case len(list) > RequestsMax:
		return nil, fmt.Errorf("%s has more than %d requests", in.Name, RequestsMax)
	}
	return list, nil
}

// values splits JSON: values behind each other are requests. An array is a client's stream; for other methods it is
// as many requests.
func (in Input) values(method protoreflect.MethodDescriptor) ([][]document, error) {
	whole := inText{name: in.Name, text: in.Text}
	spans, err := split(in.Text, whole)
	if err != nil {
		return nil, err
	}
	var list [][]document
	for _, s := range spans {
		part := in.Text[s.start:s.end]
		if !isArray(part, method) {
			list = append(list, []document{{part, inText{in.Name, in.Text, s.start}}})
			continue
		}
		messages, err := in.elements(s)
		if err != nil {
			return nil, err
		}
		if method.IsStreamingClient() {
			list = append(list, messages)
			continue
		}
		for _, message := range messages {
			list = append(list, []document{message})
		}
	}
	return list, nil
}

// lines splits JSON lines: each is a request; empty ones are none.
func (in Input) lines(method protoreflect.MethodDescriptor) ([][]document, error) {
	var list [][]document
	start := 0
	for line := range bytes.SplitSeq(in.Text, []byte("\n")) {
		begin := start
		start += len(line) + 1
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		at := inText{in.Name, in.Text, begin}
		spans, err := split(line, at)
		if err != nil {
			return nil, err
		}
		if len(spans) != 1 {
			return nil, fmt.Errorf("%s: a second value starts here; give one value per line", at.at(spans[1].start))
		}
		s := span{begin + spans[0].start, begin + spans[0].end}
		if !isArray(in.Text[s.start:s.end], method) {
			list = append(list, []document{{in.Text[s.start:s.end], inText{in.Name, in.Text, s.start}}})
			continue
		}
		if !method.IsStreamingClient() {
			return nil, fmt.Errorf("%s: an array is the messages of a client stream, but %s takes one message",
				at.at(spans[0].start), method.Name())
		}
		messages, err := in.elements(s)
		if err != nil {
			return nil, err
		}
		list = append(list, messages)
	}
	return list, nil
}

// isArray reports whether a value is an array of messages. The JSON of a few message types is itself an array.
func isArray(value []byte, method protoreflect.MethodDescriptor) bool {
	switch method.Input().FullName() {
	case "google.protobuf.ListValue", "google.protobuf.Value":
		return false
	default:
		return value[0] == '['
	}
}

// elements splits an array.
func (in Input) elements(s span) ([]document, error) {
	array := in.Text[s.start:s.end]
	list, err := holes(array, true)
	if err != nil {
		return nil, located(inText{in.Name, in.Text, s.start}, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(filled(array, list)))
	if _, err := decoder.Token(); err != nil {
		return nil, located(inText{in.Name, in.Text, s.start}, err)
	}
	messages := []document{}
	for decoder.More() {
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return nil, located(inText{in.Name, in.Text, s.start}, jsonFault(err, array))
		}
		end := int(decoder.InputOffset())
		start := end - len(raw)
		messages = append(messages, document{array[start:wholeEnd(list, end)], inText{in.Name, in.Text, s.start + start}})
	}
	return messages, nil
}

// A span is a part of a text.
type span struct{ start, end int }

// split finds the JSON values of a text.
func split(text []byte, at inText) ([]span, error) {
	if err := textLimits.Check(text); err != nil {
		return nil, fmt.Errorf("%s: %w", at.at(0), err)
	}
	list, err := holes(text, true)
	if err != nil {
		return nil, located(at, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(filled(text, list)))
	var spans []span
	for {
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return spans, nil
		}
		if err != nil {
			return nil, located(at, jsonFault(err, text))
		}
		end := int(decoder.InputOffset())
		spans = append(spans, span{end - len(raw), wholeEnd(list, end)})
		if len(spans) > RequestsMax {
			return nil, fmt.Errorf("%s: there are more than %d requests", at.at(0), RequestsMax)
		}
	}
}

// jsonFault says where a text is no JSON.
func jsonFault(err error, text []byte) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return faultf(int(syntax.Offset)-1, "not JSON: %w", syntax)
	}
	return faultf(len(text), "the JSON ends before it is complete")
}
