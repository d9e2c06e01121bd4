package result_test

import (
	"strings"
	"testing"

	"rpcbench/internal/results/result"
)

// What could not have been searched is refused before anything is computed from it.
func TestADesignOfACapacityIsChecked(t *testing.T) {
	t.Parallel()
	const design = `{"format":"rpcbench-results","version":2,"capacity":{"requirements":["errors<1%"],"trials":3,` +
		`"search_ns":2000000000,"time_ns":1,"bases":[{"id":"x","repetition":1,"spec":{"stack":"grpc-go","server":"grpc-go",` +
		`"kind":"unary","connections":1,"streams":9,"in_flight":9,"load":"poisson","offered_per_sec":1,` +
		`"duration_ns":10000000000},"cases":[]}]}}` + "\n"
	if file, err := result.Read(strings.NewReader(design), "a.jsonl"); err != nil || len(file.Header.Capacity.Bases) != 1 {
		t.Fatalf("%+v, %v", file, err)
	}
	for _, test := range []struct{ from, to, want string }{
		{`"trials":3`, `"trials":0`, "trials: 0 is less than 1"},
		{`"search_ns":2000000000`, `"search_ns":0`, "its trials have no duration"},
		{`"duration_ns":10000000000`, `"duration_ns":-1`, "its trials have no duration"},
		{`"search_ns":2000000000`, `"search_ns":9000000000000000000`, "base 1: duration: 2500000h0m0s is above the limit of 24h"},
		{`"connections":1`, `"connections":-1`,
			`base 1: shape: "-1x9" is not a shape, such as 4x25 (connections x calls in flight on each)`},
	} {
		_, err := result.Read(strings.NewReader(strings.Replace(design, test.from, test.to, 1)), "a.jsonl")
		if err == nil || err.Error() != "a.jsonl:1: capacity: "+test.want {
			t.Errorf("%s: %v, want %s", test.to, err, test.want)
		}
	}
}

// Each of them costs as much as the first, and adds nothing.
func TestWhatAHeaderHasTwiceIsRefused(t *testing.T) {
	t.Parallel()
	const base = `{"id":"x","repetition":1,"spec":{"stack":"grpc-go","server":"grpc-go","kind":"unary","connections":1,` +
		`"streams":9,"in_flight":9,"load":"poisson","offered_per_sec":1,"duration_ns":10000000000},"cases":[]}`
	for header, want := range map[string]string{
		`"capacity":{"requirements":["errors<1%"],"trials":3,"search_ns":2000000000,"time_ns":1,` +
			`"bases":[` + base + "," + base + "]}": "capacity: base 2: it is there twice",
		`"ab":{"metrics":["response_p50_ns","calls_per_sec","response_p50_ns"]}`: `ab: metrics: "response_p50_ns" is there twice`,
	} {
		_, err := result.Read(strings.NewReader(`{"format":"rpcbench-results","version":2,`+header+"}\n"), "a.jsonl")
		if err == nil || err.Error() != "a.jsonl:1: "+want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
