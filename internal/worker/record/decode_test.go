package record_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"
	"testing"

	"rpcbench/internal/test/allocated"
	"rpcbench/internal/worker/record"
)

// histogram is an empty one in V2 compressed format.
func histogram(t testing.TB, digits int32, highest int64) []byte {
	t.Helper()
	var head bytes.Buffer
	for _, field := range []any{int32(0x1c849303 | 0x10), int32(0), int32(0), digits, int64(1), highest, float64(1)} {
		if err := binary.Write(&head, binary.BigEndian, field); err != nil {
			t.Fatal(err)
		}
	}
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	if _, err := w.Write(head.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := binary.BigEndian.AppendUint32(nil, 0x1c849304|0x10)
	data = binary.BigEndian.AppendUint32(data, uint32(packed.Len()))
	return append(data, packed.Bytes()...)
}

// Not parallel, because it counts what the process allocates.
func TestAHistogramTakesTheMemoryOfOurs(t *testing.T) {
	if h, err := record.Decode(histogram(t, 3, 3600e9)); err != nil || h.TotalCount() != 0 {
		t.Errorf("got %v, %v", h, err)
	}
	for _, bomb := range [][]byte{
		histogram(t, 5, math.MaxInt64), histogram(t, 5, 3600e9), histogram(t, 3, math.MaxInt64),
	} {
		allocated.AtMost(t, 200_000, func() {
			if _, err := record.Decode(bomb); err == nil {
				t.Error("it was decoded")
			}
		})
	}
}

// FuzzDecode checks that no input takes more memory than one of our histograms plus the input itself.
func FuzzDecode(f *testing.F) {
	f.Add(histogram(f, 3, 3600e9))
	f.Add(histogram(f, 5, math.MaxInt64))
	f.Add([]byte("rubbish"))
	f.Fuzz(func(t *testing.T, data []byte) {
		allocated.AtMost(t, 4<<20+20*uint64(len(data)), func() { _, _ = record.Decode(data) })
	})
}
