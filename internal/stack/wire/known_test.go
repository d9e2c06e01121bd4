package wire

import (
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestWhatABlockDoesWithTheTable(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("61", 128)
	for name, c := range map[string]struct {
		block string // in hexadecimal
		use   tableUse
		ok    bool
	}{
		"added (RFC 7541, C.2.1)":         {"400a637573746f6d2d6b65790d637573746f6d2d686561646572", tableUse{adds: 1}, true},
		"not added (C.2.2)":               {"040c2f73616d706c652f70617468", tableUse{}, true},
		"never added (C.2.3)":             {"100870617373776f726406736563726574", tableUse{}, true},
		"indexed (C.2.4)":                 {"82", tableUse{}, true},
		"indexed in the static table":     {"bd", tableUse{}, true},
		"several indexed":                 {"88bebf", tableUse{refers: true}, true},
		"indexed beyond seven bits":       {"88ff00", tableUse{refers: true}, true},
		"a size":                          {"3fe101", tableUse{}, false},
		"as nginx answers":                {"88" + "5c0431303030" + "7684aa6355e7", tableUse{adds: 2}, true},
		"with a long name and value":      {"00" + "7f01" + long + "7f01" + long, tableUse{}, true},
		"added under a name that was":     {"7e0161", tableUse{adds: 1, refers: true}, true},
		"added at last":                   {"8888" + "040161" + "4401" + "61", tableUse{adds: 1}, true},
		"a name without a value":          {"0001", tableUse{}, false},
		"a value that is cut":             {"040c2f73", tableUse{}, false},
		"an integer that is cut":          {"ff80", tableUse{}, false},
		"an integer that does not end":    {"ff8080808080808080", tableUse{}, false},
		"a length of more than there is":  {"047fffffffff07", tableUse{}, false},
		"a literal whose index continues": {"0f0d0431303030", tableUse{}, true},
	} {
		block, err := hex.DecodeString(c.block)
		if err != nil {
			t.Fatal(err)
		}
		use, ok := tableUseOf(block)
		if ok != c.ok || ok && use != c.use {
			t.Errorf("%s: %+v, %v; want %+v, %v", name, use, ok, c.use, c.ok)
		}
	}
}

// A block that came before is not decoded again, whether it refers to the table or adds to it.
func TestARepeatedBlockIsDecodedOnce(t *testing.T) {
	t.Parallel()
	for name, block := range map[string][]byte{
		"not added": literal(0x00, "content-length", "1000"),
		"added":     literal(0x40, "content-length", "1000"),
		"indexed":   {0x88},
	} {
		r := newHeadReader()
		first := *read(t, r, block)
		r.head = head{status: 999} // what a decoder would write to
		for range 100 {
			if again := *read(t, r, block); again != first || r.head.status != 999 {
				t.Fatalf("%s: it is %+v after %+v, or was decoded again", name, again, first)
			}
		}
	}
}

func TestALargeBlockIsNotKept(t *testing.T) {
	t.Parallel()
	r := newHeadReader()
	large := literal(0x00, "content-type", strings.Repeat("v", knownBytesMax))
	read(t, r, large)
	if r.known.find(large) != nil {
		t.Error("it is kept")
	}
}

// Whatever the order in which blocks come, they mean what they mean to a decoder that has decoded each.
func TestKnownBlocksMeanWhatTheyWouldIfTheyWereDecoded(t *testing.T) {
	t.Parallel()
	var filler []byte
	for i := range byte(100) {
		filler = append(filler, literal(0x40, "grpc-message", string(rune('0'+i)))...)
	}
	blocks := [][]byte{
		filler,
		literal(0x00, "content-length", "1"),
		literal(0x40, "grpc-status", "1"),
		slices.Concat(literal(0x40, "content-type", "a"), literal(0x40, "grpc-status", "2"), literal(0x40, "content-length", "3")),
		literal(0x40, "grpc-encoding", strings.Repeat("y", 200)),
		literal(0x40, "z", strings.Repeat("y", tableBytes)), // empties the table
		{0x88, 0x8c},
		{0x88, 0x80 | 62, 0x40, 1, 'x', 1, 'y'},
	}
	for index := byte(62); index < 127; index += 4 {
		blocks = append(blocks, []byte{0x88, 0x80 | index})
	}
	random := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range 500 {
		known, decoded := newHeadReader(), newHeadReader()
		for good := sameHead(t, known, decoded, filler); good; {
			block := blocks[random.IntN(len(blocks))]
			repeats := 1 + random.IntN(2)
			if random.IntN(4) == 0 {
				repeats = 1 + random.IntN(150)
			}
			for ; good && repeats > 0; repeats-- {
				good = sameHead(t, known, decoded, block)
				read++
			}
		}
	}
	if read < 25_000 {
		t.Errorf("only %d blocks were read", read)
	}
}

func FuzzKnownBlocksMeanWhatTheyWouldIfTheyWereDecoded(f *testing.F) {
	f.Add([]byte{0x88}, literal(0x40, "grpc-status", "1"), []byte{0x80 | 62}, []byte{1, 2, 1, 1, 2, 0})
	f.Add([]byte{0x3f, 0x01}, literal(0x40, "grpc-status", "1"), []byte{0x80 | 63, 0x80 | 62}, []byte{1, 1, 2, 0, 1, 2})
	f.Add(literal(0x00, "a", "b"), literal(0x40, "c", "d"), literal(0x40, "e", "f"), []byte{0, 1, 2, 2, 1, 0, 0, 1})
	f.Fuzz(func(t *testing.T, a, b, c, order []byte) {
		known, decoded := newHeadReader(), newHeadReader()
		for _, n := range order {
			if !sameHead(t, known, decoded, [][]byte{a, b, c}[n%3]) {
				return
			}
		}
	})
}

// sameHead reports whether a block, that comes after the same ones, means the same to both, and is no error.
func sameHead(t *testing.T, known, decoded *headReader, block []byte) bool {
	t.Helper()
	got, gotErr := known.read(block, nil)
	decoded.known = knownBlocks{}
	want, wantErr := decoded.read(block, nil)
	if (gotErr == nil) != (wantErr == nil) {
		t.Fatalf("%x: %v, want %v", block, gotErr, wantErr)
	}
	if gotErr == nil && *got != *want {
		t.Fatalf("%x: %+v, want %+v", block, *got, *want)
	}
	return gotErr == nil
}

func read(t *testing.T, r *headReader, block []byte) *head {
	t.Helper()
	h, err := r.read(block, nil)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// literal is a field of short strings, written out: first is 0x40 for one that is to be added, 0 for another.
func literal(first byte, name, value string) []byte {
	return appendString(appendString([]byte{first}, name), value)
}

// Another table than the last is one in which the same bytes mean something else.
func TestAKnownBlockIsForgottenWhenTheTableChanges(t *testing.T) {
	t.Parallel()
	r := newHeadReader()
	newest := []byte{0x80 | 62}
	for _, want := range []int{0, 14, 3} {
		read(t, r, literal(0x40, "grpc-status", strconv.Itoa(want)))
		for range 2 {
			if got := read(t, r, newest).grpc; got != want {
				t.Errorf("the newest field has status %d, want %d", got, want)
			}
		}
	}
}
