package ab_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/run/campaign/ab"
)

// A machine models trials: B takes shift times as long as A, the second of a pair late times as long as the first, and trials in
// the part of B part times as long. Every trial has noise, and all share a drift.
type machine struct{ shift, late, part, cv float64 }

// A design says in which order pairs come, and when they are enough.
type design struct {
	ab.Settings
	pairs.Rule
}

// play measures until the design says that it is enough.
func play(s design, m machine, random *rand.Rand) []pairs.Outcome {
	var so []pairs.Outcome
	for {
		next, more := s.Next(so, s.Over(so, so))
		if !more {
			return so
		}
		drift := 1 + 0.3*math.Sin(float64(next.Number)/5)
		value := map[pairs.Side]float64{}
		for i, side := range next.Sides {
			value[side] = drift * math.Exp(m.cv*random.NormFloat64())
			if side.IsB() {
				value[side] *= m.shift
			}
			if side.PartOfB() {
				value[side] *= m.part
			}
			if i == 1 {
				value[side] *= m.late
			}
		}
		ratio := value[pairs.B] / value[pairs.A]
		if next.Alike {
			ratio = value[pairs.Second] / value[pairs.First]
		}
		so = append(so, pairs.Outcome{Step: next, Ratio: ratio})
	}
}

func settings(seed uint64) design {
	return design{ab.Settings{Seed: seed, Alike: 10}, pairs.Rule{Same: 0.05, Most: 200}}
}

// TestAShiftIsToldSoonAndNothingIsCalledADifference: of 400 whole experiments (standard error at most 1.1%) with trials that
// vary by 3% on a drifting machine, 95% tell a shift of 5% within 30 pairs and one of 3% within 80, however much slower the
// second of a pair is. At most 5% find a difference where there is none.
func TestAShiftIsToldSoonAndNothingIsCalledADifference(t *testing.T) {
	t.Parallel()
	const runs = 400
	for _, c := range []struct {
		shift float64
		most  int
		want  stat.Decision
	}{{1.05, 30, stat.Greater}, {1 / 1.05, 30, stat.Less}, {1.03, 80, stat.Greater}, {1, 120, stat.Same}} {
		told, wrong := 0, 0
		for seed := range uint64(runs) {
			s := settings(seed)
			if s.Most = c.most; c.shift != 1 {
				s.Same = 0
			}
			m := machine{shift: c.shift, late: 1.05, part: 1, cv: 0.03}
			found := pairs.Judge(play(s, m, rand.New(rand.NewPCG(seed, 9))), s.Same)
			switch found.Decision() {
			case c.want:
				told++
			case stat.Untold:
			default:
				wrong++
			}
		}
		if told < runs*95/100 || wrong > runs*5/100 {
			t.Errorf("a shift of %v: of %d, %d are told and %d wrong", c.shift, runs, told, wrong)
		}
	}
}

// TestBiasIsFound: that the second of a pair is 5% slower is found in 95% of 400 experiments and in nearly none where it is
// not; what is slower in the part of B, by 10%, leaves no answer.
func TestBiasIsFound(t *testing.T) {
	t.Parallel()
	const runs = 400
	count := func(m machine, shows func(pairs.Finding) bool) (n int) {
		m.shift, m.cv = 1, 0.03
		for seed := range uint64(runs) {
			if shows(pairs.Judge(play(settings(seed), m, rand.New(rand.NewPCG(seed, 3))), 0.05)) {
				n++
			}
		}
		return n
	}
	late := func(f pairs.Finding) bool { return f.Order.Shows }
	part := func(f pairs.Finding) bool { return f.Part.Shows && f.Decision() == stat.Untold }
	if n := count(machine{late: 1.05, part: 1}, late); n < runs*95/100 {
		t.Errorf("the second of a pair being slower is found in %d of %d", n, runs)
	}
	if n := count(machine{late: 1, part: 1}, late); n > runs*7/100 {
		t.Errorf("the second of a pair being slower is found in %d of %d where it is not", n, runs)
	}
	if n := count(machine{late: 1, part: 1.1}, part); n < runs*95/100 {
		t.Errorf("the part of B being slower is found in %d of %d", n, runs)
	}
	if n := count(machine{late: 1, part: 1}, part); n > runs*2/100 {
		t.Errorf("the part of B being slower is found in %d of %d where it is not", n, runs)
	}
}

func TestPairsEndWhenTheyTellSomething(t *testing.T) {
	t.Parallel()
	m := machine{shift: 1, late: 1, part: 1, cv: 0.03}
	random := func() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }
	so := play(settings(1), m, random())
	n := len(pairs.Ratios(so, false))
	if len(pairs.Ratios(so, true)) != 10 || n < 16 || n > 60 || n%2 != 0 || pairs.Judge(so, 0.05).Decision() != stat.Same {
		t.Errorf("%d pairs, %+v", n, pairs.Judge(so, 0.05))
	}
	narrow := settings(1)
	narrow.Width = 0.02
	so = play(narrow, m, random())
	if l := pairs.Judge(so, 0.05).Look; len(pairs.Ratios(so, false)) <= n || l.Ratio.Hi/l.Ratio.Lo-1 > 0.02 {
		t.Errorf("%d pairs for a width of 2%%: %+v", len(pairs.Ratios(so, false)), l)
	}
	s := settings(1)
	s.Most = 7
	if n := len(pairs.Ratios(play(s, machine{1, 1, 1, 0.3}, random()), false)); n != 8 {
		t.Errorf("%d pairs in whole blocks where there may be 7", n)
	}
}

func TestBlocksHaveBothOrdersAndTheSeedSaysWhichIsFirst(t *testing.T) {
	t.Parallel()
	first := func(seed uint64) (bs int, order string) {
		s := settings(seed)
		s.Same = 0
		so := play(s, machine{1, 1, 1, 0.03}, rand.New(rand.NewPCG(1, 1)))
		for i := 10; i < len(so); i += 2 {
			one, two := so[i], so[i+1]
			if one.Block != two.Block || one.Alike || one.Sides[0] != two.Sides[1] || one.Sides[1] != two.Sides[0] {
				t.Fatalf("%+v and %+v", one, two)
			}
			if order += string(one.Sides[0]); one.Sides[0].IsB() {
				bs++
			}
		}
		return bs, order
	}
	bs, order := first(1)
	_, again := first(1)
	_, other := first(2)
	if bs < 30 || bs > 70 || order != again || order == other {
		t.Errorf("B is first in %d of %d blocks: %s", bs, len(order), order)
	}
}

func TestThreeFailedPairsInARowEndIt(t *testing.T) {
	t.Parallel()
	s := settings(1)
	alike := func(block int) pairs.Step {
		return pairs.Step{Block: block, Alike: true, Sides: [2]pairs.Side{pairs.First, pairs.Second}}
	}
	so := []pairs.Outcome{{Ratio: 1, Step: alike(1)}, {Step: alike(1)}, {Step: alike(2)}}
	next, more := s.Next(so, false)
	if !more || !next.Alike || next.Number != 4 || next.Block != 2 || next.Sides[0] != pairs.Second {
		t.Errorf("%+v %v", next, more)
	}
	if _, more := s.Next(append(so, pairs.Outcome{Step: alike(2)}), false); more {
		t.Error("a fourth pair after three that failed")
	}
	if _, more := s.Next(append(so, pairs.Outcome{Ratio: 1, Step: alike(2)}, pairs.Outcome{Step: alike(3)}), false); !more {
		t.Error("the end after failures that one good pair parts")
	}
}

// A block with a failed pair shows nothing, because the order of its other pair is not balanced.
func TestHalfABlockShowsNothing(t *testing.T) {
	t.Parallel()
	var so []pairs.Outcome
	for block := 1; block <= 10; block++ {
		for half := range 2 {
			o := pairs.Outcome{Step: pairs.Step{Block: block, Sides: [2]pairs.Side{pairs.A, pairs.B}}, Ratio: 2}
			if half == 1 {
				slices.Reverse(o.Sides[:])
			}
			so = append(so, o)
		}
	}
	whole := pairs.Judge(so, 0.05)
	if whole.Pairs != 20 || whole.Decision() != stat.Greater || math.Abs(whole.Look.Ratio.Value-2) > 1e-9 {
		t.Errorf("%+v", whole)
	}
	so[3].Ratio, so[10].Ratio = 0, 0
	if got := pairs.Judge(so, 0.05); got.Pairs != 16 || got.Look.Blocks != 8 {
		t.Errorf("%+v", got)
	}
	if got := pairs.Judge(so[:5], 0.05); got.Pairs != 2 || got.Decision() != stat.Untold || got.Look.Known {
		t.Errorf("%+v", got)
	}
	if got := pairs.Judge(nil, 0.05); got.Pairs != 0 || got.Decision() != stat.Untold {
		t.Errorf("%+v", got)
	}
}
