package stat

import (
	"math"
	"slices"
	"sort"

	"github.com/aclements/go-moremath/stats"
)

// sides are the trials of two sides, A and B, to be compared as their design says. All figures are logarithms of ratios B/A.
type sides interface {
	estimate() float64
	// interval has at least the coverage 1−level; false says that there are too few trials for one.
	interval(level float64) (lo, hi float64, ok bool)
	// beyond are the one-sided p values against the ratio being the shift: that it is less, and that it is more.
	beyond(shift float64) (less, more float64)
	// least returns the smallest two-sided p value that this number of trials can have; needed returns how many per side it takes
	// for a p value below a level.
	least() float64
	needed(level float64) int
	// finds is the smallest difference that a test at the level would have found 8 times of 10; false says that it can't be told.
	finds(level float64) (reach float64, ok bool)
	// enough is how many per side would find a difference 8 times of 10; 0 is unknown.
	enough(level, difference float64) int
	// size returns the number of trials per side, or of what takes their place.
	size() int
}

// independent are trials of which nothing but their sides is known. The test is Mann and Whitney's, and the estimate and
// its interval are those of Hodges and Lehmann: the ratios that the test would not reject.
// (J. L. Hodges, E. L. Lehmann, Estimates of location based on rank tests, Annals of Mathematical Statistics 34, 1963;
// the interval in M. Hollander, D. A. Wolfe, Nonparametric Statistical Methods, section 4.3.)
type independent struct {
	a, b  []float64 // logarithms
	steps combined  // all differences b − a
}

func newIndependent(a, b []float64) *independent {
	return &independent{a: a, b: b, steps: differencesOf(a, b)}
}

func (s *independent) estimate() float64 { return s.steps.median() }

func (s *independent) interval(level float64) (lo, hi float64, ok bool) {
	return inner(s.steps, level, s.tail)
}

// maxExact is the largest sample for which the distribution of U is computed exactly, as in oneSided.
const maxExact = 50

// tail is the probability that U is at most u.
func (s *independent) tail(u int) float64 {
	n, m := len(s.a), len(s.b)
	if n <= maxExact && m <= maxExact {
		return stats.UDist{N1: n, N2: m}.CDF(float64(u))
	}
	mean, variance := float64(n*m)/2, float64(n*m*(n+m+1))/12
	return normalTail((float64(u) + 0.5 - mean) / math.Sqrt(variance))
}

func (s *independent) beyond(shift float64) (less, more float64) {
	b := moved(s.b, shift)
	return oneSided(b, s.a), oneSided(s.a, b)
}

func (s *independent) least() float64           { return LeastP(len(s.a), len(s.b)) }
func (s *independent) needed(level float64) int { return TrialsNeeded(level) }
func (s *independent) size() int                { return min(len(s.a), len(s.b)) }

func (s *independent) finds(level float64) (reach float64, ok bool) { return findsByRanks(s, level) }

func (s *independent) enough(level, difference float64) int {
	reach, _ := findsByRanks(s, level)
	return times(harmonic(len(s.a), len(s.b)), reach, difference)
}

// blocked are differences within blocks, each of which has both sides and what they share: a moment of the machine. The
// test is Wilcoxon's of signed ranks, and the estimate and its interval are made of the means of all two of them.
// (J. W. Tukey, The simplest signed-rank tests, Princeton 1949; Hollander and Wolfe, section 3.3.)
type blocked struct {
	differences []float64
	walsh       combined // the means of all two, and of each with itself
}

func newBlocked(differences []float64) *blocked {
	return &blocked{differences: differences, walsh: walshOf(differences)}
}

func (s *blocked) estimate() float64 { return s.walsh.median() }

func (s *blocked) interval(level float64) (lo, hi float64, ok bool) {
	return inner(s.walsh, level, signTails(len(s.differences)))
}

func (s *blocked) beyond(shift float64) (less, more float64) {
	return signedRank(moved(s.differences, shift))
}

func (s *blocked) least() float64           { return leastSignedRank(len(s.differences)) }
func (s *blocked) needed(level float64) int { return BlocksNeeded(level) }
func (s *blocked) size() int                { return len(s.differences) }

func (s *blocked) finds(level float64) (reach float64, ok bool) { return findsByRanks(s, level) }

func (s *blocked) enough(level, difference float64) int {
	reach, _ := findsByRanks(s, level)
	return times(float64(len(s.differences)), reach, difference)
}

// BlocksNeeded is the least number of blocks that could reach a level, which is above 0: 6 for 0.05.
func BlocksNeeded(level float64) int {
	n := 1
	for !under(leastSignedRank(n), level) {
		n++
	}
	return n
}

// inner is the interval from the k-th smallest to the k-th largest of the values, k being the largest for which the tail below k
// is at most half the level.
func inner(values combined, level float64, tail func(int) float64) (lo, hi float64, ok bool) {
	k := sort.Search(values.n/2, func(i int) bool { return tail(i) > level/2*(1+1e-9) })
	ok = k > 0
	k = max(k, 1)
	return values.kth(k), values.kth(values.n + 1 - k), ok
}

// occasions are the means of trials that were measured at one time, each side at several times. What a machine does
// differently from one time to the next is then in the spread of the means, which more trials at one time would hide. The
// test is Student's with one variance, because a side has three such means rather than ten.
// (T. Kalibera, R. Jones, Rigorous benchmarking in reasonable time, International Symposium on Memory Management, 2013:
// the highest level that varies is the one to repeat.)
type occasions struct{ a, b []float64 }

func (s *occasions) estimate() float64 { return mean(s.b) - mean(s.a) }

func (s *occasions) freedom() float64 { return float64(len(s.a) + len(s.b) - 2) }

// spread is the standard deviation of one occasion, deviation that of the estimate.
func (s *occasions) spread() float64 {
	squares := 0.0
	for _, side := range [][]float64{s.a, s.b} {
		m := mean(side)
		for _, x := range side {
			squares += (x - m) * (x - m)
		}
	}
	return math.Sqrt(squares / s.freedom())
}

func (s *occasions) deviation() float64 {
	return s.spread() * math.Sqrt(1/float64(len(s.a))+1/float64(len(s.b)))
}

func (s *occasions) interval(level float64) (lo, hi float64, ok bool) {
	half := s.quantile(1-level/2) * s.deviation()
	return s.estimate() - half, s.estimate() + half, true
}

func constant(values []float64) bool { return slices.Min(values) == slices.Max(values) }

func (s *occasions) quantile(p float64) float64 {
	return stats.InvCDF(stats.TDist{V: s.freedom()})(p)
}

func (s *occasions) beyond(shift float64) (less, more float64) {
	off, deviation := s.estimate()-shift, s.deviation()
	less = stats.TDist{V: s.freedom()}.CDF(off / deviation)
	return less, 1 - less
}

// moved are the values less the shift.
func moved(values []float64, shift float64) []float64 {
	less := make([]float64, len(values))
	for i, v := range values {
		less[i] = v - shift
	}
	return less
}

func (s *occasions) least() float64     { return 0 }
func (s *occasions) needed(float64) int { return 2 }
func (s *occasions) size() int          { return min(len(s.a), len(s.b)) }
