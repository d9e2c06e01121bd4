package report

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
)

// verdictLegend explains a verdict, or a code of it, and gives advice, with %s for the flag.
var verdictLegend = map[string]string{
	analysis.VerdictNotJudged: "NOT_JUDGED: there were too few calls, or they varied too much, to see whether the " +
		"speed was steady. The figures may be right; nothing shows it. Measure longer (--duration).",
	string(analysis.CodeNotTold): "NOT_JUDGED: the client does not report how its calls were spread over the measured " +
		"phase, so nothing shows whether the speed was steady. The figures may be right; a longer measurement does not help.",
	analysis.VerdictTooFewSamples: "TOO_FEW_SAMPLES: too few calls for the p99, which needs at least 368; for " +
		"kinds with several messages per call, and for batches in a closed loop, for the p50, which needs at " +
		"least 6. Measure longer (--duration), or read only lower percentiles.",
	analysis.VerdictNoisyHost: "NOISY_HOST: other programs or virtual machines used the processors meanwhile, so " +
		"figures may be worse than they should be. End other programs and measure again.",
	string(analysis.CodeThrottled): "NOISY_HOST: the CPU quota of a control group stopped threads of the trial for a while, so " +
		"figures may be worse than they should be. Raise the quota, or offer less.",
	string(analysis.CodeHeat): "NOISY_HOST: processors were slowed down because they were too hot, so figures may be worse " +
		"than they should be. Cool the machine, and measure again.",
	string(analysis.CodeRetransmits): "NOISY_HOST: the network lost packets, and TCP sent them again, so latencies are partly " +
		"the network's. Check the network between the hosts, and measure again.",
	analysis.VerdictCoarseClock: "COARSE_CLOCK: the client's clock is rounded, as browsers do for pages, and a time may be off by " +
		"a step of it. A page over TLS, or of this machine, has a finer one; messages that take longer are measured well.",
	analysis.VerdictUnevenStart: "UNEVEN_START: the clients did not begin together, so for a while there was less load " +
		"than asked for. Measure longer (--duration).",
	analysis.VerdictUnevenClients: "UNEVEN_CLIENTS: one client's figures differ from those of the others, so figures of all " +
		"together mix two experiments. Check its host and its network to the server; rpcbench report --by client has each " +
		"client's figures.",
	analysis.VerdictLostClient: "LOST_CLIENT: one of several clients ended or fell silent, so the trial failed. The results " +
		"keep what the others had measured by then.",
	analysis.VerdictUnstable: "UNSTABLE: the trials differ so much, or lie in two groups, that their median means " +
		"little, and ratios of it, marked with ?, even less. See every trial with --trials-shown; measure " + moreTrials +
		" on a quieter machine.",
	analysis.VerdictNotStationary: "NOT_STATIONARY: the speed changed during the measured phase, or no call was completed for " +
		"a part of it, so the figures describe no steady state. Warm up longer (--warmup), or measure longer (--duration).",
	analysis.VerdictJITActive: "JIT_ACTIVE: a just-in-time compiler was still at work in the measured phase, so CPU per call " +
		"and latencies are higher than they will be. Leave out --warmup, so that rpcbench waits for compilers, or warm up " +
		"longer; measure for a --duration rather than a number of calls.",
	analysis.VerdictLinkBound: "LINK_BOUND: the emulated link was the limit. If the link was full, this is a " +
		"finding: only fewer bytes help. If the emulation was late or out of CPU, the link was slower than asked " +
		"for: use a machine with more processors, or fewer calls in flight.",
	analysis.VerdictClientBound: "CLIENT_BOUND: the client, or the instrument in it, was the limit: the server " +
		"may be faster than its figures. Give the client its own processors (%s), or offer less.",
	analysis.VerdictRateNotMet: "RATE_NOT_MET: calls completed more slowly than they were due, so latencies grow " +
		"with the length of the trial. Offer less; rpcbench capacity finds the rate that is met.",
	string(analysis.CodeSlotsTaken): "RATE_NOT_MET: calls completed more slowly than they were due, so latencies " +
		"grow with the length of the trial. Where the limit of calls in flight was reached, other calls waited " +
		"for a free slot: raise the limit (%s) first. If the rate stays the same, offer less; rpcbench capacity " +
		"finds the rate that is met.",
	string(analysis.CodeOtherRate): "RATE_NOT_MET: the client offered a rate other than the one asked for, and does not report " +
		"which calls were due: its figures apply to the rate that it achieved (calls/s). Workers of gRPC differ in what they offer.",
	analysis.VerdictErrors: "ERRORS: some calls failed, and latencies are those of the others. Requirements and " +
		"comparisons count failed calls as slower than all others.",
	analysis.VerdictCensored: "CENSORED: some calls were due and never sent or answered. They count with the " +
		"time they had waited, so true latencies are higher.",
	analysis.VerdictStalled: "STALLED: calls were in flight and none completed for a while, or the client itself was paused. Of " +
		"calls that did not complete, the trial's dumps show what each thread waited for; if they may take that long, run again " +
		"with a longer --stall. A client is paused when the machine or its virtual machine stops: measure again.",
	string(analysis.CodeStalled): "STALLED: calls were in flight and none completed for a while. The trial's dumps show what each " +
		"thread waited for. If calls may take that long, run again with a longer --stall.",
	string(analysis.CodeClientPaused): "STALLED: the client itself was paused, because the machine or its virtual machine stopped " +
		"or suspended it: latencies are those of the pause, not of the server. Measure again.",
	analysis.VerdictInterrupted: "INTERRUPTED: Ctrl-C ended the measured phase early: figures cover the calls until then. " +
		"Calls in flight had another second to finish." + resumeAdvice,
}

// moreTrials is advice for all trials but those of ab, for which morePairs is.
const (
	moreTrials = "more trials (--trials)"
	morePairs  = "more pairs (--time)"
)

// resumeAdvice is for interrupted trials of a plan.
const resumeAdvice = " The same command with --resume measures such a trial again."

// resumable reports whether the trials of a row were planned: those of ab and capacity were chosen on the way.
func resumable(row *analysis.Row) bool {
	return row.Source == nil || !slices.ContainsFunc(row.Source.Header.Notes, func(n plan.Note) bool {
		return n.Code == plan.NoteOnTheWay
	})
}

// A request is the flag that asks for something, for verbs that run scenarios and for those that load a running server.
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
		return f.run + "; for load, " + f.load
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
		if len(having) > 0 {
			lines = naming.AppendNew(lines, verdictMeaning(verdict, having))
		}
	}
	return lines
}

// verdictMeaning explains a verdict of the rows and gives advice, or returns "" if the verdict is self-explanatory.
func verdictMeaning(verdict string, having []*analysis.Row) string {
	meant := verdict
	if code := codeOfAll(verdict, having); verdictLegend[code] != "" {
		meant = code
	}
	taken := func(row *analysis.Row) bool { return row.Finds(analysis.CodeSlotsTaken) }
	if verdict == analysis.VerdictRateNotMet && slices.ContainsFunc(having, taken) {
		meant = string(analysis.CodeSlotsTaken)
	}
	meaning := verdictLegend[meant]
	if f, ok := verdictFlag[meant]; ok {
		meaning = fmt.Sprintf(meaning, f.of(having))
	}
	if !slices.ContainsFunc(having, func(row *analysis.Row) bool { return !isOfPairs(row) }) {
		meaning = strings.ReplaceAll(meaning, moreTrials, morePairs)
	}
	if !slices.ContainsFunc(having, resumable) {
		meaning = strings.TrimSuffix(meaning, resumeAdvice)
	}
	if slices.ContainsFunc(having, func(row *analysis.Row) bool { return row.Spec.Calls == 0 }) {
		return meaning
	}
	calls := counted.of(having)
	return strings.NewReplacer("Measure longer (--duration)", "Make more calls ("+calls+")",
		"measure longer (--duration)", "make more calls ("+calls+")").Replace(meaning)
}

// counted is the flag of a trial's number of calls, which is given instead of --duration.
var counted = request{"--set calls=…", "--calls"}

// codeOfAll is the code of the rows' doubts of a verdict, "" where they have several.
func codeOfAll(verdict string, having []*analysis.Row) (code string) {
	for i, row := range having {
		for _, doubt := range row.Doubts() {
			switch {
			case doubt.Verdict != verdict:
			case i > 0 && code != string(doubt.Code):
				return ""
			default:
				code = string(doubt.Code)
			}
		}
	}
	return code
}

// noted lists the verdicts whose figures have a separate note: what failed, and how.
var noted = []string{analysis.VerdictErrors, analysis.VerdictCensored, analysis.VerdictStalled, analysis.VerdictFailed}

// likewiseMost is the maximum number of rows of a table that are named after the one whose figure is given.
const likewiseMost = 4

// doubtNotes gives, for each doubt, the deciding figure of the first row of a table that has it, and names the others. CSV and
// JSON have their figures.
func doubtNotes(rows []*analysis.Row, varying []document.Column) []string {
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
				line = fmt.Sprintf("%s: %s in %d of %s: %s.", naming.Row(rows, varying, i), verdict, doubt.Trials,
					number.Count(row.Judged(), "trial"), doubt.Why)
			default:
				others = append(others, naming.Row(rows, varying, i))
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
		return fmt.Sprintf(" The same applies to %s more rows.", number.Whole(len(others)))
	default:
		return fmt.Sprintf(" The same applies to %s.", strings.Join(others, "; "))
	}
}
