package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The claim: in a family too, all other lines of which have no difference, the least difference that would have been found is
// found in 8 of 10, at least in 68% of 250 (standard error 3%).
func TestTheLeastDifferenceOfAFamilyIsFoundInEightOfTen(t *testing.T) {
	t.Parallel()
	const runs = 250
	for _, design := range []struct {
		name    string
		compare func(a, b []float64) Change
	}{{"trials", Compare}, {"blocks", CompareBlocks}} {
		for _, family := range []struct{ lines, trials int }{{5, 10}, {20, 10}, {50, 15}} {
			random := rand.New(rand.NewPCG(19, 41))
			measure := func(shift float64) Change {
				all := []Change{design.compare(pairedRun(courses["independent"], family.trials, shift, random))}
				for range family.lines - 1 {
					all = append(all, Compare([]float64{1, 1}, []float64{1, 1}))
				}
				Decide(all, Level, 0.05)
				return all[0]
			}
			found := partOf(runs, func() bool { return measure(measure(0).Least).Decision == Greater })
			if found < 0.68 || found > 0.92 {
				t.Errorf("%d lines of %d %s: %.1f%% are found", family.lines, family.trials, design.name, 100*found)
			}
		}
	}
}

// What all trials of a family are too few for is not said to be found, and more trials are needed than for a change alone.
func TestTooFewTrialsOfAFamilyFindNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(19, 42))
	family := make([]Change, 50)
	for i := range family {
		family[i] = Compare(trials(random, 6, 100, 0.05), trials(random, 6, 100, 0.05))
	}
	alone := decided(family[0], 0.05)
	Decide(family, Level, 0.05)
	if c := family[0]; !c.TooFew || c.Least != 0 || c.Trials <= alone.Trials || alone.TooFew || !(alone.Least > 0.05) {
		t.Errorf("%+v; alone %+v", c, alone)
	}
}

// The claim: with few files too what is said to have been found is found in 8 of 10 of 1,000 (standard error 1.3%).
func TestTheLeastDifferenceOfFewFilesIsFoundInEightOfTen(t *testing.T) {
	t.Parallel()
	for _, files := range [][2]int{{2, 1}, {2, 2}, {3, 3}, {5, 5}, {9, 1}} {
		random := rand.New(rand.NewPCG(19, 43))
		found := partOf(1000, func() bool {
			first := decided(CompareOccasions(occasionsOf(files[0], 0, random), occasionsOf(files[1], 0, random)), 0.05)
			return decided(CompareOccasions(occasionsOf(files[0], 0, random), occasionsOf(files[1], first.Least, random)),
				0).Decision == Greater
		})
		if found < 0.75 || found > 0.85 {
			t.Errorf("%v files: %.1f%% are found", files, 100*found)
		}
	}
}

// The claim: as many files as are said to do find a difference of the bound in 70% at least of 300, the spread being the
// median of what 41 proposals are made of; and as many trials as 30 against few propose, on each side.
func TestWhatUnequalSidesAndFilesAreSaidToNeedFindsTheBound(t *testing.T) {
	t.Parallel()
	const runs, same = 300, 0.05
	random := rand.New(rand.NewPCG(19, 44))
	propose := func(of func() Change) int {
		var proposed []float64
		for range 41 {
			proposed = append(proposed, float64(decided(of(), same).Trials))
		}
		return int(middle(proposed))
	}
	for _, few := range []int{3, 5, 10} {
		n := propose(func() Change { return Compare(trials(random, 30, 100, 0.05), trials(random, few, 100, 0.05)) })
		found := partOf(runs, func() bool {
			return decided(Compare(trials(random, n, 100, 0.05), trials(random, n, 105, 0.05)), same).Decision == Greater
		})
		if found < 0.70 || n > 30 {
			t.Errorf("30 against %d: with %d each %.1f%% are found", few, n, 100*found)
		}
	}
	for _, files := range []int{3, 5} {
		n := propose(func() Change { return CompareOccasions(occasionsOf(files, 0, random), occasionsOf(files, 0, random)) })
		found := partOf(runs, func() bool {
			return decided(CompareOccasions(occasionsOf(n, 0, random), occasionsOf(n, same, random)), same).Decision == Greater
		})
		if found < 0.70 || n > 30 {
			t.Errorf("%d files: with %d each %.1f%% are found", files, n, 100*found)
		}
	}
}

// No difference, no bound and no end of needs are numbers too.
func TestCornersOfPower(t *testing.T) {
	t.Parallel()
	same := &occasions{a: []float64{1, 1}, b: []float64{1, 1}}
	if reach, ok := same.finds(Level); reach != 0 || !ok || same.enough(Level, 0.05) != 0 {
		t.Errorf("no spread: %v, %v, %d", reach, ok, same.enough(Level, 0.05))
	}
	wide := &occasions{a: []float64{0, 100}, b: []float64{0}}
	if n := wide.enough(Level, 1e-6); n != 0 {
		t.Errorf("without end: %d", n)
	}
	if c := decided(CompareOccasions([][]float64{{1}, {1e20}}, [][]float64{{1}}), 0.05); c.Least != leastMost {
		t.Errorf("a difference beyond numbers: %v", c.Least)
	}
	if n := wide.enough(Level, 0); n != 0 || math.Abs(harmonic(30, 10)-15) > 1e-12 {
		t.Errorf("no bound: %d; %v", n, harmonic(30, 10))
	}
}
