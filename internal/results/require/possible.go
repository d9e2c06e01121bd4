package require

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
)

// CheckPlan refuses requirements on what no trial of a plan can have, so that nobody waits for them. What becomes known in the
// trials only, such as the processor time of a server, is allowed; Check finds that.
func CheckPlan(all []Requirement, trials []plan.Trial) error {
	for _, r := range all {
		can := func(t plan.Trial) bool { return !t.Floor && r.figure.can(t.Spec) }
		if len(trials) > 0 && !slices.ContainsFunc(trials, can) {
			return fmt.Errorf("requirement %q: no row can have %s%s%s", r.text, r.figure.column, r.figure.why(), r.figure.instead(trials))
		}
	}
	return nil
}

// can reports whether a row of a spec can have the figure, as far as the spec tells.
func (f figure) can(spec plan.Spec) bool {
	switch {
	case f.ofURLs:
		return spec.Method != nil && spec.Method.HTTP
	case f.metric == "":
		return true
	default:
		return f.metric.CanBeOf(spec)
	}
}

// why says where rows lack the figure.
func (f figure) why() string {
	switch {
	case f.ofURLs:
		return ": only URLs are answered with a status of HTTP"
	case f.metric == "":
		return ""
	default:
		return absent(f.metric)
	}
}

// absent is where the manual says that a column is empty, in words or by the name of another.
func absent(m analysis.Metric) string {
	where := m.Declare().Absent
	if other, is := strings.CutPrefix(where, "as "); is {
		if other, known := analysis.Find(other); known {
			return absent(other)
		}
	}
	if where == "" {
		return ""
	}
	if only, is := strings.CutPrefix(where, "not a "); is {
		return ": only a " + only + " has it"
	}
	return ", which is empty for: " + where
}

// messageTimes begin the names of times of messages within calls. Which of them a row has depends on its kind.
var messageTimes = []string{"first_reply_", "reply_gap_", "message_"}

// instead names the same percentiles of other times of messages, which the trials have; "" without any.
func (f figure) instead(trials []plan.Trial) string {
	var others []string
	for _, own := range messageTimes {
		percentile, is := strings.CutPrefix(f.name, own)
		if !is {
			continue
		}
		for _, other := range messageTimes {
			metric, known := analysis.Find(other + percentile)
			if known && slices.ContainsFunc(trials, func(t plan.Trial) bool { return metric.CanBeOf(t.Spec) }) {
				others = append(others, other+percentile)
			}
		}
	}
	if len(others) == 0 {
		return ""
	}
	return "; there is " + strings.Join(others, " and ")
}
