package stat

import (
	"math"
	"slices"
	"testing"

	"rpcbench/internal/test/allocated"
)

// Counted values are those that are kept and sorted, ties, zeros and negative ones among them.
func TestCombinedValuesAreThoseOfAllPairs(t *testing.T) {
	t.Parallel()
	random := seeded()
	for run := range 200 {
		draw := func(n int) []float64 {
			values := make([]float64, n)
			for i := range values {
				if values[i] = random.NormFloat64(); run%2 == 0 {
					values[i] = math.Round(2 * values[i])
				}
			}
			return values
		}
		a, b := draw(1+random.IntN(9)), draw(1+random.IntN(9))
		var steps, means []float64
		for i, x := range a {
			for _, y := range b {
				steps = append(steps, y-x)
			}
			for _, y := range a[i:] {
				means = append(means, x/2+y/2)
			}
		}
		for name, c := range map[string]struct {
			got  combined
			want []float64
		}{"differences": {differencesOf(a, b), steps}, "means": {walshOf(a), means}} {
			slices.Sort(c.want)
			if c.got.n != len(c.want) || c.got.median() != median(c.want) {
				t.Fatalf("%s of %v and %v: %d with the median %v, want %v", name, a, b, c.got.n, c.got.median(), c.want)
			}
			for k := range c.want {
				if got := c.got.kth(k + 1); got != c.want[k] {
					t.Errorf("%s of %v and %v: number %d is %v, want %v", name, a, b, k+1, got, c.want[k])
				}
			}
		}
	}
}

// 20,000 trials a side are compared in the memory of a few copies of them: the 400 million differences would take 3 GB.
func TestManyTrialsTakeNoMoreThanTheirOwnMemory(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	random := seeded()
	a, b := trials(random, 20_000, 100, 0.03), trials(random, 20_000, 101, 0.03)
	allocated.AtMost(t, 64<<20, func() {
		for _, c := range []Change{Compare(a, b), CompareBlocks(a, b)} {
			got := decided(c, 0.05)
			if got.Decision != Greater || math.Abs(got.Ratio.Value-1.01) > 0.001 || got.Ratio.Spread != SpreadCI95 {
				t.Errorf("%+v", got)
			}
		}
	})
}
