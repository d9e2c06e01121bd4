package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"rpcbench/internal/plan/point"
)

// demands are the distinct Specs of a plan, in the order of the scenarios.
type demands struct {
	list   []*demand
	index  map[string]*demand
	trials int // of all together
}

// A demand is a Spec with all that asks for it.
type demand struct {
	spec    Spec
	uses    []use
	floor   bool
	service string // the identity of what it calls; empty of services of our own
}

// A use is a case and the number of repetitions that it asks for.
type use struct {
	Case   Case
	trials int
}

// add records that a case asks for trials repetitions of the Spec. If several cases ask for it, the highest number wins.
func (d *demands) add(s Spec, by Case, trials int) *demand {
	key := identity(s)
	at, ok := d.index[key]
	if !ok {
		at = &demand{spec: s}
		if d.index == nil {
			d.index = map[string]*demand{}
		}
		d.index[key] = at
		d.list = append(d.list, at)
	}
	before := at.trials()
	at.want(by, trials)
	d.trials += at.trials() - before
	return at
}

// calls reports whether the demand calls the given service. The first service sets it.
func (d *demand) calls(s point.Service) bool {
	if !s.IsForeign() {
		return true
	}
	d.service = cmp.Or(d.service, s.Identity())
	return d.service == s.Identity()
}

// want records a use. A case that reaches the Spec in two ways counts once.
func (d *demand) want(by Case, trials int) {
	if !slices.Contains(d.uses, use{by, trials}) {
		d.uses = append(d.uses, use{by, trials})
	}
}

func (d *demand) trials() int {
	most := 0
	for _, u := range d.uses {
		most = max(most, u.trials)
	}
	return most
}

// trial returns a repetition of the Spec; ok is false if no case asks for that many.
func (d *demand) trial(repetition int) (t Trial, ok bool) {
	t = Trial{ID: id(d.spec, repetition), Repetition: repetition, Spec: d.spec, Floor: d.floor}
	for _, u := range d.uses {
		if repetition <= u.trials {
			t.Cases = append(t.Cases, u.Case)
		}
	}
	return t, len(t.Cases) > 0
}

// id hashes a Spec and a repetition: the first 12 hexadecimal digits of the SHA-256 of their JSON, in which struct
// fields keep their order and the keys of maps are sorted. Two of 100,000 trials share one with a probability of 2e-5.
func id(s Spec, repetition int) string {
	sum := sha256.Sum256(canonical(struct {
		Spec       Spec `json:"spec"`
		Repetition int  `json:"repetition"`
	}{s, repetition}))
	return hex.EncodeToString(sum[:6])
}

// identity is equal for equal Specs only.
func identity(s Spec) string { return string(canonical(s)) }

func canonical(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // of a number that is not finite; no parsed rate is one
	}
	return data
}
