package report

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/results/analysis"
)

// verdictLegend says what a verdict, or a code of it, means and what to do about it, with %s for the flag that does it.
var verdictLegend = map[string]string{
	analysis.VerdictTooFewSamples: "TOO_FEW_SAMPLES: the last percentile that the table shows rests on too few " +
		"calls. Measure longer (--duration), or read the p50 only.",
	analysis.VerdictNoisyHost: "NOISY_HOST: other programs or other virtual machines took processor time meanwhile, " +
		"so figures may be worse than they should. End what else runs and measure again.",
	analysis.VerdictNotStationary: "NOT_STATIONARY: it became faster or slower while it was measured, so its figures " +
		"are of no steady state. Warm up longer (--warmup), or measure longer (--duration).",
	analysis.VerdictLinkBound: "LINK_BOUND: the link was the limit, or what emulates it. Full is a finding: only " +
		"fewer bytes can gain. Late, or at its end, is the instrument's: the link was another than was asked for; " +
		"take a machine with more processors, or fewer calls in flight.",
	analysis.VerdictClientBound: "CLIENT_BOUND: the client, or the instrument in it, was the limit: the server may " +
		"be better than its figures. Give the client processors of its own (%s), or offer less.",
	analysis.VerdictRateNotMet: "RATE_NOT_MET: calls were completed more slowly than they were due, so latencies " +
		"grow with the length of the trial. Offer less; rpcbench capacity finds how much can be met.",
	string(analysis.CodeSlotsTaken): "RATE_NOT_MET: calls were completed more slowly than they were due, so latencies " +
		"grow with the length of the trial. Where all calls that may be in flight were taken, the others waited for one of " +
		"them to end: give more (%s) before you blame the server. If the rate stays the same, offer less; " +
		"rpcbench capacity finds how much can be met.",
	analysis.VerdictErrors: "ERRORS: calls failed; latencies are those of the others. The line below the table says " +
		"how many, and how.",
	analysis.VerdictCensored: "CENSORED: calls were due that were never sent or answered; they count with what they " +
		"had waited by then, so true latencies are higher.",
	analysis.VerdictStalled: "STALLED: calls were in flight and for a while none was completed, or the client itself " +
		"stood still. The dumps that the trial left say what each thread waited for; where calls may take so long, run again " +
		"with a longer --stall.",
}

// A request is how to ask for something: of what runs scenarios, and of what loads a server that runs already.
type request struct{ run, load string }

var verdictFlag = map[string]request{
	analysis.VerdictClientBound:     {"--set client_cpus=…", "--client-cpus"},
	string(analysis.CodeSlotsTaken): {"--set shape=…", "--in-flight"},
}

// of names the flag that the rows were or might have been measured with, or both.
func (f request) of(rows []*analysis.Row) string {
	elsewhere := func(row *analysis.Row) bool { return row.Elsewhere() }
	here := func(row *analysis.Row) bool { return !row.Elsewhere() }
	switch {
	case !slices.ContainsFunc(rows, elsewhere):
		return f.run
	case !slices.ContainsFunc(rows, here):
		return f.load
	default:
		return f.run + ", of load " + f.load
	}
}

// verdictLegends explains the verdicts that the rows have, the gravest first, also those that a graver one hides.
func verdictLegends(rows []*analysis.Row) []string {
	var lines []string
	for _, verdict := range slices.Backward(analysis.Verdicts()) {
		var having []*analysis.Row
		for _, row := range rows {
			if slices.ContainsFunc(row.Doubts(), func(d analysis.Doubt) bool { return d.Verdict == verdict }) {
				having = append(having, row)
			}
		}
		meant := verdict
		taken := func(row *analysis.Row) bool { return row.Finds(analysis.CodeSlotsTaken) }
		if verdict == analysis.VerdictRateNotMet && slices.ContainsFunc(having, taken) {
			meant = string(analysis.CodeSlotsTaken)
		}
		if line := verdictLegend[meant]; line != "" && len(having) > 0 {
			if f, ok := verdictFlag[meant]; ok {
				line = fmt.Sprintf(line, f.of(having))
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// noted are the verdicts whose figures stand in a note of their own: what failed, and how.
var noted = []string{analysis.VerdictErrors, analysis.VerdictCensored, analysis.VerdictStalled, analysis.VerdictFailed}

// likewiseMost is how many rows of a table are named beside the one whose figure is told.
const likewiseMost = 4

// doubtNotes says of each doubt which figure decided: of the first row of a table that has it, and which others have it
// too. What decided there csv and json tell.
func doubtNotes(rows []*analysis.Row, varying []column) []string {
	var lines []string
	for _, verdict := range slices.Backward(analysis.Verdicts()) {
		if slices.Contains(noted, verdict) {
			continue
		}
		line := ""
		var others []string
		for i, row := range rows {
			d := slices.IndexFunc(row.Doubts(), func(d analysis.Doubt) bool { return d.Verdict == verdict })
			switch {
			case d < 0:
			case line == "":
				doubt := row.Doubts()[d]
				line = fmt.Sprintf("%s: %s in %d of %s: %s.", rowName(rows, varying, i), verdict, doubt.Trials,
					plural(int64(len(row.Trials)), "trial"), doubt.Why)
			default:
				others = append(others, rowName(rows, varying, i))
			}
		}
		if line != "" {
			lines = append(lines, line+likewise(others))
		}
	}
	return lines
}

func likewise(others []string) string {
	switch {
	case len(others) == 0:
		return ""
	case len(others) > likewiseMost:
		return fmt.Sprintf(" Likewise %s more rows.", whole(int64(len(others))))
	default:
		return fmt.Sprintf(" Likewise %s.", strings.Join(others, "; "))
	}
}
