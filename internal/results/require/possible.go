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
			return fmt.Errorf("requirement %q: no row can have %s%s", r.text, r.figure.column, r.figure.why())
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
	return ", which is empty for: " + where
}
