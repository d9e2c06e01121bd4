package stat

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Pair is the trials of two sides of a comparison: one value above 0 for each trial, at least one on each side.
type Pair struct{ A, B []float64 }

// resamples is how often trials are drawn again. With 1,999 the ends of a 95% interval are the 50th and the 1,950th
// value. (A. C. Davison, D. V. Hinkley, Bootstrap Methods and their Application, section 5.2.)
const resamples = 1999

// bootstrap returns the 95% interval of the geometric mean of the pairs' ratios of medians B/A, by drawing the trials of
// each side again with replacement. The ends are percentiles of the redrawn: a median is no smooth function of the data,
// so that the jackknife, and with it the acceleration of BCa, does not hold for it. (B. Efron, R. J. Tibshirani, An
// Introduction to the Bootstrap, sections 11.6 and 13.3.) The same trials give the same interval: the seed is fixed.
func bootstrap(pairs []Pair) (lo, hi float64) {
	random := rand.New(rand.NewPCG(0x72706362, 0x656e6368))
	logs := make([]float64, resamples)
	again := make([][2]redrawing, len(pairs))
	for i, p := range pairs {
		again[i] = [2]redrawing{redrawingOf(p.A), redrawingOf(p.B)}
	}
	for i := range logs {
		for _, p := range again {
			b := p[1].median(random)
			logs[i] += math.Log(b / p[0].median(random))
		}
		logs[i] /= float64(len(pairs))
	}
	slices.Sort(logs)
	tail := (resamples + 1) / 40
	return math.Exp(logs[tail-1]), math.Exp(logs[resamples-tail])
}

// A redrawing resamples a sample repeatedly. It counts how often each value is drawn, in order, which gives a median without
// sorting.
type redrawing struct {
	sorted []float64
	rank   []int // of each value of the sample in sorted
	drawn  []int // how often
}

func redrawingOf(sample []float64) redrawing {
	r := redrawing{make([]float64, len(sample)), make([]int, len(sample)), make([]int, len(sample))}
	for place, i := range ascending(sample) {
		r.sorted[place], r.rank[i] = sample[i], place
	}
	return r
}

// median returns the median of a sample drawn with replacement.
func (r redrawing) median(random *rand.Rand) float64 {
	clear(r.drawn)
	n := len(r.rank)
	for range n {
		r.drawn[r.rank[random.IntN(n)]]++
	}
	at, seen := 0, r.drawn[0]
	next := func(number int) float64 { // the number-th smallest, from 1
		for seen < number {
			at++
			seen += r.drawn[at]
		}
		return r.sorted[at]
	}
	lo := next((n + 1) / 2)
	return lo + (next(n/2+1)-lo)/2
}

// extremes returns the geometric means of the least and of the largest ratio that the pairs' trials can make.
func extremes(pairs []Pair) (lo, hi float64) {
	for _, p := range pairs {
		lo += math.Log(slices.Min(p.B) / slices.Max(p.A))
		hi += math.Log(slices.Max(p.B) / slices.Min(p.A))
	}
	n := float64(len(pairs))
	return math.Exp(lo / n), math.Exp(hi / n)
}

// ratioOf returns the geometric mean of the pairs' ratios of medians, and says what its ends are.
func ratioOf(pairs []Pair) Ratio {
	fewest, log := math.MaxInt, 0.0
	for _, p := range pairs {
		fewest = min(fewest, len(p.A), len(p.B))
		log += math.Log(Summarize(p.B).Median / Summarize(p.A).Median)
	}
	r := Ratio{Spread: SpreadOf(fewest)}
	r.Value = math.Exp(log / float64(len(pairs)))
	if r.Spread == SpreadCI95 {
		r.Lo, r.Hi = bootstrap(pairs)
	} else {
		r.Lo, r.Hi = extremes(pairs)
	}
	return r
}
