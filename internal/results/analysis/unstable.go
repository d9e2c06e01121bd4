package analysis

import (
	"fmt"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/stat"
)

// Headline is the metric that a row is about first: the time of an operation of encode and decode, operations per second of
// batches, messages or else calls per second of rows that are RateLike, and the median response of all others.
func (r *Row) Headline() Metric {
	switch {
	case r.Spec.Coding():
		return NsPerOperation
	case r.Spec.Batch > 0 && r.Spec.Closed():
		return OperationsPerSec
	case r.RateLike() && hasMessages(r.Spec.Kind):
		return MessagesPerSec
	case r.RateLike():
		return CallsPerSec
	default:
		return ResponseP50Ns
	}
}

// Unstable reports whether the headline differs so much between the row's trials that the median means little. A ratio with such
// a row says no more than its interval.
func (r *Row) Unstable() bool { return stat.Unstable(sample(r.Trials, r.Headline())).Any() }

// unstable returns the doubts about the row's median, because each trial by itself may be good.
func (r *Row) unstable() []Doubt {
	d := r.Headline().Declare()
	found := stat.Unstable(sample(r.Trials, d.Metric))
	doubt := Doubt{Verdict: VerdictUnstable, Trials: len(r.Trials)}
	switch {
	case found.TwoHumped():
		doubt.Code, doubt.Why = CodeTwoHumps, fmt.Sprintf("%s of %s have a %s of about %s, %d one of about %s, and none lies between",
			number.Whole(found.Low.N), number.Count(len(r.Trials), "trial"), d.Name, inWords(d, found.Low.Median), found.High.N,
			inWords(d, found.High.Median))
	case found.Spread > 0:
		s, _ := r.Summary(d.Metric)
		doubt.Code = CodeSpread
		doubt.Why = fmt.Sprintf("the median %s of %s is %s, and its interval goes from %s to %s, %s of it (bound %s)",
			d.Name, number.Count(len(r.Trials), "trial"), inWords(d, s.Median), inWords(d, s.Lo), inWords(d, s.Hi),
			number.Percent(found.Spread, 0), number.Percent(stat.UnstableSpread, 0))
	default:
		return nil
	}
	return []Doubt{doubt}
}

// inWords prints a figure of a headline.
func inWords(d *Declaration, value float64) string {
	if d.Kind.Unit() == number.Nanoseconds {
		return number.Duration(value)
	}
	return number.Grouped(value, 0)
}
