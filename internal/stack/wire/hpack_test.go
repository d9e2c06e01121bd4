package wire

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/http2/hpack"
)

func TestWhichBlocksChangeTheTable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		block   string // in hexadecimal
		changes bool
	}{
		"to be added (RFC 7541, C.2.1)":   {"400a637573746f6d2d6b65790d637573746f6d2d686561646572", true},
		"not to be added (C.2.2)":         {"040c2f73616d706c652f70617468", false},
		"never to be added (C.2.3)":       {"100870617373776f726406736563726574", false},
		"indexed (C.2.4)":                 {"82", false},
		"several indexed":                 {"88bebf", false},
		"indexed beyond seven bits":       {"88ff00", false},
		"a table's size":                  {"3fe101", true},
		"as nginx answers":                {"88" + "0f0d" + "0431303030" + "7685aa6355e580ae43d2c7" + "88", true},
		"with a long name and value":      {"00" + "7f01" + strings.Repeat("61", 128) + "7f01" + strings.Repeat("62", 128), false},
		"added at last":                   {"8888" + "040161" + "4401" + "61", true},
		"a name without a value":          {"0001", true},
		"a value that is cut":             {"040c2f73", true},
		"an integer that is cut":          {"ff80", true},
		"an integer that does not end":    {"ff8080808080808080", true},
		"a length of more than there is":  {"047fffffffff07", true},
		"a literal whose index continues": {"0f0d0431303030", false},
	} {
		block, err := hex.DecodeString(c.block)
		if err != nil {
			t.Fatal(err)
		}
		if got := changesTable(block); got != c.changes {
			t.Errorf("%s: %v, want %v", name, got, c.changes)
		}
	}
}

// A block that is said to change nothing must leave what all entries of a table mean.
func FuzzABlockThatChangesNothing(f *testing.F) {
	for _, seed := range []string{"88", "be", "040c2f73616d706c652f70617468", "4001610162", "3fe101", "20", "0f0d0431303030be"} {
		block, err := hex.DecodeString(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(block)
	}
	f.Fuzz(func(t *testing.T, block []byte) {
		table := func(between []byte) (entries []hpack.HeaderField, ok bool) {
			d := hpack.NewDecoder(tableBytes, func(field hpack.HeaderField) { entries = append(entries, field) })
			added := []byte{0x40, 1, 'a', 1, 'A', 0x40, 1, 'b', 1, 'B'}
			for _, part := range [][]byte{added, between} {
				if _, err := d.Write(part); err != nil || d.Close() != nil {
					return nil, false
				}
			}
			entries = nil
			_, err := d.Write([]byte{0x80 | 62, 0x80 | 63})
			return entries, err == nil && d.Close() == nil
		}
		want, _ := table(nil)
		if changesTable(block) {
			return
		}
		got, ok := table(block)
		if ok && !slices.Equal(got, want) {
			t.Errorf("%x: the table is %v, was %v", block, got, want)
		}
	})
}

// A server that writes its fields as literals, as nginx does, has its block decoded once.
func TestARepeatedBlockIsDecodedOnce(t *testing.T) {
	t.Parallel()
	block := literals(hpack.HeaderField{Name: ":status", Value: "200"}, hpack.HeaderField{Name: "content-length", Value: "1000"})
	r := newHeadReader()
	read := func(encoded []byte) *head {
		t.Helper()
		h, err := r.read(encoded, nil)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	first := read(block)
	if first.status != 200 || first.length != 1000 {
		t.Errorf("it is %+v", *first)
	}
	if read(block) != first {
		t.Error("it was decoded again")
	}
	other := literals(hpack.HeaderField{Name: ":status", Value: "200"}, hpack.HeaderField{Name: "content-length", Value: "2000"})
	if h := read(other); h == first || h.length != 2000 {
		t.Errorf("another one of the same length is %+v", *h)
	}
	long := hpack.HeaderField{Name: "x", Value: strings.Repeat("v", cachedBytes)}
	large := literals(hpack.HeaderField{Name: ":status", Value: "204"}, long)
	for range 2 {
		if h := read(large); h.status != 204 {
			t.Errorf("a large one is %+v", *h)
		}
	}
}

// What a block refers to is looked up anew once another one has changed the table.
func TestAKnownBlockIsForgottenWhenTheTableChanges(t *testing.T) {
	t.Parallel()
	r := newHeadReader()
	grpc := func(encoded []byte) int {
		t.Helper()
		h, err := r.read(encoded, nil)
		if err != nil {
			t.Fatal(err)
		}
		return h.grpc
	}
	added := func(status string) []byte {
		return slices.Concat([]byte{0x40, 11}, []byte("grpc-status"), []byte{byte(len(status))}, []byte(status))
	}
	newest := []byte{0x80 | 62}
	grpc(added("0"))
	if got := grpc(newest); got != 0 {
		t.Errorf("the newest field has status %d, want 0", got)
	}
	grpc(added("14"))
	if got := grpc(newest); got != 14 {
		t.Errorf("the newest field has status %d, want 14", got)
	}
}

func literals(fields ...hpack.HeaderField) []byte {
	var out strings.Builder
	w := hpack.NewEncoder(&out)
	for _, f := range fields {
		f.Sensitive = true // is never added
		_ = w.WriteField(f)
	}
	return []byte(out.String())
}
