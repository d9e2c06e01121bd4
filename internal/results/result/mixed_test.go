package result

import (
	"strings"
	"testing"
)

// mixedRecord is of 3 calls of one recipe, and 2 of another, one of which failed.
func mixedRecord() Record {
	return Record{
		Arrivals: 5, Outcomes: []Outcome{{Code: CodeOK, Calls: 4}, {Code: "NOT_FOUND", Calls: 1}}, MessagesIn: 4, PayloadIn: 40,
		Mixed: []Record{
			{Arrivals: 3, Outcomes: []Outcome{{Code: CodeOK, Calls: 3}}, MessagesIn: 3, PayloadIn: 30},
			{Arrivals: 2, Outcomes: []Outcome{{Code: CodeOK, Calls: 1}, {Code: "NOT_FOUND", Calls: 1}}, MessagesIn: 1, PayloadIn: 10},
		},
	}
}

func TestCallsOfAMixMustAddUp(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*Record){
		"": func(*Record) {},
		"the calls of its mix do not add up to all of its calls": func(r *Record) { r.Mixed[0].PayloadIn++ },
		"call 2 of its mix: 3 arrivals, but 2 outcomes":          func(r *Record) { r.Mixed[1].Arrivals++ },
		"call 1 of its mix: -1 is not a count":                   func(r *Record) { r.Mixed[0].MessagesOut = -1 },
		"a call of its mix is a mix":                             func(r *Record) { r.Mixed[0].Mixed = []Record{{}} },
	} {
		r := mixedRecord()
		change(&r)
		got := ""
		if err := r.CheckCounts(); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
