package point

import (
	"strings"
	"testing"
)

// of is a map of texts, in the order in which they are given.
func of(pairs ...string) Node {
	n := Node{Form: Map}
	for i := 0; i < len(pairs); i += 2 {
		n.Fields = append(n.Fields, Field{Name: pairs[i], Value: Node{Text: pairs[i+1]}})
	}
	return n
}

func TestAMixIsRead(t *testing.T) {
	t.Parallel()
	calls, err := mix(Node{Form: List, List: []Node{
		of("path", "/items?key=secret", "weight", "70"), of("path", "/items", "method", "put", "data", "{}", "weight", "0.5%"),
		of("path", "/items", "name", "again"), of("path", "/items"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		title  string
		weight uint64
	}{{"GET /items", 70_000}, {"PUT /items", 500}, {"again", 1000}, {"GET /items (4)", 1000}} {
		if calls[i].Title() != want.title || calls[i].Weight != want.weight {
			t.Errorf("call %d is %q with weight %d, want %+v", i, calls[i].Title(), calls[i].Weight, want)
		}
	}
	parts := []MixedMethod{{Name: "a", Weight: 70_000}, {Name: "b", Weight: 20_000}, {Name: "c", Weight: 10_000}}
	parts[2].Method.ExpectStatus = "200,404"
	spec := Spec{Kind: "unary", Method: MixOf(parts)}
	if got := spec.Method.mix(); got != "70% a, 20% b, 10% c (expects 200,404)" {
		t.Errorf("the mix is called %q", got)
	}
	if got := spec.OfCall(1); got.MixedCall() != "b" || spec.MixedCall() != "" || got.ID() == spec.ID() {
		t.Errorf("call 2 is %q of %s", got.MixedCall(), got.ID())
	}
}

func TestAMixThatNoCaseCanHave(t *testing.T) {
	t.Parallel()
	many := Node{Form: List, List: make([]Node, 1000)}
	for want, n := range map[string]Node{
		"the list is empty":                                    {Form: List},
		"1000 calls, 64 at most":                               many,
		"a map is given; expected a list":                      of("call", "a.B/C"),
		"call 1: a value is given; expected a map":             {Form: List, List: []Node{{Text: "a.B/C"}}},
		`call 1: unknown key "wieght"; did you mean "weight"?`: {Form: List, List: []Node{of("call", "a.B/C", "wieght", "1")}},
		`call 1: weight: "-1" is not a weight`:                 {Form: List, List: []Node{of("call", "a.B/C", "weight", "-1")}},
		`call 1: weight: "NaN" is not a weight`:                {Form: List, List: []Node{of("call", "a.B/C", "weight", "NaN")}},
		"call 1: it needs either call":                         {Form: List, List: []Node{of("weight", "1")}},
		"call 1: method: it is one of HTTP":                    {Form: List, List: []Node{of("call", "a.B/C", "method", "PUT")}},
		"call 1: data and data_file are mutually exclusive": {
			Form: List, List: []Node{of("call", "a.B/C", "data", "x", "data_file", "y")},
		},
		"call 1: data_format: it applies to the requests of data": {
			Form: List, List: []Node{of("call", "a.B/C", "data_format", "json")},
		},
		`call 2: another call is named "x", too`: {
			Form: List, List: []Node{of("call", "a.B/C", "name", "x"), of("call", "a.B/D", "name", "x")},
		},
		"call 2: calls of gRPC and of URLs can't be mixed": {Form: List, List: []Node{of("call", "a.B/C"), of("path", "/")}},
	} {
		if _, err := mix(n); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
