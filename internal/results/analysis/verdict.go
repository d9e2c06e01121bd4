package analysis

import (
	"fmt"
	"maps"
	"slices"

	"rpcbench/internal/results/result"
)

// Verdicts of a trial and of a row.
const (
	VerdictOK            = "OK"
	VerdictNotJudged     = "NOT_JUDGED"      // whether the measured phase was steady can't be told
	VerdictTooFewSamples = "TOO_FEW_SAMPLES" // for a percentile that a report prints
	VerdictCoarseClock   = "COARSE_CLOCK"    // the client's clock is rounded to much of what it measured
	VerdictNoisyHost     = "NOISY_HOST"      // the machine did other things, or kept its processes or their packets waiting
	VerdictUnstable      = "UNSTABLE"        // trials differ by more than a median bears
	VerdictUnevenClients = "UNEVEN_CLIENTS"  // one of several clients measured something else than the others
	VerdictUnevenStart   = "UNEVEN_START"    // the clients did not begin together
	VerdictNotStationary = "NOT_STATIONARY"  // the measured phase had no steady state
	VerdictJITActive     = "JIT_ACTIVE"      // a just-in-time compiler used much of a side's CPU time
	VerdictLinkBound     = "LINK_BOUND"      // the emulated link, or the process that plays it, was the limit
	VerdictClientBound   = "CLIENT_BOUND"    // the client, or the instrument in it, was the limit
	VerdictRateNotMet    = "RATE_NOT_MET"    // calls were completed more slowly than they were due
	VerdictErrors        = "ERRORS"          // calls failed
	VerdictCensored      = "CENSORED"        // calls were due and not sent, or sent and not answered: lower bounds
	VerdictStalled       = "STALLED"         // for a while no call was completed although some were in flight
	VerdictInterrupted   = "INTERRUPTED"     // Ctrl-C ended the measured phase
	VerdictLostClient    = "LOST_CLIENT"     // no trial succeeded, because one of several clients was lost
	VerdictFailed        = "FAILED"          // no trial succeeded
)

// Verdicts lists all verdicts, in increasing severity. A stall is more severe than its effect on calls, and so is a rate that was
// not met than what limits it: the most severe one says what is wrong with the figures, and the findings name all causes.
func Verdicts() []string { return slices.Clone(verdicts) }

var verdicts = []string{
	VerdictOK, VerdictNotJudged, VerdictTooFewSamples, VerdictCoarseClock, VerdictNoisyHost, VerdictUnevenStart,
	VerdictUnevenClients, VerdictUnstable, VerdictNotStationary, VerdictJITActive,
	VerdictLinkBound, VerdictClientBound, VerdictRateNotMet, VerdictErrors, VerdictCensored, VerdictStalled,
	VerdictInterrupted, VerdictLostClient, VerdictFailed,
}

// circumstances are verdicts about the conditions of a trial, not about its calls. A row has one if at least half of its trials
// do, because the median tolerates a few. Any other verdict applies to a row if one trial has it.
var circumstances = []string{
	VerdictNotJudged, VerdictTooFewSamples, VerdictCoarseClock, VerdictNoisyHost, VerdictUnevenStart, VerdictUnevenClients,
	VerdictNotStationary,
	VerdictJITActive, VerdictLinkBound, VerdictClientBound,
}

// A Code names a finding, for programs. Each belongs to one verdict.
type Code string

// Codes.
const (
	CodeNotJudged      Code = "not_judged"
	CodeNotTold        Code = "not_told" // how calls were spread over the phase
	CodeTooFewSamples  Code = "too_few_samples"
	CodeCoarseClock    Code = "coarse_clock"
	CodeSteal          Code = "steal"           // the hypervisor ran other machines
	CodeOtherProcesses Code = "other_processes" // so did the system
	CodeLateWakes      Code = "late_wakes"      // an idle thread woke late
	CodeThrottled      Code = "throttled"       // the quota of a control group was used up
	CodeHeat           Code = "heat"            // processors were slowed down
	CodeRetransmits    Code = "retransmits"     // the network lost packets
	CodeStep           Code = "step"            // of the series that should be steady
	CodeTrend          Code = "trend"
	CodeCompilerBusy   Code = "compiler_busy" // a just-in-time one
	CodePause          Code = "pause"         // no call was completed in a part of the phase
	CodeSpread         Code = "spread"        // of the trials, of a row
	CodeTwoHumps       Code = "two_humps"     // of the trials, of a row
	CodeLinkFull       Code = "link_full"     // of bytes
	CodeRelayBusy      Code = "relay_busy"
	CodeRelayLate      Code = "relay_late"
	CodeClientBusy     Code = "client_busy" // it had no processor time left
	CodeSentLate       Code = "sent_late"   // by the instrument
	CodeRateShort      Code = "rate_short"
	CodeOtherRate      Code = "other_rate"
	// CodeSlotsTaken is a rate that was not met while nearly all slots were in use nearly all the time: they were the limit,
	// unless more calls would only have waited at the server.
	CodeSlotsTaken    Code = "slots_taken"
	CodeCallsFailed   Code = "calls_failed"
	CodeCutShort      Code = "cut_short" // calls kept failing, and the rest was not made
	CodeCallsCensored Code = "calls_censored"
	CodeStalled       Code = "stalled"
	CodeClientPaused  Code = "client_paused" // the client itself did nothing
	CodeInterrupted   Code = "interrupted"
	CodeStartsApart   Code = "starts_apart"
	CodeClientApart   Code = "client_apart" // one client's figure is far from the others'
	CodeClientLost    Code = "client_lost"
	CodeTrialFailed   Code = "trial_failed"
)

var verdictOf = map[Code]string{
	CodeNotJudged: VerdictNotJudged, CodeNotTold: VerdictNotJudged, CodeTooFewSamples: VerdictTooFewSamples,
	CodeCoarseClock: VerdictCoarseClock,
	CodeSteal:       VerdictNoisyHost, CodeOtherProcesses: VerdictNoisyHost, CodeLateWakes: VerdictNoisyHost,
	CodeThrottled: VerdictNoisyHost, CodeHeat: VerdictNoisyHost, CodeRetransmits: VerdictNoisyHost,
	CodeStep: VerdictNotStationary, CodeTrend: VerdictNotStationary, CodePause: VerdictNotStationary,
	CodeSpread: VerdictUnstable, CodeTwoHumps: VerdictUnstable,
	CodeLinkFull: VerdictLinkBound, CodeRelayBusy: VerdictLinkBound, CodeRelayLate: VerdictLinkBound,
	CodeCompilerBusy: VerdictJITActive,
	CodeClientBusy:   VerdictClientBound, CodeSentLate: VerdictClientBound,
	CodeRateShort: VerdictRateNotMet, CodeOtherRate: VerdictRateNotMet, CodeSlotsTaken: VerdictRateNotMet,
	CodeCallsFailed: VerdictErrors, CodeCutShort: VerdictErrors, CodeCallsCensored: VerdictCensored, CodeStalled: VerdictStalled,
	CodeClientPaused: VerdictStalled, CodeInterrupted: VerdictInterrupted, CodeTrialFailed: VerdictFailed,
	CodeStartsApart: VerdictUnevenStart, CodeClientApart: VerdictUnevenClients, CodeClientLost: VerdictLostClient,
}

// Codes lists all codes, sorted.
func Codes() []Code { return slices.Sorted(maps.Keys(verdictOf)) }

// A Finding is one reason why figures may mislead.
type Finding struct {
	Verdict string `json:"verdict"`
	Code    Code   `json:"code"`
	Why     string `json:"why"` // the figure that decided, beside its bound; no full stop
}

// found makes a finding.
func found(code Code, format string, args ...any) Finding {
	return Finding{verdictOf[code], code, fmt.Sprintf(format, args...)}
}

// Findings returns the reasons to doubt a trial, the most severe first; none for a good one.
func (t *Trial) Findings() []Finding { return t.findings }

// Verdict returns the verdict of the most severe finding.
func (t *Trial) Verdict() string {
	if len(t.findings) == 0 {
		return VerdictOK
	}
	return t.findings[0].Verdict
}

// A Doubt is a Finding of several trials of a row.
type Doubt struct {
	Verdict string `json:"verdict"`
	Code    Code   `json:"code"`   // of the first trial that has it, as is Why
	Trials  int    `json:"trials"` // that have it
	Why     string `json:"why"`
}

// Doubts returns the reasons to doubt the row's figures, the most severe first. If some of its trials failed, the others are
// judged.
func (r *Row) Doubts() []Doubt {
	if len(r.Trials) == 0 {
		return r.failed()
	}
	var doubts []Doubt
	for _, verdict := range slices.Backward(verdicts) {
		if verdict == VerdictUnstable {
			doubts = append(doubts, r.unstable()...)
			continue
		}
		if doubt := r.together(r.doubt(verdict)); doubt.Trials > 0 {
			doubts = append(doubts, doubt)
		}
	}
	return doubts
}

// failed is the doubt of a row without a trial that succeeded: why the first one failed.
func (r *Row) failed() []Doubt {
	doubt := Doubt{Verdict: VerdictFailed, Code: CodeTrialFailed, Trials: len(r.Failed)}
	if len(r.Failed) > 0 {
		doubt.Why = r.Failed[0].Failure
	}
	if r.lostClients() {
		doubt.Verdict, doubt.Code = VerdictLostClient, CodeClientLost
	}
	return []Doubt{doubt}
}

// Finds reports whether a code was found in one of the row's trials.
func (r *Row) Finds(code Code) bool {
	return slices.ContainsFunc(r.Trials, func(t *Trial) bool {
		return slices.ContainsFunc(t.findings, func(f Finding) bool { return f.Code == code })
	})
}

func (r *Row) doubt(verdict string) Doubt {
	doubt := Doubt{Verdict: verdict}
	for _, trial := range r.Trials {
		i := slices.IndexFunc(trial.findings, func(f Finding) bool { return f.Verdict == verdict })
		if i < 0 {
			continue
		}
		if doubt.Trials++; doubt.Trials == 1 {
			doubt.Code, doubt.Why = trial.findings[i].Code, trial.findings[i].Why
		}
	}
	if slices.Contains(circumstances, verdict) && 2*doubt.Trials < len(r.Trials) {
		return Doubt{Verdict: verdict}
	}
	return doubt
}

// Verdict returns the verdict of the most severe doubt.
func (r *Row) Verdict() string {
	if doubts := r.Doubts(); len(doubts) > 0 {
		return doubts[0].Verdict
	}
	return VerdictOK
}

// judged returns the findings on a trial, the gravest first.
func judged(m *measurement) []Finding {
	if m.trial.Status == result.StatusFailed {
		code := CodeTrialFailed
		if m.trial.FailureCode == result.FailureClientLost {
			code = CodeClientLost
		}
		return []Finding{found(code, "%s", m.trial.Failure)}
	}
	var findings []Finding
	for _, j := range judges {
		switch {
		case m.trial.Whole == nil:
			findings = append(findings, j.find(m)...)
		case j.own:
			findings = append(findings, j.of(m, m.trial)...)
		}
	}
	blameHost(m, findings)
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return slices.Index(verdicts, b.Verdict) - slices.Index(verdicts, a.Verdict)
	})
	return findings
}
