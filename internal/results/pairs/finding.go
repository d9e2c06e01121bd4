package pairs

import (
	"math"

	"rpcbench/internal/results/stat"
)

// Least is the minimum number of pairs of A and B for any answer.
var Least = 2 * stat.LookAt([]float64{0}, 0).Needed

// LeastAlike is the minimum number of pairs of A with itself: fewer never show a bias.
var LeastAlike = stat.BlocksNeeded(partLevel)

// A Finding says what pairs show about one metric.
type Finding struct {
	Pairs int       // of A and B that can be used: those of whole blocks
	Look  stat.Look // at their blocks; the zero Look without any

	// Part is how A in the part of B compares with A in the part of A, which it should not differ from, and Order how the
	// second of a pair compares with the first, in pairs of A and B too. Blocks cancel the latter.
	Part, Order Bias

	// Declined says that the median of neither side is of calls that were served, or of one where the pairs are the same: no ratio
	// is of times, and nothing is the same.
	Declined bool
}

// A Bias is a ratio that would be 1 if trials were treated alike.
type Bias struct {
	stat.Ratio
	Shows bool // it is not 1 by chance
}

// Levels of biases. One in the part makes the whole answer doubtful, so that chance may seldom show it; one in the order
// changes nothing of it.
const (
	partLevel  = 0.01
	orderLevel = stat.Level
)

// Decision returns the decision of the look, unless A differs from itself, or neither side was served.
func (f Finding) Decision() stat.Decision {
	if f.Part.Shows || f.Declined || f.Look.Blocks == 0 {
		return stat.Untold
	}
	return f.Look.Decision
}

// Judge judges the outcomes. Too few show nothing. A ratio within same of 1 counts as equal, where 0.05 means 5%.
func Judge(so []Outcome, same float64) Finding {
	var found Finding
	if logs := logsOf(so, shift); len(logs) > 0 {
		found.Pairs, found.Look = 2*len(logs), stat.LookAt(logs, same)
	}
	var parts []float64
	for _, ratio := range Ratios(so, true) {
		parts = append(parts, math.Log(ratio))
	}
	found.Part = biasOf(parts, partLevel)
	found.Order = biasOf(logsOf(so, order), orderLevel)
	return found
}

func biasOf(logs []float64, level float64) Bias {
	if len(logs) == 0 {
		return Bias{}
	}
	ones, others := make([]float64, len(logs)), make([]float64, len(logs))
	for i, log := range logs {
		ones[i], others[i] = 1, math.Exp(log)
	}
	c := stat.CompareBlocks(ones, others)
	return Bias{Ratio: c.Ratio, Shows: c.P < level}
}

// shift is the logarithm of B/A of a pair, for the blocks of A and B only.
func shift(o Outcome) (log float64, ok bool) { return math.Log(o.Ratio), !o.Alike }

// order is the logarithm of the second of a pair to the first.
func order(o Outcome) (log float64, ok bool) {
	if o.Sides[1].PartOfB() {
		return math.Log(o.Ratio), true
	}
	return -math.Log(o.Ratio), true
}

// logsOf is the mean of something over the two pairs of each whole block.
func logsOf(so []Outcome, of func(Outcome) (float64, bool)) []float64 {
	var logs []float64
	for i := 1; i < len(so); i++ {
		one, two := so[i-1], so[i]
		if one.Block != two.Block || one.Ratio == 0 || two.Ratio == 0 {
			continue
		}
		x, ok := of(one)
		if y, also := of(two); ok && also {
			logs = append(logs, (x+y)/2)
		}
	}
	return logs
}
