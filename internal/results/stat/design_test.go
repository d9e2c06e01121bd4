package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A course is the logarithms of what a machine's trials come to, one after the other.
type course func(random *rand.Rand) (next func() float64)

// courses are noises with a coefficient of variation of 3%, or more where tails are heavy.
var courses = map[string]course{
	"independent": func(random *rand.Rand) func() float64 {
		return func() float64 { return math.Log1p(0.03 * random.NormFloat64()) }
	},
	"lognormal": func(random *rand.Rand) func() float64 {
		return func() float64 { return math.Log1p(0.03 * (math.Exp(random.NormFloat64()) - 1.65) / 2.16) }
	},
	"heavy-tailed": func(random *rand.Rand) func() float64 {
		return func() float64 { // Student's t with 2 degrees of freedom
			return 0.03 * random.NormFloat64() / math.Sqrt(random.ExpFloat64())
		}
	},
	"two-humped": func(random *rand.Rand) func() float64 {
		return func() float64 { return 0.05*float64(random.IntN(2)) + 0.01*random.NormFloat64() }
	},
	"autocorrelated 0.5": autocorrelated(0.5),
	"autocorrelated 0.8": autocorrelated(0.8),
	"drifting": func(random *rand.Rand) func() float64 {
		level, slope := 0.05*random.NormFloat64(), 0.002*random.NormFloat64()
		return func() float64 {
			level += slope + 0.01*random.NormFloat64()
			return level + 0.03*random.NormFloat64()
		}
	},
}

func autocorrelated(rho float64) course {
	return func(random *rand.Rand) func() float64 {
		at := 0.03 * random.NormFloat64()
		return func() float64 {
			at = rho*at + 0.03*math.Sqrt(1-rho*rho)*random.NormFloat64()
			return at
		}
	}
}

// pairedRun is a run of blocks: each has a trial of both sides in random order, and B's are the shift higher.
func pairedRun(c course, blocks int, shift float64, random *rand.Rand) (a, b []float64) {
	next := c(random)
	for range blocks {
		x, y := next(), next()
		if random.IntN(2) == 1 {
			x, y = y, x
		}
		a, b = append(a, math.Exp(x)), append(b, math.Exp(y+math.Log1p(shift)))
	}
	return a, b
}

func decided(c Change, same float64) Change {
	family := []Change{c}
	Decide(family, Level, same)
	return family[0]
}

// share is a part of runs with its standard error, for messages.
func share(n, runs int) (part, standardError float64) {
	part = float64(n) / float64(runs)
	return part, math.Sqrt(part * (1 - part) / float64(runs))
}

// TestBlocksAreSeldomAccusedInAnyNoise: at a nominal 5%, of 1,000 A/A runs in each noise (standard error 0.7%), at most 6.5%.
func TestBlocksAreSeldomAccusedInAnyNoise(t *testing.T) {
	t.Parallel()
	const runs = 1000
	for name, c := range courses {
		random := rand.New(rand.NewPCG(19, 3))
		false3, missed := 0, 0
		for range runs {
			got := decided(CompareBlocks(pairedRun(c, 10, 0, random)), 0)
			if got.Decision.Differs() {
				false3++
			}
			if got.Ratio.Lo > 1 || got.Ratio.Hi < 1 {
				missed++
			}
		}
		if part, deviation := share(false3, runs); part > 0.065 {
			t.Errorf("%s: %.3f ± %.3f of A/A runs differ", name, part, deviation)
		}
		if part, deviation := share(missed, runs); part > 0.065 {
			t.Errorf("%s: %.3f ± %.3f of the intervals miss the truth", name, part, deviation)
		}
	}
}

// A drift of 5% that blocks share hides a shift of 3% from a test that does not know of blocks: own noise 1%, 10 blocks.
func TestASharedDriftHidesNothingFromBlocks(t *testing.T) {
	t.Parallel()
	const runs = 500
	random := rand.New(rand.NewPCG(19, 4))
	blocks, unpaired := 0, 0
	for range runs {
		var a, b []float64
		for range 10 {
			shared := 0.05 * random.NormFloat64()
			a = append(a, math.Exp(shared+0.01*random.NormFloat64()))
			b = append(b, 1.03*math.Exp(shared+0.01*random.NormFloat64()))
		}
		if decided(CompareBlocks(a, b), 0).Decision == Greater {
			blocks++
		}
		if decided(Compare(a, b), 0).Decision == Greater {
			unpaired++
		}
	}
	if blocks < runs*99/100 || unpaired > runs/2 {
		t.Errorf("of %d, blocks find %d and trials without them %d", runs, blocks, unpaired)
	}
}

// TestTheSameIsSaidOfWhatIsTheSameOnly: at a true difference of the bound the same is said of at most 5% (standard error
// 0.7% of 1,000, so that the bar is 7%), at none of more than 92%.
func TestTheSameIsSaidOfWhatIsTheSameOnly(t *testing.T) {
	t.Parallel()
	const runs = 1000
	for shift, bound := range map[float64][2]float64{0: {0.92, 1}, 0.05: {0, 0.07}, -1 + 1/1.05: {0, 0.07}} {
		random := rand.New(rand.NewPCG(19, 5))
		blocks, unpaired := 0, 0
		for range runs {
			a, b := pairedRun(courses["independent"], 12, shift, random)
			if equivalenceUnder(CompareBlocks(a, b), 0.05) {
				blocks++
			}
			if equivalenceUnder(Compare(a, b), 0.05) {
				unpaired++
			}
		}
		for design, n := range map[string]int{"blocks": blocks, "trials": unpaired} {
			if part, deviation := share(n, runs); part < bound[0] || part > bound[1] {
				t.Errorf("%s, %+.3f: %.3f ± %.3f are the same, want %v", design, shift, part, deviation, bound)
			}
		}
	}
}

// equivalenceUnder reports whether a change alone is the same within a bound.
func equivalenceUnder(c Change, bound float64) bool {
	return under(c.equivalence(math.Log1p(bound)), Level)
}

// TestTheLeastDifferenceIsFoundInEightOfTen: whatever the number of trials, a difference as large as is said to be the least
// that would have been found is found in 70 to 90% of further runs.
func TestTheLeastDifferenceIsFoundInEightOfTen(t *testing.T) {
	t.Parallel()
	const runs = 250
	for _, n := range []int{8, 10, 20} {
		random := rand.New(rand.NewPCG(19, 6))
		blocks, unpaired := 0, 0
		for range runs {
			a, b := pairedRun(courses["independent"], n, 0, random)
			in, out := decided(CompareBlocks(a, b), 0.05), decided(Compare(a, b), 0.05)
			if a, b := pairedRun(courses["independent"], n, in.Least, random); decided(CompareBlocks(a, b), 0).Decision == Greater {
				blocks++
			}
			if a, b := pairedRun(courses["independent"], n, out.Least, random); decided(Compare(a, b), 0).Decision == Greater {
				unpaired++
			}
		}
		for design, found := range map[string]int{"blocks": blocks, "trials": unpaired} {
			if part, deviation := share(found, runs); part < 0.7 || part > 0.92 {
				t.Errorf("%d %s: %.3f ± %.3f are found", n, design, part, deviation)
			}
		}
	}
}

// occasionsOf are means of occasions that differ by 5% from each other, with 10 trials at each.
func occasionsOf(n int, shift float64, random *rand.Rand) [][]float64 {
	var found [][]float64
	for range n {
		level := math.Log1p(shift) + 0.05*random.NormFloat64()
		var trials []float64
		for range 10 {
			trials = append(trials, math.Exp(level+0.01*random.NormFloat64()))
		}
		found = append(found, trials)
	}
	return found
}

// TestOccasionsCarryWhatDiffersBetweenThem: two files of the same thing from two occasions differ most of the time; three
// and three taken as occasions in at most 5% of 2,000 (standard error 0.5%), and their interval holds the truth.
func TestOccasionsCarryWhatDiffersBetweenThem(t *testing.T) {
	t.Parallel()
	const runs = 2000
	random := rand.New(rand.NewPCG(19, 7))
	pooled, kept, missed, found := 0, 0, 0, 0
	for range runs {
		a, b := occasionsOf(3, 0, random), occasionsOf(3, 0, random)
		if decided(Compare(a[0], b[0]), 0).Decision.Differs() {
			pooled++
		}
		got := decided(CompareOccasions(a, b), 0)
		if got.Decision.Differs() {
			kept++
		}
		if got.Ratio.Lo > 1 || got.Ratio.Hi < 1 {
			missed++
		}
		if decided(CompareOccasions(a, occasionsOf(3, 0.3, random)), 0).Decision == Greater {
			found++
		}
	}
	if pooled < runs/2 {
		t.Errorf("two occasions differ in %d of %d: the noise is none", pooled, runs)
	}
	if kept > runs*6/100 || missed > runs*6/100 || kept < runs*3/100 {
		t.Errorf("of %d, %d differ and %d intervals miss", runs, kept, missed)
	}
	if found < runs*95/100 {
		t.Errorf("30%% more is found in %d of %d", found, runs)
	}
	if got := CompareOccasions([][]float64{{1, 2}}, [][]float64{{3, 4}}); got.Design != Independent {
		t.Errorf("two occasions have the design %s", got.Design)
	}
}

// The claim: a side's interval holds the median of all times in 92% at least of 500, where 8 times have 10 trials each, and it is
// called none where times are too few.
func TestASidesIntervalIsOfItsTimes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(19, 34))
	held := partOf(500, func() bool {
		side := CompareOccasions(occasionsOf(8, 0, random), occasionsOf(8, 0, random)).A
		return side.Spread == SpreadCI95 && side.Lo <= 1 && 1 <= side.Hi
	})
	if held < 0.92 {
		t.Errorf("8 times: the truth is in %.1f%%", 100*held)
	}
	one := []float64{1, 2, 3, 4, 5, 6}
	c := CompareOccasions([][]float64{{1, 2, 3}, {7, 8, 9}, {4, 5, 6}}, [][]float64{one})
	if want := (Summary{N: 9, Median: 5, Lo: 2, Hi: 8, Spread: SpreadMinMax}); c.A != want || c.B != Summarize(one) {
		t.Errorf("%+v and %+v, want %+v", c.A, c.B, want)
	}
}

// Metrics that can be 0, such as retries or failed calls, are compared over occasions too: files that differ by 30% from one
// another, of a program with itself, differ in at most 5% of 500 (standard error 1%), whether few values are 0, most, or all
// of a file's. What is twenty times as much is told of five files a side.
func TestAValueOfNoneLeavesOccasionsTheUnit(t *testing.T) {
	t.Parallel()
	const runs = 500
	for name, none := range map[string]float64{"a few are 0": 0.05, "most are 0": 0.6, "all of a file are 0": 1} {
		random := rand.New(rand.NewPCG(19, 33))
		side := func(n int, times float64) (files [][]float64) {
			for i := range n {
				level, zeros := times*math.Exp(0.3*random.NormFloat64()), none
				if none == 1 && i > 0 {
					zeros = 0
				}
				var file []float64
				for range 10 {
					value := level * math.Exp(0.02*random.NormFloat64())
					if random.Float64() < zeros {
						value = 0
					}
					file = append(file, value)
				}
				files = append(files, file)
			}
			return files
		}
		differ := partOf(runs, func() bool {
			return decided(CompareOccasions(side(5, 1), side(5, 1)), 0).Decision.Differs()
		})
		found := partOf(runs, func() bool { return decided(CompareOccasions(side(5, 1), side(5, 20)), 0).Decision == Greater })
		if differ > 0.07 || none < 0.5 && found < 0.95 {
			t.Errorf("%s: %.1f%% of the same differ, and %.1f%% of twenty times as much", name, 100*differ, 100*found)
		}
	}
}

func TestTheTestGivesTheDirection(t *testing.T) {
	t.Parallel()
	// Medians tie at 3, or say the opposite, while B is greater nearly everywhere.
	a := []float64{1, 1.01, 1.02, 1.03, 1.04, 3, 3.01, 3.02, 3.03}
	b := []float64{2, 2.01, 2.02, 2.03, 2.04, 2.05, 4, 4.01, 4.02}
	if got := decided(CompareBlocks(a, b), 0); got.Decision != Greater || got.Ratio.Lo <= 1 {
		t.Errorf("%+v", got)
	}
	if got := decided(CompareBlocks(b, a), 0); got.Decision != Less || got.Ratio.Hi >= 1 {
		t.Errorf("%+v", got)
	}
}

func TestSignedRanksAreThoseOfTables(t *testing.T) {
	t.Parallel()
	// n = 10, W = 8: two-sided p = 0.0488. (F. Wilcoxon, table of 1947.)
	below, above := signedRank([]float64{-1, -2, -5, 3, 4, 6, 7, 8, 9, 10})
	near(t, "above", 2*above, 50./1024, 1e-12)
	if below < 0.9 {
		t.Errorf("below %v", below)
	}
	// Zeros are left out after they were ranked: 2 of 3 signs are free.
	below, above = signedRank([]float64{0, 2, 3})
	near(t, "with a zero, above", above, 0.25, 1e-12)
	near(t, "with a zero, below", below, 1, 1e-12)
	// Beyond the exact range the approximation goes on where it ends.
	var large []float64
	for i := range signedRankExact + 1 {
		large = append(large, float64(1+i)*float64(1-2*(i%2)))
	}
	chances, tail := signSums(doubledRanks(large)), 0.0
	for _, p := range chances[:18_001] { // of 40,602
		tail += p
	}
	near(t, "beyond", signTail(doubledRanks(large), 18_000), tail, 0.01)
	lo, hi, ok := newBlocked([]float64{1, 2, 3, 4, 5}).interval(Level)
	if ok || lo != 1 || hi != 5 {
		t.Errorf("of five: %v to %v, %v", lo, hi, ok)
	}
	if lo, hi, ok = newBlocked([]float64{1, 2, 3, 4, 5, 6}).interval(Level); !ok || lo != 1 || hi != 6 {
		t.Errorf("of six: %v to %v, %v", lo, hi, ok)
	}
}

// Three times at which a coarse clock read the same are no proof that the fourth would: a side of one and a side of two are told
// by their order alone, which is one of three. What never varies at all, as a count of bytes, is told by all of its trials.
func TestWhatDoesNotVaryIsNotCertain(t *testing.T) {
	t.Parallel()
	varied := func(middle float64) []float64 { return []float64{middle - 3, middle, middle + 3} }
	got := decided(CompareOccasions([][]float64{varied(100)}, [][]float64{varied(101), varied(101)}), 0.05)
	if got.Decision != Untold || got.P < 0.6 || !got.TooFew || got.Trials != 4 || got.Ratio.Spread != SpreadMinMax {
		t.Errorf("one time and two: %+v", got)
	}
	four := func(middle float64) [][]float64 {
		return [][]float64{varied(middle), varied(middle), varied(middle), varied(middle)}
	}
	if got = decided(CompareOccasions(four(100), four(110)), 0.05); got.Decision != Greater {
		t.Errorf("four times and four: %+v", got)
	}
	if got = decided(CompareOccasions(four(100), four(100)), 0.05); got.Decision != Same || got.Ratio.Spread != SpreadCI95 ||
		got.Ratio.Lo != 1 || got.Ratio.Hi != 1 || got.Design != Occasions {
		t.Errorf("four times and four alike: %+v", got)
	}
	bytes := []float64{1016, 1016, 1016}
	if got = decided(CompareOccasions([][]float64{bytes, bytes}, [][]float64{bytes, bytes}), 0.05); got.Decision != Same {
		t.Errorf("the same bytes: %+v", got)
	}
}

// Corners: one trial a side, two, ties, nothing that varies, figures of 0 and below, and large ones give figures that are finite,
// a p value that is one, and no decision that the number of trials does not allow.
func TestCornersOfComparisonsAreFinite(t *testing.T) {
	t.Parallel()
	const huge = 1e300
	for _, pair := range [][2][]float64{
		{{1}, {2}}, {{1, 2}, {3, 4}}, {{5, 5}, {5, 5}}, {{0, 0}, {0, 0}}, {{0}, {1}}, {{-1, -2, -3, -4}, {1, 2, 3, 4}},
		{{huge, huge, huge, huge}, {1 / huge, 1 / huge, 1 / huge, 1 / huge}}, {{1 / huge, 1 / huge, 1 / huge}, {huge, huge, huge}},
		{{1, 1, 2, 2}, {1, 1, 2, 2}}, {{7, 7, 7, 7, 7, 7}, {7, 7, 7, 7, 7, 8}},
	} {
		for name, c := range map[string]Change{
			"trials": Compare(pair[0], pair[1]), "blocks": CompareBlocks(pair[0], pair[1]),
			"occasions": CompareOccasions([][]float64{pair[0], pair[0]}, [][]float64{pair[1], pair[1]}),
		} {
			got := decided(c, 0.05)
			for what, value := range map[string]float64{"p": got.P, "q": got.Q, "least": got.Least, "a": got.A.Median, "b": got.B.Median} {
				if math.IsNaN(value) || math.IsInf(value, 0) {
					t.Errorf("%v, %s: %s is %v", pair, name, what, value)
				}
			}
			if got.P < 0 || got.P > 1 || math.IsNaN(got.Ratio.Lo) || math.IsNaN(got.Ratio.Hi) || got.Ratio.Lo > got.Ratio.Hi {
				t.Errorf("%v, %s: %+v", pair, name, got)
			}
			if name != "occasions" && len(pair[0]) < 4 && got.Decision != Untold {
				t.Errorf("%v, %s: %s of %d trials", pair, name, got.Decision, len(pair[0]))
			}
		}
	}
}

// The claim: as many trials as are said to do find a difference of the bound in 70% at least, whichever the design; what is
// proposed is the median of what 41 runs of 10 propose.
func TestTheTrialsThatAreSaidToDoFindTheBound(t *testing.T) {
	t.Parallel()
	const runs, same = 300, 0.03
	for name, compare := range map[string]func(a, b []float64) Change{"trials": Compare, "blocks": CompareBlocks} {
		random := rand.New(rand.NewPCG(19, 12))
		var proposed []float64
		for range 41 {
			a, b := pairedRun(courses["independent"], 10, 0, random)
			proposed = append(proposed, float64(decided(compare(a, b), same).Trials))
		}
		n := int(middle(proposed))
		found := partOf(runs, func() bool {
			a, b := pairedRun(courses["independent"], n, same, random)
			return decided(compare(a, b), same).Decision == Greater
		})
		if found < 0.70 || n > 60 {
			t.Errorf("%s: with %d a difference of %v is found in %.0f%%", name, n, same, 100*found)
		}
	}
}

// The claim: the interval of a ratio of medians, as of x floor, holds the truth in 92% at least with 6 trials a side and more.
func TestTheIntervalOfARatioHoldsTheTruth(t *testing.T) {
	t.Parallel()
	const runs = 400
	for _, kind := range []noise{{"normal", normal, 0}, {"lognormal", lognormal, 0}, {"heavy-tailed", heavyTailed, 0}} {
		for _, n := range []int{6, 10} {
			random := seeded()
			// The median of the lognormal noise is below its mean by the same part on both sides.
			held := partOf(runs, func() bool {
				r, ok := RatioOf(kind.of(random, n, 0.05), kind.of(random, n, 0.05))
				return ok && r.Lo <= 1 && 1 <= r.Hi
			})
			if held < 0.92 {
				t.Errorf("%s, %d trials: held in %.1f%%", kind.name, n, 100*held)
			}
		}
	}
}
