package point

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A key that a case can give says all that the manual, a case and a results file need to know of it.
func TestAKeyIsDeclaredWhole(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, k := range Keys() {
		if k.Otherwise == "" || k.Values == "" || len(k.Kinds) == 0 || k.fallback == nil || k.write == nil {
			t.Errorf("%s: %+v", k.Name, k)
		}
		if seen[k.Name] {
			t.Errorf("%s is declared twice", k.Name)
		}
		seen[k.Name] = true
	}
	for i, c := range Columns() {
		if c.value == nil || seen["column "+c.Name] {
			t.Errorf("%s: it has no value, or is declared twice", c.Name)
		}
		seen["column "+c.Name] = true
		if i < len(sealed) && c.Name != sealed[i] {
			t.Errorf("column %d is %s, and was sealed as %s", i, c.Name, sealed[i])
		}
	}
}

// Whatever a list of texts is to a key, it reads all of it.
func TestAListIsAValueOrAnAxis(t *testing.T) {
	t.Parallel()
	word := func(text string) Node { return Node{Text: text} }
	list := func(items ...Node) Node { return Node{Form: List, List: items} }
	joined := func(n Node) (string, error) {
		var words []string
		for _, item := range n.Items() {
			words = append(words, item.Text)
		}
		return strings.Join(words, "+"), nil
	}
	for _, test := range []struct {
		key   Key
		given Node
		want  []string
	}{
		{Key{Axis: true}, list(word("a"), word("b")), []string{"a", "b"}},
		{Key{Axis: true}, word("a"), []string{"a"}},
		{Key{List: true}, list(word("a"), word("b")), []string{"a+b"}},
		{Key{List: true, Axis: true}, list(word("a"), word("b")), []string{"a+b"}},
		{Key{List: true, Axis: true}, list(list(word("a"), word("b")), word("c")), []string{"a+b", "c"}},
	} {
		test.key.form = formOf(joined, func(a *Asked, text string) { a.Label = text }, nil)
		setters, err := test.key.Read(test.given)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, set := range setters {
			var a Asked
			set(&a)
			got = append(got, a.Label)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%+v of %+v: %s", test.key, test.given, diff)
		}
	}
}

// What a key writes it reads again, into the same point.
func TestAPointSurvivesItsKeys(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		want := Asked{Spec: fullSpec(), Trials: 7}
		want.Kind, want.Connections, want.Servers, want.Clients = kind, 2, 2, 2
		want.Options = map[string]string{"a": "b"}
		want.Schedule, want.Method, want.MessageRatePerSec, want.CompilersMostNs = nil, nil, 0, 0 // which no case can give
		got := Asked{Spec: Spec{Kind: kind, Protocol: want.Protocol}}
		for _, k := range Keys() {
			n := k.Write(want)
			if n.Form == Null {
				continue
			}
			setters, err := k.Read(n)
			if err != nil {
				t.Fatal(err)
			}
			setters[0](&got)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
}
