package batchv1_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack/batchv1"
	"rpcbench/internal/test/allocated"
)

// FuzzExceeds: a batch is counted as it would be decoded, in no memory.
func FuzzExceeds(f *testing.F) {
	whole, err := proto.Marshal(batchv1.New(3, []byte("abc"), 5))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, 2)
	f.Add(whole, 3)
	f.Add([]byte(strings.Repeat("\x0a\x00", 1000)), 999)
	f.Add([]byte("\x08\x01\x0a\x00"), 0) // the number of operations as another type is an unknown field
	f.Fuzz(func(t *testing.T, encoded []byte, most int) {
		most = max(0, most%1000)
		exceeds := false
		allocated.AtMost(t, 100_000, func() { exceeds = batchv1.Exceeds(encoded, most) })
		var decoded batchv1.Batch
		if proto.Unmarshal(encoded, &decoded) == nil && !exceeds && len(decoded.Operations) > most {
			t.Errorf("%x has %d operations, and is said to have %d at most", encoded, len(decoded.Operations), most)
		}
	})
}
