package wire

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/allocated"
)

// framedZeros is a message of n bytes with its prefix.
func framedZeros(n int) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{0}, uint32(n)), make([]byte, n)...)
}

// Not parallel: it counts what the process allocates.
func TestAMessageThatIsPassedByTakesNoMemory(t *testing.T) {
	const limit = 10 << 20
	all := slices.Concat(framedZeros(3), framedZeros(0), framedZeros(limit), framedZeros(7))
	for _, piece := range []int{1, 4, 5, 6, 1000, 16 << 10, len(all)} {
		s := newStream(&Lane{call: Call{Counts: true}})
		var sizes []int
		allocated.AtMost(t, 100_000, func() {
			for data := range slices.Chunk(all, piece) {
				for len(data) > 0 {
					r, rest, ok, err := s.next(data, limit)
					if err != nil {
						t.Fatal(err)
					}
					if ok {
						sizes = append(sizes, r.bytes)
					}
					data = rest
				}
			}
		})
		if want := []int{3, 0, limit, 7}; !slices.Equal(sizes, want) || len(s.message) != 0 {
			t.Errorf("in pieces of %d: %v, %d bytes left, want %v", piece, sizes, len(s.message), want)
		}
	}
}

func TestWhatIsPassedByIsCheckedAsWhatIsKept(t *testing.T) {
	t.Parallel()
	for what, begin := range map[string][]byte{
		"too long": framedZeros(11)[:5], "flags": {2, 0, 0, 0, 0}, "compressed": {1, 0, 0, 0, 0},
	} {
		counting, keeping := newStream(&Lane{call: Call{Counts: true}}), newStream(&Lane{})
		_, _, _, got := counting.next(bytes.Clone(begin), 10)
		_, _, _, want := keeping.next(bytes.Clone(begin), 10)
		if stack.CodeOf(got) != stack.CodeOf(want) || want == nil {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
}
