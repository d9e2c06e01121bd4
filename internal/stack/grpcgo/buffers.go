package grpcgo

import (
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"

	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/service"
)

// buffers is the library's codec for protobuf, but that it passes a *buffer through as it is.
type buffers struct{ encoding.CodecV2 }

func newBuffers() buffers { return buffers{encoding.GetCodecV2("proto")} }

// A buffer is an encoded message. A received one is one piece. A sent one is what precedes the payload, and the payload, which is
// never copied. Neither is written to again, because the library may still be sending a message when its call has ended.
type buffer struct{ head, payload []byte }

// Marshal is encoding.CodecV2's.
func (b buffers) Marshal(v any) (mem.BufferSlice, error) {
	message, ok := v.(*buffer)
	if !ok {
		return b.CodecV2.Marshal(v)
	}
	return mem.BufferSlice{mem.SliceBuffer(message.head), mem.SliceBuffer(message.payload)}, nil
}

// Unmarshal is encoding.CodecV2's.
func (b buffers) Unmarshal(data mem.BufferSlice, v any) error {
	message, ok := v.(*buffer)
	if !ok {
		return b.CodecV2.Unmarshal(data, v)
	}
	message.head = data.Materialize()
	return nil
}

// Numbers of fields.
const (
	payloadBody     protowire.Number = 2 // of Payload
	responsePayload protowire.Number = 1 // of SimpleResponse
	requestSize     protowire.Number = 2 // of SimpleRequest, as the next
	requestPayload  protowire.Number = 3
)

// bufferMessages returns the messages of BenchmarkService, encoded once. In a reply only the place of the payload is looked up.
func bufferMessages(call stack.Call) service.Messages[buffer, buffer] {
	request := bufferOf(call.Request, call.ResponseBytes)
	return service.Messages[buffer, buffer]{
		Request: func() *buffer { return &buffer{request.head, request.payload} },
		// Lengths by chance take a new buffer each: the library may still write the one before.
		Prepare: func(request *buffer, message stack.Message) {
			if message.Drawn {
				*request = *bufferOf(message.Payload, message.ResponseBytes)
			}
		},
		Reply: func(answer *buffer) stack.Reply {
			payload, _ := field(answer.head, responsePayload) // what can't be read is no good payload, which is found then
			body, _ := field(payload, payloadBody)
			return stack.Reply{Payload: body}
		},
	}
}

// bufferOf encodes a request with a payload, for a reply of responseBytes.
func bufferOf(payload []byte, responseBytes int) *buffer {
	var head []byte
	if responseBytes > 0 { // as protobuf leaves out a field that is 0
		head = protowire.AppendVarint(protowire.AppendTag(nil, requestSize, protowire.VarintType), uint64(responseBytes))
	}
	return &buffer{appendPayloadHead(head, requestPayload, len(payload)), payload}
}

// appendPayloadHead appends what precedes the bytes of a payload, in a field at the end of a message.
func appendPayloadHead(to []byte, number protowire.Number, n int) []byte {
	if n == 0 {
		return protowire.AppendVarint(protowire.AppendTag(to, number, protowire.BytesType), 0)
	}
	inner := protowire.SizeTag(payloadBody) + protowire.SizeBytes(n)
	to = protowire.AppendVarint(protowire.AppendTag(to, number, protowire.BytesType), uint64(inner))
	return protowire.AppendVarint(protowire.AppendTag(to, payloadBody, protowire.BytesType), uint64(n))
}

// field returns the bytes of the last field of a number in a message; nil where there is none.
func field(message []byte, wanted protowire.Number) (found []byte, err error) {
	for len(message) > 0 {
		number, kind, tag := protowire.ConsumeTag(message)
		if tag < 0 {
			return nil, protowire.ParseError(tag)
		}
		size := protowire.ConsumeFieldValue(number, kind, message[tag:])
		if size < 0 {
			return nil, protowire.ParseError(size)
		}
		if number == wanted && kind == protowire.BytesType {
			found, _ = protowire.ConsumeBytes(message[tag:])
		}
		message = message[tag+size:]
	}
	return found, nil
}

// answerBuffer answers a request. Of one that asks for more than a length it is the library that reads and encodes.
func answerBuffer(request *buffer, from *stack.Responder) (*buffer, error) {
	size, body, plain := readRequest(request.head)
	if !plain {
		return answerDecoded(request, from)
	}
	if err := from.Check("response_size", 0, int64(size)); err != nil {
		return nil, err
	}
	body = from.Payload(body, int(size))
	return &buffer{appendPayloadHead(nil, responsePayload, len(body)), body}, nil
}

// readRequest finds a request's response_size and payload. It is not plain where it has other fields, or none as they should be.
func readRequest(message []byte) (size int32, body []byte, plain bool) {
	for len(message) > 0 {
		number, kind, tag := protowire.ConsumeTag(message)
		if tag < 0 {
			return 0, nil, false
		}
		value := message[tag:]
		n := -1
		switch {
		case number == requestSize && kind == protowire.VarintType:
			var read uint64
			read, n = protowire.ConsumeVarint(value)
			size = int32(read)
		case number == requestPayload && kind == protowire.BytesType && body == nil:
			var payload []byte
			payload, n = protowire.ConsumeBytes(value)
			var err error
			if body, err = field(payload, payloadBody); err != nil {
				n = -1
			}
		}
		if n < 0 {
			return 0, nil, false
		}
		message = value[n:]
	}
	return size, body, true
}

func answerDecoded(request *buffer, from *stack.Responder) (*buffer, error) {
	decoded := new(testpb.SimpleRequest)
	if err := proto.Unmarshal(request.head, decoded); err != nil {
		return nil, &stack.Error{Code: stack.Internal, Err: err}
	}
	answer, err := service.Respond(decoded, from)
	if err != nil {
		return nil, err
	}
	encoded, err := proto.Marshal(answer)
	if err != nil {
		return nil, &stack.Error{Code: stack.Internal, Err: err}
	}
	return &buffer{head: encoded}, nil
}

// size is the length of an answer's payload.
func (b *buffer) size() int { return len(b.payload) }
