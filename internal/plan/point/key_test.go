package point

import (
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

// What a key writes it reads again, into the same point.
func TestAPointSurvivesItsKeys(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		want := Asked{Spec: fullSpec(), Trials: 7}
		want.Kind, want.Connections, want.Servers, want.Options = kind, 2, 2, map[string]string{"a": "b"}
		want.Schedule, want.Method, want.MessageRatePerSec = nil, nil, 0 // which no case can give
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
