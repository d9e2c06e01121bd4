package service

import (
	"testing"

	"rpcbench/internal/plan"
)

// Where not every request can be tried with every row, a note says it: for each call of a mix, and not where requests and rows
// meet in turn, or always fit.
func TestPairsThatAreNotTriedAreNoted(t *testing.T) {
	t.Parallel()
	method := func(name string, requests, rows int, sample, http bool) plan.Method {
		return plan.Method{Name: name, RequestCount: requests, RowCount: rows, Sample: sample, HTTP: http}
	}
	const want = "Calls of shop.v1.Shop/Put draw from 1,001,000 pairs of a request and a row, of which 1,000,000 were tried " +
		"before the load, with each request and each row at least once. If the row's values do not fit in another pair, its calls fail."
	few, many := method("shop.v1.Shop/Get", 1000, 1000, true, false), method("shop.v1.Shop/Put", 1001, 1000, true, false)
	turns, http := method("shop.v1.Shop/Put", 1001, 1000, false, false), method("POST /put", 1001, 1000, true, true)
	for name, test := range map[string]struct {
		method *plan.Method
		want   string
	}{
		"none":    {nil, ""},
		"few":     {&few, ""},
		"many":    {&many, want},
		"in turn": {&turns, ""},
		"HTTP":    {&http, ""},
		"a mix":   {&plan.Method{Name: "mix", Mix: []plan.MixedMethod{{Method: few}, {Method: many}, {Method: turns}}}, want},
	} {
		got, trial := "", plan.Trial{Spec: plan.Spec{Method: test.method}}
		for _, note := range (&Services{}).Notes([]plan.Trial{trial, trial}) {
			if note.Code != plan.NoteUntried {
				t.Errorf("%s: a note of %s", name, note.Code)
			}
			got += note.Text
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
