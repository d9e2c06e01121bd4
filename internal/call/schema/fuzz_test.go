package schema_test

import (
	"testing"

	"rpcbench/internal/call/schema"
	"rpcbench/internal/test/allocated"
)

// FuzzSet reads hostile protosets: one that is taken must be one that can be written and read again.
func FuzzSet(f *testing.F) {
	f.Add(set(f, compiled(f)))
	f.Add([]byte("\x0a\x05\x0a\x01a\x12\x00"))
	f.Add([]byte("\x0a\x0a\x0a\x01a\x1a\x01b\x1a\x01a"))
	f.Fuzz(func(t *testing.T, encoded []byte) {
		var method *schema.Method
		var err error
		allocated.AtMost(t, 16<<20+5000*uint64(len(encoded)), func() { method, err = schema.OpenSet(encoded, place) })
		if err != nil {
			return
		}
		again, err := method.Set()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := schema.OpenSet(again, place); err != nil {
			t.Errorf("what was written is not read: %v", err)
		}
	})
}

// FuzzParseName checks that an accepted name survives a round trip through String.
func FuzzParseName(f *testing.F) {
	for _, seed := range []string{"a.B/C", "/a.B/C", "a.B.C", "/", "..", "é/x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, err := schema.ParseName(text)
		if err != nil {
			return
		}
		if again, err := schema.ParseName(name.String()); err != nil || again != name {
			t.Errorf("%q became %v, then %v, %v", text, name, again, err)
		}
	})
}
