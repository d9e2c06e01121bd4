package grpcgo

import (
	"sync"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack/batchv1"
)

// pooled is the library's codec for protobuf, except that it decodes batches into reused operations. The receiver of a Batch
// returns it by release and does not use it afterwards. One that is never returned is garbage, as with the library's codec.
// Encoding is the library's.
type pooled struct{ encoding.CodecV2 }

func newPooled() pooled { return pooled{encoding.GetCodecV2("proto")} }

// operations are the ones to be used again, by the batch.
var operations sync.Pool // of *[]*batchv1.Operation

func release(b *batchv1.Batch) {
	if b != nil && len(b.Operations) > 0 {
		all := b.Operations
		b.Operations = nil
		operations.Put(&all)
	}
}

// Unmarshal is encoding.CodecV2's.
func (p pooled) Unmarshal(data mem.BufferSlice, v any) error {
	b, ok := v.(*batchv1.Batch)
	if !ok {
		return p.CodecV2.Unmarshal(data, v)
	}
	whole := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer whole.Free()
	var used []*batchv1.Operation
	if kept, ok := operations.Get().(*[]*batchv1.Operation); ok {
		used = *kept
	}
	var err error
	b.Operations, err = decodeBatch(whole.ReadOnlyData(), b, used[:cap(used)])
	return err
}

// merge decodes one operation into one that is empty.
var merge = proto.UnmarshalOptions{Merge: true}

// decodeBatch decodes the fields of a batch. The library decodes the operations, one after another, into those of used as long as
// there are any.
func decodeBatch(data []byte, b *batchv1.Batch, used []*batchv1.Operation) ([]*batchv1.Operation, error) {
	n := 0
	for len(data) > 0 {
		field, kind, size := protowire.ConsumeTag(data)
		if size < 0 {
			return nil, protowire.ParseError(size)
		}
		if field != batchv1.OperationsField || kind != protowire.BytesType {
			value := protowire.ConsumeFieldValue(field, kind, data[size:])
			if value < 0 {
				return nil, protowire.ParseError(value)
			}
			size += value
			if err := merge.Unmarshal(data[:size], b); err != nil {
				return nil, err
			}
			data = data[size:]
			continue
		}
		one, length := protowire.ConsumeBytes(data[size:])
		if length < 0 {
			return nil, protowire.ParseError(length)
		}
		data = data[size+length:]
		used = room(used, n)
		if err := merge.Unmarshal(one, used[n]); err != nil {
			return nil, err
		}
		n++
	}
	return used[:n], nil
}

// room returns used with an empty operation at n.
func room(used []*batchv1.Operation, n int) []*batchv1.Operation {
	if n == len(used) {
		return append(used, new(batchv1.Operation))
	}
	if used[n] == nil {
		used[n] = new(batchv1.Operation)
	} else {
		used[n].Reset()
	}
	return used
}
