package grpcgo

import (
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
)

// serverCodec returns the codec of a server; nil is the library's own.
func serverCodec(limits stack.Limits, word string) encoding.CodecV2 {
	codec := codecOf(word)
	if limits.Batch == 0 {
		return codec
	}
	if codec == nil {
		codec = encoding.GetCodecV2("proto")
	}
	return bounded{codec, limits.Batch}
}

// bounded decodes no batch of more operations than most: such a one has the memory of its encoding many times over.
type bounded struct {
	encoding.CodecV2

	most int
}

// Unmarshal implements encoding.CodecV2. Messages that it does not decode are refused by the service, because the library takes
// no status from a codec.
func (c bounded) Unmarshal(data mem.BufferSlice, v any) error {
	batch, ok := v.(*batchv1.Batch)
	if !ok {
		return c.CodecV2.Unmarshal(data, v)
	}
	whole := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer whole.Free()
	if batchv1.Exceeds(whole.ReadOnlyData(), c.most) {
		batch.Refuse(c.most)
		return nil
	}
	return c.CodecV2.Unmarshal(mem.BufferSlice{whole}, v)
}
