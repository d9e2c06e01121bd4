package request

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"rpcbench/internal/call/schema"
)

// texts are requests with functions, and whether they are filled without JSON.
var texts = []struct {
	text string
	fast bool
}{
	{`{"id": "{{uuid}}"}`, true},
	{`{"id": {{uuid}}}`, true},
	{`{"id": "a{{sequence}}b{{random 1 9}}"}`, true},
	{`{"id": "{{random_text 200}}", "card": "{{choose "ä" "\"" "\u0000"}}"}`, true},
	{`{"number": {{sequence -5}}, "count": {{sequence -5}}, "stamp": {{sequence}}, "delta": {{sequence -5}}, ` +
		`"check": {{sequence}}, "offset": {{sequence -5}}, "level": 3, "sizes": [1, 2], "weight": 1.5}`, true},
	{`{"number": "{{sequence}}"}`, true},
	{`{"items": [{"sku": "a"}, {"sku": "{{uuid}}", "part": {"part": {"amount": {{random 1 9}}}}}, {}]}`, true},
	{`{"price": {"units": {{sequence}}, "currency": "` + string(slices.Repeat([]byte("x"), 300)) + `"}}`, true},
	{`{"labels": {"a": "b", "c": "{{uuid}}"}, "shelves": {"-1": {"sku": "{{uuid}}"}, "2": {"amount": 7}}}`, true},
	{`{"tags": ["a", "{{uuid}}", "{{uuid}}"]}`, true},
	{`{"voucher": {{sequence}}}`, true},
	{`{"displayName": "{{env "SHOP"}}{{uuid}}"}`, true},
	{`{"number": 1946157057, "count": {{sequence}}}`, true}, // what a mark looks like
	{`{"count": {{sequence 2147483646}}}`, true},            // up to where the field ends
	{`{"sizes": [1, {{sequence}}]}`, false},
	{`{"number": 1{{sequence}}}`, false},
	{`{"number": "1{{sequence}}"}`, false},
	{`{"weight": {{sequence}}}`, false},
	{`{"created": {{timestamp}}}`, false},
	{`{"level": {{sequence}}}`, false},
	{`{"labels": {"{{uuid}}": "a"}}`, false},
	{`{"color": {{sequence}}}`, false},
	{`{"token": "{{random_bytes 7}}", "id": "{{random_bytes 4}}"}`, true},
	{`{"token": {{random_bytes 0}}}`, true},
	{`{"token": "AA{{random_bytes 3}}"}`, false},
	{`{"token": "{{choose "AA" "AB"}}"}`, false},
	{`{"extra": {"@type": "x/shop.v1.Query", "text": "{{uuid}}"}}`, false},
}

func TestAPatternIsWhatItsJSONIs(t *testing.T) {
	t.Parallel()
	for _, c := range texts {
		m, b := built(t, c.text)
		if (m.pattern != nil) != c.fast {
			t.Errorf("%s: filled without JSON is %v", c.text, m.pattern != nil)
		}
		for call := range uint64(50) {
			if m.pattern != nil && !b.agree(m.pattern, m.template, call) {
				t.Errorf("%s: call %d differs", c.text, call)
			}
		}
	}
}

// FuzzPattern checks that messages filled without JSON equal those filled through JSON.
func FuzzPattern(f *testing.F) {
	for _, c := range texts {
		f.Add(c.text, uint64(7))
	}
	f.Fuzz(func(t *testing.T, text string, call uint64) {
		b := placing(t)
		requests, err := Input{Name: "in", Format: FormatJSON, Text: []byte(text)}.documents(b.method.Descriptor)
		if err != nil || len(text) > 2000 {
			return
		}
		for _, documents := range requests {
			m, err := b.message(documents[0], 0)
			if err == nil && m.pattern != nil && !b.agree(m.pattern, m.template, call%100_000) {
				t.Errorf("%q: call %d differs", text, call)
			}
		}
	})
}

func TestAPathIsFoundByItsOffset(t *testing.T) {
	t.Parallel()
	text := `{"a": [1, {"b": {"c": true}}, [2]], "d": null}`
	for offset, want := range map[int]string{
		0: "", 1: "a", 6: "a", 7: "a[0]", 10: "a[1]", 11: "a[1].b", 22: "a[1].b.c", 31: "a[2][0]", 36: "d", 41: "d", 45: "", 99: "",
	} {
		if got := spotAt([]byte(text), offset).String(); got != want {
			t.Errorf("offset %d is at %q, want %q", offset, got, want)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	for name, text := range map[string]string{
		"constant": `{"id": "a", "count": 3, "price": {"units": 7}}`,
		"pattern":  `{"id": "{{uuid}}", "count": {{random 1 9}}, "price": {"units": {{sequence}}}}`,
		"json":     `{"id": "{{uuid}}", "count": {{random 1 9}}, "price": {"units": {{sequence}}}, "weight": {{sequence}}}`,
	} {
		b.Run(name, func(b *testing.B) {
			bld := placing(b)
			s, err := New(bld.method, Input{Name: "in", Format: FormatJSON, Text: []byte(text)}, Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			buffer := make([]byte, 0, 1024)
			for call := uint64(0); b.Loop(); call++ {
				if _, err := s.Append(buffer, call, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func built(t *testing.T, text string) (message, *builder) {
	t.Helper()
	b := placing(t)
	m, err := b.message(document{[]byte(text), inText{"in", []byte(text), 0}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return m, b
}

var shop = sync.OnceValues(func() (*schema.Method, error) {
	return schema.Compile(context.Background(), []string{"shop/v1/shop.proto"}, []string{"../schema/testdata"},
		schema.Name{Service: "shop.v1.Orders", Method: "Place"})
})

func placing(t testing.TB) *builder {
	t.Helper()
	place, err := shop()
	if err != nil {
		t.Fatal(err)
	}
	return newBuilder(place, "", Options{
		Now:    func() time.Time { return time.Unix(1700000000, 5) },
		LookUp: func(name string) (string, bool) { return `a "shop"`, name == "SHOP" },
	})
}

// Fields are encoded one by one; that each lacks the required ones of proto2 is no fault.
func TestAPatternOfAMessageWithRequiredFields(t *testing.T) {
	t.Parallel()
	store, err := schema.Compile(t.Context(), []string{"legacy/legacy.proto"}, []string{"../schema/testdata"},
		schema.Name{Service: "legacy.Archive", Method: "Store"})
	if err != nil {
		t.Fatal(err)
	}
	b := newBuilder(store, "", Options{Now: time.Now})
	text := []byte(`{"name": "{{uuid}}", "[legacy.shelf]": 7}`)
	m, err := b.message(document{text, inText{"in", text, 0}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if m.pattern == nil || !b.agree(m.pattern, m.template, 3) {
		t.Errorf("got the pattern %+v, which agrees: %v", m.pattern, m.pattern != nil && b.agree(m.pattern, m.template, 3))
	}
	text = []byte(`{"[legacy.shelf]": {{sequence}}}`)
	if _, err := b.message(document{text, inText{"in", text, 0}}, 0); err == nil {
		t.Error("a message without its required field is taken")
	}
}

func TestTheEntriesOfAMapHaveOneOrder(t *testing.T) {
	t.Parallel()
	text := `{"labels": {"e": "{{uuid}}", "a": "b", "d": "{{sequence}}", "c": "", "b": "x"}}`
	var want []byte
	for i := range 50 {
		s, err := New(placing(t).method, Input{Name: "in", Format: FormatJSON, Text: []byte(text)}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Append(nil, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && string(got) != string(want) {
			t.Fatalf("the same call is %q and %q", want, got)
		}
		want = got
	}
}
