package grpcgo

import (
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack/batchv1"
)

// dirty are operations as an earlier message left them, with room for one that is not made yet.
func dirty() []*batchv1.Operation {
	used := batchv1.New(2, []byte("left over"), 0).Operations
	for i, operation := range used {
		operation.Id = uint64(100 + i)
		operation.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 9, protowire.VarintType), 1))
	}
	return append(used, nil)
}

// bytesOf is a message of the fields given, whose operations are of the ids.
func bytesOf(t testing.TB, ids ...uint64) []byte {
	t.Helper()
	b := &batchv1.Batch{ResponseBytes: 5}
	for _, id := range ids {
		b.Operations = append(b.Operations, &batchv1.Operation{Id: id, Payload: []byte("abc")})
	}
	data, err := proto.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestNothingOfAnEarlierMessageIsLeftInOperations(t *testing.T) {
	t.Parallel()
	for _, ids := range [][]uint64{nil, {1}, {1, 2}, {1, 2, 3}, {1, 2, 3, 4, 5}} {
		want := &batchv1.Batch{ResponseBytes: 5}
		for _, id := range ids {
			want.Operations = append(want.Operations, &batchv1.Operation{Id: id, Payload: []byte("abc")})
		}
		got, err := decodeDirty(bytesOf(t, ids...))
		if err != nil || !proto.Equal(got, want) {
			t.Errorf("%v: got %v, %v", ids, got, err)
		}
	}
}

// An operation without fields leaves none of those that were there.
func TestAnEmptyOperationIsEmpty(t *testing.T) {
	t.Parallel()
	got, err := decodeDirty([]byte{batchv1.OperationsField<<3 | byte(protowire.BytesType), 0})
	if want := (&batchv1.Batch{Operations: []*batchv1.Operation{{}}}); err != nil || !proto.Equal(got, want) {
		t.Errorf("got %v, %v, want one empty operation", got, err)
	}
}

func TestOperationsAreUsedAgain(t *testing.T) {
	t.Parallel()
	used := dirty()
	got, err := decodeBatch(bytesOf(t, 1, 2, 3), new(batchv1.Batch), used)
	if err != nil || len(got) != 3 || got[0] != used[0] || got[1] != used[1] || &got[0] != &used[0] {
		t.Errorf("got %v, %v, want the operations given", got, err)
	}
}

// FuzzDecodeBatch holds decodeBatch against the library: the same bytes are refused, and the others make the same message,
// whatever the operations held before.
func FuzzDecodeBatch(f *testing.F) {
	f.Add([]byte{})
	f.Add(bytesOf(f, 1, 2, 3))
	f.Add(append(bytesOf(f, 7), bytesOf(f, 8)...))             // fields in another order
	f.Add(protowire.AppendTag(nil, 1, protowire.VarintType))   // the field by another type, and cut off
	f.Add([]byte{1 << 3, 5, 3<<3 | 2, 1, 'x', 2<<3 | 2, 1, 0}) // unknown fields
	f.Add([]byte{1<<3 | 2, 200, 1})                            // longer than the message
	f.Add([]byte{1<<3 | 2, 2, 1<<3 | 1, 0})                    // an operation cut off
	f.Add([]byte{5<<3 | 3, 5<<3 | 4, 5<<3 | 4})                // an end of no group
	f.Fuzz(func(t *testing.T, data []byte) {
		want := new(batchv1.Batch)
		wantErr := proto.Unmarshal(data, want)
		got, err := decodeDirty(data)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("got error %v, the library says %v", err, wantErr)
		}
		if err == nil && !proto.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func decodeDirty(data []byte) (*batchv1.Batch, error) {
	b := new(batchv1.Batch)
	var err error
	b.Operations, err = decodeBatch(data, b, dirty())
	return b, err
}
