package ab_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"rpcbench/internal/run/campaign/ab"
)

// play measures servers of which each trial has the value 1, or shift for B, with noise of the trial, and a drift of the
// machine that both of a pair share.
func play(s ab.Settings, shift, cv float64, random *rand.Rand) []ab.Outcome {
	var so []ab.Outcome
	for {
		next, more := s.Next(so)
		if !more {
			return so
		}
		drift := 1 + 0.3*math.Sin(float64(next.Number)/5)
		value := map[ab.Side]float64{}
		for _, side := range next.Sides {
			value[side] = drift * math.Exp(cv*random.NormFloat64())
			if side.IsB() {
				value[side] *= shift
			}
		}
		ratio := value[ab.B] / value[ab.A]
		if next.Alike {
			ratio = value[ab.Second] / value[ab.First]
		}
		so = append(so, ab.Outcome{Step: next, Ratio: ratio})
	}
}

func settings(seed uint64) ab.Settings {
	return ab.Settings{Seed: seed, Alike: 10, Width: 0.05, Most: 200}
}

func differs(so []ab.Outcome) bool {
	return ab.Judge(ab.Ratios(so, true), ab.Ratios(so, false)).Differs
}

func TestASlowerServerIsFoundAndAnEqualOneIsNot(t *testing.T) {
	t.Parallel()
	const runs = 300
	slower, equal := 0, 0
	for seed := range uint64(runs) {
		random := rand.New(rand.NewPCG(seed, 9))
		if differs(play(settings(seed), 1.10, 0.03, random)) {
			slower++
		}
		if differs(play(settings(seed), 1, 0.03, random)) {
			equal++
		}
	}
	if slower < runs*95/100 || equal > runs*5/100 {
		t.Errorf("of %d, 10%% slower is found %d times, and a difference in nothing %d times", runs, slower, equal)
	}
}

func TestPairsEndWhenTheIntervalIsNarrow(t *testing.T) {
	t.Parallel()
	so := play(settings(1), 1, 0.03, rand.New(rand.NewPCG(1, 1)))
	ratios := ab.Ratios(so, false)
	found := ab.Judge(ab.Ratios(so, true), ratios)
	if len(ab.Ratios(so, true)) != 10 || len(ratios) < 14 || len(ratios) > 60 || found.Ratio.Hi/found.Ratio.Lo-1 > 0.05 {
		t.Errorf("%d pairs, %+v", len(ratios), found)
	}
	s := settings(1)
	s.Most = 7
	if n := len(ab.Ratios(play(s, 1, 0.3, rand.New(rand.NewPCG(1, 1))), false)); n != 7 {
		t.Errorf("%d pairs where there may be 7", n)
	}
}

func TestTheOrderWithinPairsIsDrawnFromTheSeed(t *testing.T) {
	t.Parallel()
	first := func(seed uint64) (bs int, order string) {
		var so []ab.Outcome
		for range 10 {
			so = append(so, ab.Outcome{Step: ab.Step{Alike: true}, Ratio: 1})
		}
		s := settings(seed)
		s.Width = 0
		for range 100 {
			next, _ := s.Next(so)
			if next.Sides[0].IsB() == next.Sides[1].IsB() || next.Alike {
				t.Fatalf("%+v", next)
			}
			if order += string(next.Sides[0]); next.Sides[0].IsB() {
				bs++
			}
			so = append(so, ab.Outcome{Step: next, Ratio: float64(1 + len(so)%2)})
		}
		return bs, order
	}
	bs, order := first(1)
	_, again := first(1)
	_, other := first(2)
	if bs < 30 || bs > 70 || order != again || order == other {
		t.Errorf("B is first in %d of 100 pairs: %s", bs, order)
	}
}

func TestThreeFailedPairsInARowEndIt(t *testing.T) {
	t.Parallel()
	s := settings(1)
	so := []ab.Outcome{{Ratio: 1, Step: ab.Step{Alike: true}}, {}, {}}
	if next, more := s.Next(so); !more || !next.Alike || next.Number != 4 {
		t.Errorf("%+v %v", next, more)
	}
	if _, more := s.Next(append(so, ab.Outcome{})); more {
		t.Error("a fourth pair after three that failed")
	}
	if _, more := s.Next(append(so, ab.Outcome{Ratio: 1}, ab.Outcome{})); !more {
		t.Error("the end after failures that one good pair parts")
	}
}

func TestTooFewPairsShowNothing(t *testing.T) {
	t.Parallel()
	five, ten := []float64{2, 2, 2, 2, 2}, []float64{1, 1.01, 0.99, 1, 1, 1, 1, 1, 1, 1}
	if found := ab.Judge(ten, five); found.Differs || !found.FloorKnown || found.Pairs != 5 {
		t.Errorf("%+v", found)
	}
	if found := ab.Judge(five, ten); found.Differs || found.FloorKnown {
		t.Errorf("%+v", found)
	}
	if found := ab.Judge(ten, nil); found.Differs || found.Pairs != 0 {
		t.Errorf("%+v", found)
	}
}
