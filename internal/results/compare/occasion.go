package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
)

// A Span is from the first trial's start to the last one's.
type Span struct{ From, To time.Time }

// spanOf returns the time span of all trials of rows.
func spanOf(rows []*analysis.Row) (s Span) {
	for _, row := range rows {
		for _, t := range slices.Concat(row.Trials, row.Failed) {
			if t.Started.IsZero() {
				continue
			}
			if s.From.IsZero() || t.Started.Before(s.From) {
				s.From = t.Started
			}
			if t.Started.After(s.To) {
				s.To = t.Started
			}
		}
	}
	return s
}

// overlaps reports whether two spans have a moment in common, or may have.
func (s Span) overlaps(other Span) bool {
	if s.From.IsZero() || other.From.IsZero() {
		return true
	}
	return !s.To.Before(other.From) && !other.To.Before(s.From)
}

// apart returns a sentence if two sides were measured at different times, with advice; "" otherwise.
func apart(base, side Set) string {
	switch {
	case base.sharesFileWith(side), base.Span.overlaps(side.Span):
		return ""
	case base.Times+side.Times > 2:
		return fmt.Sprintf("Number of times measured: %d for %s, %d for %s. Changes are tested by what differs between times, so that "+
			"more files help more than more trials.", max(base.Times, 1), base.Name, max(side.Times, 1), side.Name)
	}
	first, second, gap := base, side, side.Span.From.Sub(base.Span.To)
	if gap < 0 {
		first, second, gap = side, base, base.Span.From.Sub(side.Span.To)
	}
	return fmt.Sprintf("%s was measured %s after %s: what changed on the machine in between shows as a difference, and the "+
		"intervals don't cover it. To exclude it, measure both in one run (rpcbench run --binary old=PATH --binary new=PATH; "+
		"rpcbench ab for two servers), or each several times (rpcbench compare old*.jsonl -- new*.jsonl).",
		second.Name, about(gap), first.Name)
}

// sharesFileWith reports whether both sides have trials of one file, and so were measured in one run.
func (s *Set) sharesFileWith(other Set) bool {
	return slices.ContainsFunc(s.sources, func(source *analysis.Source) bool { return slices.Contains(other.sources, source) })
}

// about is a time to the unit that matters.
func about(gap time.Duration) string {
	switch {
	case gap < time.Minute:
		return max(gap.Round(time.Second), time.Second).String()
	case gap < 48*time.Hour:
		return number.Span(gap.Round(time.Minute))
	default:
		return fmt.Sprintf("%d days", int(gap.Hours()/24))
	}
}

// Together makes one side of several measurements.
func Together(name string, sets []Set) Set {
	all := Set{Name: name, Times: len(sets), parts: sets}
	var machines []string
	var joined figures
	for n, set := range sets {
		for _, figure := range set.Figures {
			joined.join(figure, n)
		}
		for _, note := range set.Notes {
			all.noteOnce(note, "")
		}
		if set.Machine != "" && !slices.Contains(machines, set.Machine) {
			machines = append(machines, set.Machine)
		}
		all.Span = all.Span.with(set.Span)
	}
	all.Figures, all.Machine = joined.all, strings.Join(machines, "; ")
	return all
}

func (s Span) with(other Span) Span {
	if s.From.IsZero() || !other.From.IsZero() && other.From.Before(s.From) {
		s.From = other.From
	}
	if other.To.After(s.To) {
		s.To = other.To
	}
	return s
}

// join adds a figure of the n-th occasion. The gravest verdict of all occasions remains.
func (fs *figures) join(f Figure, n int) {
	g := fs.of(f)
	g.Values, g.Blocks = append(g.Values, f.Values...), append(g.Blocks, f.Blocks...)
	g.Failed, g.Few = g.Failed+f.Failed, max(g.Few, f.Few)
	for range f.Values {
		g.Occasions = append(g.Occasions, n)
	}
	if verdicts := analysis.Verdicts(); slices.Index(verdicts, f.Verdict) > slices.Index(verdicts, g.Verdict) {
		g.Verdict = f.Verdict
	}
}
