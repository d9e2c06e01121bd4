package pairs

import "rpcbench/internal/results/stat"

// A Rule says when pairs of A and B are enough.
type Rule struct {
	Same  float64 // a ratio within it is the same: 0.05 is 5%
	Width float64 // how narrow the interval has to be, too: 0.05 is 5%; 0 is however wide
	Most  int     // pairs of A and B; 0 is any number
}

// Over reports whether there are enough pairs of A and B for a metric, or as many as allowed. The first metric's outcomes say
// when to look. Another one, which has no ratio in some pairs, may have fewer blocks; if it lacks so many that they would belong
// to another look, it is not clear.
func (r Rule) Over(so, first []Outcome) bool {
	logs, looked := logsOf(so, shift), len(logsOf(first, shift))
	switch {
	case r.isFull(so):
		return true
	case len(logs) == 0 || !stat.IsLook(looked) || !stat.IsSameLook(len(logs), looked):
		return false
	}
	return r.isClear(stat.LookAt(logs, r.Same))
}

// isFull reports whether there are as many pairs of A and B as allowed.
func (r Rule) isFull(so []Outcome) bool { return r.Most > 0 && len(Ratios(so, false)) >= r.Most }

// isClear reports whether a look answers the question, as narrowly as was asked for.
func (r Rule) isClear(l stat.Look) bool {
	return l.Decision != stat.Untold && (r.Width <= 0 || l.Ratio.Hi/l.Ratio.Lo-1 <= r.Width)
}
