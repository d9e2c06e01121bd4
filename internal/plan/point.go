package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// points are the distinct Specs of a plan, in the order of the scenarios.
type points struct {
	list   []*point
	index  map[string]*point
	trials int // of all points together
}

// A point is a Spec with all that asks for it.
type point struct {
	spec  Spec
	uses  []use
	floor bool
}

// A use is a case that wants a point repeated so often.
type use struct {
	Case   Case
	trials int
}

// add records that a case wants the Spec so many times. A point that several want is repeated as often as the greediest
// of them says.
func (p *points) add(s Spec, by Case, trials int) *point {
	key := s.canonical()
	at, ok := p.index[key]
	if !ok {
		at = &point{spec: s}
		if p.index == nil {
			p.index = map[string]*point{}
		}
		p.index[key] = at
		p.list = append(p.list, at)
	}
	before := at.trials()
	at.want(by, trials)
	p.trials += at.trials() - before
	return at
}

// want records a use. A case that reaches the point by two ways wants it once.
func (p *point) want(by Case, trials int) {
	if !slices.Contains(p.uses, use{by, trials}) {
		p.uses = append(p.uses, use{by, trials})
	}
}

func (p *point) trials() int {
	most := 0
	for _, u := range p.uses {
		most = max(most, u.trials)
	}
	return most
}

// trial makes a repetition of the point; ok is false when no case wants so many.
func (p *point) trial(repetition int) (t Trial, ok bool) {
	t = Trial{ID: id(p.spec, repetition), Repetition: repetition, Spec: p.spec, Floor: p.floor}
	for _, u := range p.uses {
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

// canonical is equal for equal Specs only.
func (s Spec) canonical() string { return string(canonical(s)) }

func canonical(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // of a number that is not finite; no parsed rate is one
	}
	return data
}
