package grpcgo

import (
	"fmt"

	"google.golang.org/grpc/mem"
)

// raw is a codec that passes messages through: *rawMessage out, *rawReply in. Its name is empty, so calls have gRPC's plain
// content type, as with the library's codec.
type raw struct{}

// A rawMessage is an encoded message.
type rawMessage struct {
	bytes  []byte
	shared bool // by all calls, and never written to
}

// A rawReply keeps only the length of a reply.
type rawReply struct{ bytes int }

// Name is encoding.CodecV2's.
func (raw) Name() string { return "" }

// Marshal implements encoding.CodecV2. The library may still be sending a message when its call has ended, so only a shared
// message is sent without a copy.
func (raw) Marshal(v any) (mem.BufferSlice, error) {
	m, ok := v.(*rawMessage)
	switch {
	case !ok:
		return nil, fmt.Errorf("%T is not a raw message", v)
	case m.shared:
		return mem.BufferSlice{mem.SliceBuffer(m.bytes)}, nil
	default:
		return mem.BufferSlice{mem.Copy(m.bytes, mem.DefaultBufferPool())}, nil
	}
}

// Unmarshal is encoding.CodecV2's.
func (raw) Unmarshal(data mem.BufferSlice, v any) error {
	r, ok := v.(*rawReply)
	if !ok {
		return fmt.Errorf("%T is not a raw reply", v)
	}
	r.bytes = data.Len()
	return nil
}
