package compare_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rpcbench/internal/results/compare"
)

// The claim of --fail-on, with 10 trials a side that vary by 3%, in blocks of a machine that drifts or in two files, in normal,
// lognormal and heavy-tailed noise: a change of just the limit breaks it in at most 5%, and none of nothing at all breaks it; one
// of 15% breaks a limit of 5% in 95%; what changes nothing is left open by a limit of 10% in at most 10%.
func TestALimitIsBrokenAsSeldomAndAsOftenAsStated(t *testing.T) {
	t.Parallel()
	const runs = 300
	for name, noise := range map[string]func(*rand.Rand) float64{
		"normal":    func(r *rand.Rand) float64 { return r.NormFloat64() },
		"lognormal": func(r *rand.Rand) float64 { return (math.Exp(0.5*r.NormFloat64()) - 1.1331) / 0.6039 },
		"heavy-tailed": func(r *rand.Rand) float64 { // Student's t with 4 degrees of freedom
			return r.NormFloat64() / math.Sqrt((r.ExpFloat64()+r.ExpFloat64())/2) / math.Sqrt2
		},
	} {
		for design, drift := range map[string]float64{"blocks": 0.05, "files": 0} {
			random := rand.New(rand.NewPCG(19, 23))
			share := func(change float64, limit string, outcome compare.Outcome) float64 {
				n := 0
				for range runs {
					if limitOutcome(t, random, noise, drift, change, limit) == outcome {
						n++
					}
				}
				return float64(n) / runs
			}
			atLimit, none := share(0.05, "p50>+5%", compare.Broken), share(0, "p50>+5%", compare.Broken)
			far, open := share(0.15, "p50>+5%", compare.Broken), share(0, "p50>+10%", compare.Open)
			if most := 0.05 + 2*math.Sqrt(0.05*0.95/runs); atLimit > most || none > 0 || far < 0.95 || open > 0.10 {
				t.Errorf("%s, %s: broken in %.1f%% at the limit, %.1f%% of nothing, %.1f%% of 15%%; open in %.1f%%", name, design,
					100*atLimit, 100*none, 100*far, 100*open)
			}
		}
	}
}

// limitOutcome is what 10 trials of two sides say to a limit. With a drift they are in blocks, which share it.
func limitOutcome(
	t *testing.T, random *rand.Rand, noise func(*rand.Rand) float64, drift, change float64, text string,
) compare.Outcome {
	t.Helper()
	var a, b []float64
	for range 10 {
		shared := math.Exp(drift * random.NormFloat64())
		a = append(a, 100*shared*(1+0.03*noise(random)))
		b = append(b, 100*shared*(1+change)*(1+0.03*noise(random)))
	}
	run := map[bool]string{true: "one", false: "two"}[drift > 0]
	c, err := compare.Of(0.05, side("old", inBlocks(a, "one")), side("new", inBlocks(b, run)))
	if err != nil {
		t.Fatal(err)
	}
	limit, err := compare.ParseLimit(text)
	if err != nil {
		t.Fatal(err)
	}
	findings, err := limit.Check(c)
	if err != nil {
		t.Fatal(err)
	}
	if len(findings) == 0 {
		return compare.Kept
	}
	return findings[0].Outcome
}

// A change of exactly the limit is not beyond it, whatever the base: logarithms and their exponential round.
func TestAChangeOfTheLimitIsWithinIt(t *testing.T) {
	t.Parallel()
	constant := func(value int) compare.Figure {
		return compare.Figure{Point: "x", Metric: "p50", Values: slices.Repeat([]float64{float64(value)}, 10)}
	}
	for base := 100; base <= 5000; base += 20 {
		for _, test := range []struct {
			limit  string
			change int // in percent
			want   compare.Outcome
		}{
			{"p50>+5%", 5, compare.Kept}, {"p50<-5%", -5, compare.Kept},
			{"p50>+4.9%", 5, compare.Broken}, {"p50<-4.9%", -5, compare.Broken},
			{"p50>0%", 0, compare.Kept},
		} {
			c, err := compare.Of(0.05, side("old", constant(base)), side("new", constant(base*(100+test.change)/100)))
			if err != nil {
				t.Fatal(err)
			}
			limit, err := compare.ParseLimit(test.limit)
			if err != nil {
				t.Fatal(err)
			}
			found, err := limit.Check(c)
			outcome := compare.Kept
			if len(found) > 0 {
				outcome = found[0].Outcome
			}
			if err != nil || outcome != test.want {
				t.Errorf("%d%% of %d against %s: %v, %v", test.change, base, test.limit, outcome, err)
			}
		}
	}
}
