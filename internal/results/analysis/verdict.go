package analysis

import (
	"slices"

	"rpcbench/internal/results/result"
)

// Verdicts of a trial and of a row.
const (
	VerdictOK            = "OK"
	VerdictTooFewSamples = "TOO_FEW_SAMPLES" // for a percentile that a report prints
	VerdictNoisyHost     = "NOISY_HOST"      // the machine did other things, or kept its processes waiting
	VerdictNotStationary = "NOT_STATIONARY"  // the measured phase had no steady state
	VerdictLinkBound     = "LINK_BOUND"      // the emulated link, or the process that plays it, was the limit
	VerdictClientBound   = "CLIENT_BOUND"    // the client, or the instrument in it, was the limit
	VerdictRateNotMet    = "RATE_NOT_MET"    // calls were completed more slowly than they were due
	VerdictErrors        = "ERRORS"          // calls failed
	VerdictCensored      = "CENSORED"        // calls were due and not sent, or sent and not answered: lower bounds
	VerdictStalled       = "STALLED"         // for a while no call was completed although some were in flight
	VerdictFailed        = "FAILED"          // no trial succeeded
)

// Verdicts lists all, graver ones later. A stall is graver than what it makes of calls, and so is a rate that was not
// met than what limits it: what is graver says what is wrong with the figures, and the findings name all causes.
func Verdicts() []string { return slices.Clone(verdicts) }

var verdicts = []string{
	VerdictOK, VerdictTooFewSamples, VerdictNoisyHost, VerdictNotStationary, VerdictLinkBound, VerdictClientBound,
	VerdictRateNotMet, VerdictErrors, VerdictCensored, VerdictStalled, VerdictFailed,
}

// circumstances are the verdicts that say under which conditions a trial was measured, not what became of its calls. A
// row has one when at least half of its trials do, because the median of the others bears a few; each of the others it
// has when one trial does.
var circumstances = []string{
	VerdictTooFewSamples, VerdictNoisyHost, VerdictNotStationary, VerdictLinkBound, VerdictClientBound,
}

// A Finding is one reason why figures are not what they seem.
type Finding struct {
	Verdict string
	Why     string // the figure that decided, beside its bound; no full stop
}

// Findings returns what is to be said against a trial, the gravest first; none for a good one.
func (t *Trial) Findings() []Finding { return t.findings }

// Verdict is that of the gravest finding.
func (t *Trial) Verdict() string {
	if len(t.findings) == 0 {
		return VerdictOK
	}
	return t.findings[0].Verdict
}

// A Doubt is a Finding of several trials of a row.
type Doubt struct {
	Verdict string
	Trials  int    // that have it
	Why     string // of the first of them
}

// Doubts returns what is to be said against the row's figures, the gravest first. A row of which some trials failed and
// others did not is judged by the others.
func (r *Row) Doubts() []Doubt {
	if len(r.Trials) == 0 {
		return []Doubt{{Verdict: VerdictFailed, Trials: len(r.Failed)}}
	}
	var doubts []Doubt
	for _, verdict := range slices.Backward(verdicts) {
		if doubt := r.doubt(verdict); doubt.Trials > 0 {
			doubts = append(doubts, doubt)
		}
	}
	return doubts
}

// SlotsTaken tells whether one of the row's trials says so.
func (r *Row) SlotsTaken() bool {
	return slices.ContainsFunc(r.Trials, func(t *Trial) bool { return t.SlotsTaken })
}

func (r *Row) doubt(verdict string) Doubt {
	doubt := Doubt{Verdict: verdict}
	for _, trial := range r.Trials {
		i := slices.IndexFunc(trial.findings, func(f Finding) bool { return f.Verdict == verdict })
		if i < 0 {
			continue
		}
		if doubt.Trials++; doubt.Trials == 1 {
			doubt.Why = trial.findings[i].Why
		}
	}
	if slices.Contains(circumstances, verdict) && 2*doubt.Trials < len(r.Trials) {
		return Doubt{}
	}
	return doubt
}

// Verdict is that of the gravest doubt.
func (r *Row) Verdict() string {
	if doubts := r.Doubts(); len(doubts) > 0 {
		return doubts[0].Verdict
	}
	return VerdictOK
}

// judge returns the findings on a trial, the gravest first.
func judge(m *measurement, t *Trial) []Finding {
	if t.Status == result.StatusFailed {
		return []Finding{{VerdictFailed, t.Failure}}
	}
	var findings []Finding
	for _, judge := range judges {
		findings = append(findings, judge(m, t)...)
	}
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return slices.Index(verdicts, b.Verdict) - slices.Index(verdicts, a.Verdict)
	})
	return findings
}
