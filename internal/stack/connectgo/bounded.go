package connectgo

import (
	"errors"
	"fmt"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
)

// boundedCodecs are the library's codecs, under all their names, but that they decode no batch of more operations than a
// server reads: such a one has the memory of its encoding many times over. Without a limit there are none.
func boundedCodecs(limits stack.Limits) []connect.HandlerOption {
	if limits.Batch == 0 {
		return nil
	}
	inProto := bounded{
		name: "proto", most: limits.Batch, exceeds: batchv1.Exceeds,
		append: proto.MarshalOptions{}.MarshalAppend, decode: proto.Unmarshal,
	}
	inJSON := bounded{
		name: "json", most: limits.Batch, exceeds: stack.JSONBatchExceeds,
		append: protojson.MarshalOptions{}.MarshalAppend, decode: decodeJSON,
	}
	named := inJSON
	named.name = "json; charset=utf-8"
	return []connect.HandlerOption{connect.WithCodec(inProto), connect.WithCodec(inJSON), connect.WithCodec(named)}
}

func decodeJSON(text []byte, m proto.Message) error {
	if len(text) == 0 {
		return errors.New("zero-length payload is not a valid JSON object")
	}
	return protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(text, m)
}

type bounded struct {
	name    string
	most    int // operations
	exceeds func(encoded []byte, most int) bool
	append  func(to []byte, m proto.Message) ([]byte, error)
	decode  func(encoded []byte, m proto.Message) error
}

// Name is connect.Codec's.
func (b bounded) Name() string { return b.name }

// Marshal is connect.Codec's.
func (b bounded) Marshal(message any) ([]byte, error) { return b.MarshalAppend(nil, message) }

// MarshalAppend implements the library's optional interface, which it prefers to Marshal.
func (b bounded) MarshalAppend(to []byte, message any) ([]byte, error) {
	m, ok := message.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("%T is not a protobuf message", message)
	}
	return b.append(to, m)
}

// Unmarshal implements connect.Codec. Messages that it does not decode are refused by the service, because the library takes no
// status from a codec.
func (b bounded) Unmarshal(encoded []byte, message any) error {
	if asked, ok := message.(*batch); ok && b.exceeds(encoded, b.most) {
		asked.Refuse(b.most)
		return nil
	}
	m, ok := message.(proto.Message)
	if !ok {
		return fmt.Errorf("%T is not a protobuf message", message)
	}
	return b.decode(encoded, m)
}
