package compare

import (
	"fmt"
	"slices"

	"rpcbench/internal/plan/number"
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
// machine's own is left open, and so is one within what a bare socket may have changed that tells no change: it may vary more
// than what is compared. Without this the same would differ from itself in 19% where machines change by 5% and trials of the
// bare socket vary by as much, and in 37% where they vary by 10%; with it, in at most 5%.
func (l *Line) control(same float64) {
	a, b := l.figures[0], l.figures[1]
	if l.Design != stat.Independent || len(a.Floor) == 0 || len(b.Floor) == 0 {
		return
	}
	floor := []stat.Change{stat.Compare(a.Floor, b.Floor)}
	stat.Decide(floor, controlLevel, same)
	switch {
	case !floor[0].HasRatio:
	case floor[0].Decision.Differs():
		l.Machine = &floor[0]
		if !l.isBeyond(floor[0].Ratio, l.Ratio.Lo, l.Ratio.Hi) {
			l.Decision = stat.Untold
		}
	case l.Decision.Differs() && l.HasRatio && !l.isBeyond(floor[0].Ratio, l.Ratio.Value, l.Ratio.Value):
		l.Masked, l.Decision = &floor[0], stat.Untold
	}
}

// isBeyond reports whether the line differs, by no less than from lo to hi, and so more than the machine may have changed.
func (l *Line) isBeyond(machine stat.Ratio, lo, hi float64) bool {
	return l.HasRatio && (l.Decision == stat.Greater && lo > machine.Hi || l.Decision == stat.Less && hi < machine.Lo)
}

// maskedNote names the first line that the bare socket leaves open; "" if there is none.
func (c *Comparison) maskedNote() string {
	var first string
	more := -1
	for _, t := range c.Tables {
		for _, l := range t.Lines {
			if l.Masked == nil {
				continue
			}
			if more++; more == 0 {
				r := l.Masked.Ratio
				first = fmt.Sprintf("%s of %s (%s; the bare socket's interval is %s to %s)", t.Metric, l.Point,
					number.Change(l.Ratio.Value), number.Signed(100*(r.Lo-1)), number.Signed(100*(r.Hi-1)))
			}
		}
	}
	switch {
	case more < 0:
		return ""
	case more > 0:
		first += fmt.Sprintf(" and %d more", more)
	}
	return "A change between files may be the machine's where the bare socket may have changed as much, so it is inconclusive: " +
		first + "."
}
