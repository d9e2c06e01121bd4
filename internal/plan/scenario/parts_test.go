package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// loadsOf are the loads of a scenario's points: shape, arrivals, rate and ramp.
func loadsOf(t *testing.T, defaults, keys string, flags ...Override) ([]string, error) {
	t.Helper()
	s, err := Parse("s.yaml", []byte("name: s\nquestion: q\ndefaults: {"+defaults+"}\ncases: [{title: t, kind: unary"+keys+"}]\n"))
	if err != nil {
		return nil, err
	}
	applied, err := Apply([]Scenario{s}, flags)
	if err != nil {
		return nil, err
	}
	var loads []string
	for _, p := range applied[0].Cases[0].Points() {
		text := strings.TrimSpace(fmt.Sprintf("%s %s %v %s", p.Shape(), p.Load, p.OfferedPerSec, p.Schedule))
		loads = append(loads, strings.ReplaceAll(strings.ReplaceAll(text, " 0", ""), " closed", ""))
	}
	return loads, nil
}

// One vocabulary: what flags of load say, keys say, and shape and load are short for several of them.
func TestPartsOfALoadAreKeysOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		defaults, keys string
		flags          []Override
		want           []string
	}{
		{"", ", connections: 4, in_flight: 25", nil, []string{"4x25"}},
		{"", ", connections: [1, 2], in_flight: [1, 5]", nil, []string{"1x1", "1x5", "2x1", "2x5"}},
		{"shape: 3x10", ", connections: 4", nil, []string{"4x10"}},
		{"shape: [1x10, 2x20]", "", []Override{{Key: "in_flight", Value: "7"}}, []string{"1x7", "2x7"}},
		{"connections: 4", ", shape: 1x2", nil, []string{"1x2"}},
		{"", ", rate: 100", nil, []string{"1x50 constant 100"}},
		{"", ", rate: 100, connections: 2", nil, []string{"2x50 constant 100"}},
		{"", ", rate: [100, 200/s], load: poisson, in_flight: 8", nil, []string{"1x8 poisson 100", "1x8 poisson 200"}},
		{"load: poisson 5/s", ", rate: 100, shape: 1x1", nil, []string{"1x1 poisson 100"}},
		{"rate: 100", ", load: closed", nil, []string{"1x1"}},
		{"rate: 100", "", []Override{{Key: "load", Value: "poisson"}}, []string{"1x50 poisson 100"}},
		{"rate: 100", ", load: constant 7/s, shape: 1x3", nil, []string{"1x3 constant 7"}},
		{"", ", ramp: line:1..9@1s", nil, []string{"1x9 line:1..9@1s"}},
		{"", ", ramp: line:1..9@1s, connections: 2", nil, []string{"2x5 line:1..9@1s"}},
		{"in_flight: 2, load: constant 3/s", ", ramp: line:1..9@1s", nil, []string{"1x9 line:1..9@1s"}},
		{"", ", ramp: line:100..300/s@1s", nil, []string{"1x50 constant 200 line:100..300/s@1s"}},
		{"in_flight: 2", ", ramp: line:1..9@1s", []Override{{Key: "shape", Value: "3x3"}}, []string{"3x3 line:1..9@1s"}},
		{"rate: 5", ", ramp: step:100..200/100/s@1s, load: poisson, in_flight: 3", nil,
			[]string{"1x3 poisson 150 step:100..200/100/s@1s"}},
		{"", ", ramp: line:1..9@1s", []Override{{Key: "rate", Value: "7"}}, []string{"1x50 constant 7"}},
	} {
		got, err := loadsOf(t, c.defaults, c.keys, c.flags...)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("{%s} %s %v: got %q, %v, want %q", c.defaults, c.keys, c.flags, got, err, c.want)
		}
	}
}

func TestPartsThatContradictAreRefused(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{
		", shape: 1x2, connections: 3":              "connections and shape are mutually exclusive; give only one",
		", in_flight: 2, shape: 1x2":                "in_flight and shape are mutually exclusive; give only one",
		", rate: 5, load: closed":                   "rate: it goes with load constant or poisson without a rate of their own",
		", load: poisson 5/s, rate: 5":              "rate: it goes with load constant or poisson without a rate of their own",
		", rate: 5, ramp: line:1..9@1s":             "ramp and rate are mutually exclusive; give only one",
		", rate: fast":                              `rate: "fast" is not a number of calls per second, such as 1000`,
		", rate: 0":                                 "rate: 0/s is not above 0/s",
		", ramp: line:1..9@1s, in_flight: 3":        "in_flight: the ramp says how many calls are in flight; leave one out",
		", ramp: line:1..9@1s, load: poisson":       "load: the ramp is one of calls in flight, which are a closed load",
		", ramp: line:1..9/s@1s, load: closed":      "load: the ramp is one of rates, which need load constant or poisson",
		", ramp: line:1..9/s@1s, load: poisson 3/s": "load: the ramp says the rates; leave this one out",
		", ramp: line:1..9@1s, shape: 1x3":          "shape: 1x3 has no room for the 9 calls of the ramp",
		", connections: 10000, in_flight: 1000":     "shape: 10000x1000: 10000000 calls in flight are above the limit of 1000000",
	} {
		if _, err := loadsOf(t, "", keys); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", keys, err, want)
		}
	}
}
