package stat

import "math"

// An experiment may be looked at while it runs, and end because of what is seen, if every look spends a part of the level.
// Look k spends 1/(k(k+1)) of it: the parts add up to the whole, however many looks there are, and the chance that any of
// the intervals is wrong is at most the level whatever the looks have to do with each other. The intervals so made are the
// repeated confidence intervals of C. Jennison and B. W. Turnbull, Interim analyses: the repeated confidence interval
// approach, Journal of the Royal Statistical Society B 51, 1989; to spend the level by a rule that is set beforehand is
// from K. K. G. Lan and D. L. DeMets, Discrete sequential boundaries for clinical trials, Biometrika 70, 1983.
//
// Looks are a third of the blocks apart: to look after every block would spend the level on looks that see little more
// than the one before.
const (
	firstLook = 8
	lookApart = 1.35
)

// lookFor returns the look that is due at a number of blocks, and at how many it is due: the first that is not before.
func lookFor(blocks int) (number, due int) {
	for number, due = 1, firstLook; due < blocks; number++ {
		due = int(math.Ceil(float64(due) * lookApart))
	}
	return number, due
}

// IsLook reports whether a look is planned after that many blocks.
func IsLook(blocks int) bool {
	_, due := lookFor(blocks)
	return due == blocks
}

// IsSameLook reports whether two numbers of blocks are judged by the same look, which spends its part of the level once.
func IsSameLook(blocks, others int) bool {
	look, _ := lookFor(blocks)
	other, _ := lookFor(others)
	return look == other
}

// A Look is the result of the blocks at one look. Its interval holds at all looks together.
type Look struct {
	Blocks   int
	Level    float64  // that it spends
	Ratio    Estimate // B/A
	Decision Decision
	Known    bool    // there are blocks enough for an interval
	Least    float64 // see Change.Least
	Needed   int     // blocks, see Change.Trials
}

// LookAt judges the logarithms of B/A of at least one block. Between two looks it spends what the next one would: an experiment
// may end there if the reason is not the result so far. A ratio within same (0.05 is 5%) is the same.
func LookAt(logs []float64, same float64) Look { return LookAmong(logs, same, 1) }

// LookAmong is LookAt for one of several metrics, among which the level is shared (Bonferroni): the chance that any of them is
// called different at any look, if none is, is at most the level.
func LookAmong(logs []float64, same float64, metrics int) Look {
	number, _ := lookFor(len(logs))
	s := newBlocked(logs)
	l := Look{Blocks: len(logs), Level: Level / float64(number*(number+1)*metrics), Decision: Untold}
	lo, hi, known := s.interval(l.Level)
	l.Known = known
	l.Ratio = Estimate{Value: math.Exp(s.estimate()), Lo: math.Exp(lo), Hi: math.Exp(hi)}
	bound := math.Log1p(same)
	switch {
	case !known:
	case lo > 0:
		l.Decision = Greater
	case hi < 0:
		l.Decision = Less
	case lo > -bound && hi < bound:
		l.Decision = Same
	}
	if known {
		reach := (hi - lo) / 2 * power8
		l.Least, l.Needed = math.Expm1(reach), times(float64(len(logs)), reach, bound)
	}
	l.Needed = max(l.Needed, BlocksNeeded(Level/2)) // that of the first look
	return l
}
