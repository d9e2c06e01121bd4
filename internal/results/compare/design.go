package compare

import (
	"slices"

	"rpcbench/internal/results/stat"
)

// change compares two figures as they were measured: by occasions where a side has several, by blocks where both come from
// one randomised run, and else as two samples.
//
// So few blocks that none of the family's lines could be told alone are not compared by blocks: two samples of n trials can
// differ more clearly than n pairs, which have n signs. That depends on the numbers of trials and lines, not on values.
func change(a, b Figure, family int) stat.Change {
	if atA, atB := a.byOccasion(), b.byOccasion(); len(atA)+len(atB) > 2 {
		return stat.CompareOccasions(atA, atB)
	}
	inA, inB := blocksOf(a, b)
	if len(inA) < stat.BlocksNeeded(stat.Level/float64(family)) {
		return stat.Compare(a.Values, b.Values)
	}
	c := stat.CompareBlocks(inA, inB)
	c.A, c.B = stat.Summarize(a.Values), stat.Summarize(b.Values)
	return c
}

// blocksOf returns the values of blocks that have one on both sides.
func blocksOf(a, b Figure) (inA, inB []float64) {
	for i, block := range a.Blocks {
		j := slices.Index(b.Blocks, block)
		if j >= 0 && once(a.Blocks, block) && once(b.Blocks, block) {
			inA, inB = append(inA, a.Values[i]), append(inB, b.Values[j])
		}
	}
	return inA, inB
}

func once(blocks []string, block string) bool {
	i := slices.Index(blocks, block)
	return !slices.Contains(blocks[i+1:], block)
}

// times are the occasions of the figure, in the order in which they come: one without a number if all values are of one.
func (f Figure) times() []int {
	if f.Occasions == nil {
		return []int{0}
	}
	var times []int
	for _, occasion := range f.Occasions {
		if !slices.Contains(times, occasion) {
			times = append(times, occasion)
		}
	}
	return times
}

// byOccasion are the values of each of the times.
func (f Figure) byOccasion() [][]float64 {
	if f.Occasions == nil {
		return [][]float64{f.Values}
	}
	times := f.times()
	found := make([][]float64, len(times))
	for i, occasion := range f.Occasions {
		at := slices.Index(times, occasion)
		found[at] = append(found[at], f.Values[i])
	}
	return found
}

// controlLevel is that of the bare socket's change. It is higher than a difference's: a change of the machine that is missed is
// taken for the code's, and one that is seen for nothing has an interval around none, which costs little. With Level the same
// differs from itself in 7% where machines change by 5%, with this in at most 5%.
const controlLevel = 4 * stat.Level

// control checks whether the bare socket changed too, if the sides were measured one after the other. A change within the
// machine's own is left open.
func (l *Line) control(same float64) {
	a, b := l.figures[0], l.figures[1]
	if l.Design != stat.Independent || len(a.Floor) == 0 || len(b.Floor) == 0 {
		return
	}
	floor := []stat.Change{stat.Compare(a.Floor, b.Floor)}
	stat.Decide(floor, controlLevel, same)
	if !floor[0].Decision.Differs() || !floor[0].HasRatio {
		return
	}
	l.Machine = &floor[0]
	machine := floor[0].Ratio
	switch lo, hi := l.Ratio.Lo/machine.Hi, l.Ratio.Hi/machine.Lo; {
	case l.HasRatio && l.Decision == stat.Greater && lo > 1, l.HasRatio && l.Decision == stat.Less && hi < 1:
	default:
		l.Decision = stat.Untold
	}
}
