package stack_test

import (
	"bytes"
	"testing"

	"rpcbench/internal/stack"
)

func TestWhatIsPackedIsUnpacked(t *testing.T) {
	t.Parallel()
	var there, back stack.Gzip
	for _, message := range []string{"hello", "", "a longer one, a longer one, a longer one", "short"} { // memory is used again
		packed := there.Pack([]byte("prefix"), []byte(message))
		rest, ok := bytes.CutPrefix(packed, []byte("prefix"))
		if !ok {
			t.Errorf("%q begins with %q", message, packed[:6])
		}
		if got, err := back.Unpack(rest, len(message)); err != nil || string(got) != message {
			t.Errorf("got %q, %v, want %q", got, err, message)
		}
	}
}

func TestWhatCannotBeUnpackedIsSaid(t *testing.T) {
	t.Parallel()
	var g stack.Gzip
	packed := bytes.Clone(g.Pack(nil, []byte("hello")))
	for what, test := range map[string]struct {
		packed []byte
		limit  int
		want   stack.Code
	}{
		"no gzip":    {[]byte("hello"), 100, stack.Internal},
		"cut off":    {packed[:len(packed)-3], 100, stack.Internal},
		"too long":   {packed, 4, stack.ResourceExhausted},
		"just right": {packed, 5, stack.OK},
	} {
		if _, err := g.Unpack(test.packed, test.limit); stack.CodeOf(err) != test.want {
			t.Errorf("%s: got %v, want %v", what, err, test.want)
		}
		size, err := g.Size(test.packed, test.limit)
		if stack.CodeOf(err) != test.want || err == nil && size != len("hello") {
			t.Errorf("%s: the size is %d, %v, want %v", what, size, err, test.want)
		}
	}
}
