package require

import (
	"fmt"
	"math"
	"slices"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

// An Outcome is the result of checking rows against a requirement. Worse outcomes are larger.
type Outcome int

// Outcomes.
const (
	Met          Outcome = iota
	Inconclusive         // the trials leave both open, or the instrument or the host was in the way
	NotMet
)

// String is the outcome in a sentence.
func (o Outcome) String() string { return [...]string{"met", "inconclusive", "not met"}[o] }

// judge says what one row with the figure says to the requirement, and why that is inconclusive.
//
// All of the figure's interval over trials must meet the requirement, or none of it: otherwise the next trials may decide
// the other way. Of one trial, the value is all there is. What disturbs a measurement makes its figures worse: calls wait
// longer, fewer are made. So what is met on a noisy host, or by a client at its limit, is met, and what is not met there may
// be the machine's doing. Of a requirement that a figure be bad it is the other way round.
func (r Requirement) judge(row *analysis.Row, f Finding) Finding {
	lo, hi := r.Holds(f.Lo), r.Holds(f.Hi)
	straddles := lo != hi || r.op == "==" && !lo && f.Lo < r.value && r.value < f.Hi
	switch {
	case straddles:
		f.Outcome, f.Why = Inconclusive, "the interval contains the bound"+r.moreTrials(row, f)
	case !lo:
		f.Outcome = NotMet
	}
	if f.Outcome == Met {
		f = r.sampled(row, f)
	}
	if failed := len(row.Failed); f.Outcome == Met && failed > 0 {
		f.Outcome, f.Why = Inconclusive, fmt.Sprintf("%d of %s failed, and are in no figure", failed,
			number.Count(failed+len(row.Trials), "trial"))
	}
	if f.Outcome == Met == r.asksForGood() || f.Outcome == Inconclusive || r.isFact(row, f) {
		return f
	}
	for _, doubt := range row.Doubts() {
		if slices.Contains(obstacles, doubt.Verdict) {
			f.Outcome, f.Why = Inconclusive, doubt.Verdict+": "+doubt.Why
			break
		}
	}
	return f
}

// maxTrials is the maximum number of trials that is proposed. If more are needed, the bound practically equals the figure.
const maxTrials = 1000

// moreTrials says how many trials would decide, as far as the interval is one of times.
func (r Requirement) moreTrials(row *analysis.Row, f Finding) string {
	interval := stat.Estimate{Value: f.Value, Lo: f.Lo, Hi: f.Hi}
	switch n, ok := stat.TrialsToClear(interval, f.Trials, r.value); {
	case r.figure.isOfCalls() && !r.figure.metric.Judged().IsServed(f.Hi):
		return ": in some trials the percentile lies among calls that were not served"
	case !ok || len(row.Trials) == 0:
		return ", so use more trials"
	case n > maxTrials:
		return fmt.Sprintf(", and the figure is so near to it that more than %s trials would be needed", number.Whole(maxTrials))
	default:
		return fmt.Sprintf(", so use more trials: --trials %d would probably do", max(n, f.Trials+1))
	}
}

// obstacles are the verdicts that say that the instrument or the host was in the way.
var obstacles = []string{analysis.VerdictClientBound, analysis.VerdictNoisyHost}

// sampled makes a finding that is met by a percentile of too few calls inconclusive, because such percentiles have no upper
// bound.
func (r Requirement) sampled(row *analysis.Row, f Finding) Finding {
	least, short := int64(r.Samples()), 0
	if least == 0 {
		return f
	}
	for _, trial := range row.Trials {
		if trial.Samples(r.figure.metric) < least {
			short++
		}
	}
	if 2*short >= len(row.Trials) {
		f.Outcome, f.Why = Inconclusive, fmt.Sprintf("a p%g needs at least %s calls in a trial",
			100*r.figure.metric.Declare().Quantile, number.Whole(least))
	}
	return f
}

// asksForGood reports whether disturbances make the requirement harder to meet.
func (r Requirement) asksForGood() bool {
	higher := r.figure.metric != "" && r.figure.metric.Declare().Kind.Better() == stat.Higher
	switch r.op {
	case "<", "<=":
		return !higher
	case ">", ">=":
		return higher
	default:
		return true
	}
}

// disturbed are the kinds of metrics that depend on the machine's other activity.
var disturbed = []analysis.Kind{
	analysis.Latency, analysis.TimeShare, analysis.CPUTime, analysis.Stopped, analysis.EachSecond, analysis.Throughput,
	analysis.Energy, analysis.EnergyShare,
}

// ofTime are the outcomes of calls that a disturbance can cause.
var ofTime = []string{result.CodeUnsent, result.CodeUnfinished, result.CodeDeadline}

// isFact reports whether no disturbance can explain a value, because it is a count, or because calls failed for other reasons.
func (r Requirement) isFact(row *analysis.Row, f Finding) bool {
	switch {
	case r.figure.count != nil:
		return true
	case r.figure.metric == "":
		return false
	case r.figure.isOfCalls() && f.Value >= analysis.NotServed:
		return slices.ContainsFunc(row.Outcomes, func(o result.Outcome) bool { return !slices.Contains(ofTime, o.Code) })
	default:
		return !slices.Contains(disturbed, r.figure.metric.Declare().Kind)
	}
}

// worse reports whether a is further from meeting the requirement than b: by its outcome, then by its value.
func (r Requirement) worse(a, b Finding) bool {
	if a.Outcome != b.Outcome {
		return a.Outcome > b.Outcome
	}
	switch r.op {
	case "<", "<=":
		return a.Value > b.Value
	case ">", ">=":
		return a.Value < b.Value
	default:
		return math.Abs(a.Value-r.value) > math.Abs(b.Value-r.value)
	}
}

// Worst is the gravest outcome of all findings.
func Worst(findings []Finding) Outcome {
	worst := Met
	for _, f := range findings {
		worst = max(worst, f.Outcome)
	}
	return worst
}
