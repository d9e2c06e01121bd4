package capacity

import (
	"slices"
	"strings"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/require"
	"rpcbench/internal/results/result"
)

// notCarried lists the verdicts that by themselves mean that a rate was not sustained. Other disturbances show in a trial's
// figures, or don't matter.
var notCarried = []string{analysis.VerdictRateNotMet, analysis.VerdictCensored, analysis.VerdictStalled, analysis.VerdictFailed}

// ShortOf says why the row of one trial falls short of the requirements, or of carrying its rate; "" where it does not.
func ShortOf(row *analysis.Row, requirements []require.Requirement) string {
	for _, trial := range slices.Concat(row.Trials, row.Failed) {
		for _, finding := range trial.Findings() {
			byErrors := finding.Verdict == analysis.VerdictErrors && hasOtherErrors(row, requirements)
			if byErrors || slices.Contains(notCarried, finding.Verdict) {
				return finding.Why
			}
		}
	}
	findings, err := require.CheckAll(requirements, []*analysis.Row{row})
	if err != nil {
		return err.Error()
	}
	var short []string
	for _, finding := range findings {
		if !finding.Holds() {
			short = append(short, finding.Requirement.Figure()+" was "+finding.Text())
		}
	}
	return strings.Join(short, ", ")
}

// excuse says how the host was disturbed during a trial that falls short, which then says nothing of the server; "" where it was
// not, or where calls failed for other reasons.
func excuse(row *analysis.Row, requirements []require.Requirement) string {
	findings, err := require.CheckAll(requirements, []*analysis.Row{row})
	isFact := func(f require.Finding) bool { return f.Outcome == require.NotMet }
	failed := row.Finds(analysis.CodeCallsFailed) && hasOtherErrors(row, requirements)
	if err != nil || failed || slices.ContainsFunc(findings, isFact) {
		return ""
	}
	if doubt, ok := noise(row); ok {
		return doubt.Why
	}
	return ""
}

// clientLimit says that the client of a trial had no processor time left; "" where it had.
func clientLimit(row *analysis.Row) string {
	for _, trial := range row.Trials {
		for _, finding := range trial.Findings() {
			if finding.Code == analysis.CodeClientBusy {
				return finding.Why
			}
		}
	}
	return ""
}

// noise is what other things the machine did during a trial; false says that it did none.
func noise(row *analysis.Row) (analysis.Doubt, bool) {
	doubts := row.Doubts()
	i := slices.IndexFunc(doubts, func(d analysis.Doubt) bool { return d.Verdict == analysis.VerdictNoisyHost })
	if i < 0 {
		return analysis.Doubt{}, false
	}
	return doubts[i], true
}

// hasOtherErrors reports whether calls failed of which no requirement says how many may: they are a failure by themselves.
func hasOtherErrors(row *analysis.Row, requirements []require.Requirement) bool {
	return slices.ContainsFunc(row.Outcomes, func(o result.Outcome) bool {
		return !slices.ContainsFunc(requirements, func(r require.Requirement) bool { return r.OfErrors(o.Code) })
	})
}
