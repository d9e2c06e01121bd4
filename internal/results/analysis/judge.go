package analysis

import (
	"fmt"
	"math"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/record"
)

// A judge finds reasons to doubt a trial that did not fail. It looks for one verdict, for all clients together, or for each alone
// if a problem of one would not show in the total.
type judge struct {
	of   func(*measurement, *Trial) []Finding
	each bool
	own  bool // it also judges one client of several by itself, for a row of that client alone
}

var judges = []judge{
	{of: interrupted, own: true}, {of: stalled, each: true, own: true}, {of: cutShort}, {of: outcomes, own: true},
	{of: rateNotMet, each: true, own: true}, {of: clientBusy, own: true}, {of: sentLate, each: true, own: true},
	{of: linkBound}, {of: compilerBusy}, {of: notStationary}, {of: paused},
	{of: unevenClients, own: true}, {of: startsApart, own: true}, {of: noisyHost, own: true},
	{of: coarseClock, each: true, own: true}, {of: tooFewSamples, own: true},
}

// find returns a judge's findings.
func (j judge) find(m *measurement) []Finding {
	if !j.each {
		return j.of(m, m.trial)
	}
	var findings []Finding
	for i, one := range m.clients {
		for _, f := range j.of(one, one.trial) {
			if len(m.clients) > 1 {
				f.Why = fmt.Sprintf("client %d of %d: %s", i+1, len(m.clients), f.Why)
			}
			findings = append(findings, f)
		}
	}
	return findings
}

// interrupted says how much of the measured phase there was.
func interrupted(_ *measurement, t *Trial) []Finding {
	if !t.Interrupted {
		return nil
	}
	planned := "of " + number.Duration(float64(t.Spec.DurationNs))
	if t.Spec.Calls > 0 {
		planned = fmt.Sprintf("and %s of %s", number.Count(t.Arrivals, "call"), number.Whole(t.Spec.Calls))
	}
	return []Finding{found(CodeInterrupted, "it ended after %s %s", number.Duration(float64(t.dueNs())), planned)}
}

func stalled(_ *measurement, t *Trial) []Finding {
	if t.Stalled == nil {
		return nil
	}
	code := CodeStalled
	if t.Stalled.Client {
		code = CodeClientPaused
	}
	return []Finding{found(code, "%v", t.Stalled)}
}

func cutShort(_ *measurement, t *Trial) []Finding {
	if t.Cut == nil {
		return nil
	}
	return []Finding{found(CodeCutShort, "%v", t.Cut)}
}

func outcomes(_ *measurement, t *Trial) []Finding {
	var failed, censored int64
	for _, outcome := range t.Outcomes {
		switch {
		case outcome.Code == result.CodeOK:
		case isCensored(outcome.Code):
			censored += outcome.Calls
		default:
			failed += outcome.Calls
		}
	}
	var findings []Finding
	if censored > 0 {
		findings = append(findings, found(CodeCallsCensored, "%s of %s %s never sent or answered", number.Count(censored, "call"),
			number.Whole(t.Arrivals), number.Verb(censored, "was", "were")))
	}
	if failed > 0 {
		findings = append(findings, found(CodeCallsFailed, "%s of %s failed", number.Count(failed, "call"), number.Whole(t.Arrivals)))
	}
	return findings
}

// minRate is the part of a rate that must be met. Above it a shortfall does not show in a percentile below the p98.
const minRate = 0.98

// rateNotMet compares the calls that were completed in the window with those that were due early enough to be: a call
// that is due takes at least baseOf. Of a Poisson load, whose number of arrivals is random, three standard deviations
// are allowed.
func rateNotMet(m *measurement, t *Trial) []Finding {
	if m.spec.Closed() || t.Spec.OfferedPerSec <= 0 {
		return nil
	}
	if len(t.Intervals) == 0 {
		return otherRate(t)
	}
	var completed, untilNs int64
	for _, interval := range until(t.dueNs(), t.Intervals) {
		completed, untilNs = completed+interval.OK+interval.Errors, interval.EndNs
	}
	due := t.Spec.Due(time.Duration(untilNs - baseOf(m)))
	least := minRate * due
	if t.Spec.Load == plan.LoadPoisson {
		least -= 3 * math.Sqrt(max(due, 0))
	}
	if untilNs == 0 || float64(completed) >= least-1 {
		return nil
	}
	why := fmt.Sprintf("%s of the %s calls that were due early enough to complete within %s did (%s)", number.Whole(completed),
		number.Whole(int64(math.Round(due))), number.Duration(float64(untilNs)), number.Percent(float64(completed)/due, 0))
	if taken := slotsTaken(m); taken >= slotsAll {
		return []Finding{found(CodeSlotsTaken, "%s, and the limit of %s in flight was reached %s of the time", why,
			number.Count(m.spec.Slots(), "call"), number.Percent(min(taken, 1), 0))}
	}
	return []Finding{found(CodeRateShort, "%s", why)}
}

// otherRate compares the calls that a client made with those that were requested, if it does not report which were due. For
// random arrivals three standard deviations are allowed.
func otherRate(t *Trial) []Finding {
	due := t.Spec.Due(time.Duration(t.WindowNs))
	slack := 3 * math.Sqrt(max(due, 0))
	made := float64(t.Arrivals)
	if t.WindowNs == 0 || due <= 0 || made >= minRate*due-slack && made <= due/minRate+slack {
		return nil
	}
	return []Finding{found(CodeOtherRate, "the client made %s of the calls that it was asked for", number.Percent(made/due, 0))}
}

// slotsAll is the part of the time at which calls in flight are called taken all the time: between two calls a slot checks
// the reply and is woken for the next.
const slotsAll = 0.90

// slotsTaken returns the fraction of all slots' time that OK calls took. Failed ones have no known send times.
func slotsTaken(m *measurement) float64 {
	h, perSec := m.histograms[result.HistService], 0.0
	if h != nil {
		perSec, _ = callsPerSec(m)
	}
	if perSec == 0 || m.spec.Slots() == 0 {
		return 0
	}
	return perSec * h.Mean() / 1e9 / float64(m.spec.Slots())
}

// baseOf returns the minimum time of a call, as its first percentile.
func baseOf(m *measurement) int64 {
	h := m.histograms[result.HistService]
	if h == nil || h.TotalCount() == 0 {
		return 0
	}
	return record.Quantile(h, 0.01)
}

// busyClient is the part of the processors that a client may use at which it is the limit.
const busyClient = 0.90

// clientBusy finds clients that had no processor time left. Those on one host share its processors.
func clientBusy(m *measurement, t *Trial) []Finding {
	if m.spec.Coding() {
		return nil // the codec is all that there is
	}
	var findings []Finding
	for _, id := range t.HostIDs() {
		busy, clients := busyOn(id, t.Clients)
		may := clientProcessors(t, id)
		if clients == 0 || may == 0 || busy < busyClient*float64(may) {
			continue
		}
		who := "the client"
		if clients > 1 {
			who = fmt.Sprintf("the %d clients", clients)
		}
		findings = append(findings, found(CodeClientBusy, "%s%s used %.2f of %s (bound %s)", m.onHost(id), who, busy,
			number.Count(may, "processor"), number.Percent(busyClient, 0)))
	}
	return findings
}

// busyOn returns how many processors the clients on a host used together, and the number of these clients; none if it is unknown
// for one of them.
func busyOn(id string, clients []result.Client) (processors float64, n int) {
	for _, c := range clients {
		if c.Host != id {
			continue
		}
		used, ok := busy(c.Side)
		if !ok {
			return 0, 0
		}
		processors, n = processors+used, n+1
	}
	return processors, n
}

// busy returns how many processors a process used in the measured phase, on average.
func busy(side result.Side) (float64, bool) {
	used, known := usedBy(side, cpu)
	if !known || side.End.TimeNs <= side.Begin.TimeNs {
		return 0, false
	}
	return used / float64(side.End.TimeNs-side.Begin.TimeNs), true
}

// clockShare of the median response is the most that a clock may move on by: a time is off by up to a step of it.
const clockShare = 0.1

// coarseClock judges a client with a rounded clock, as browsers give pages.
func coarseClock(_ *measurement, t *Trial) []Finding {
	p50, known := t.Value(ResponseP50Ns)
	step := float64(t.Client.ClockStepNs)
	if !known || step <= clockShare*p50 {
		return nil
	}
	return []Finding{found(CodeCoarseClock, "the client's clock moves on by %s, %s of the p50 (bound %s)", number.Duration(step),
		number.Percent(step/p50, 0), number.Percent(clockShare, 0))}
}

// tooFewSamples judges the p99, or the p50 for calls that carry much, whose rate is in the tables.
func tooFewSamples(m *measurement, _ *Trial) []Finding {
	if m.spec.Coding() || m.ok == 0 {
		return nil
	}
	last := ResponseP99Ns
	if m.spec.Streaming() || m.spec.Batch > 0 && m.spec.Closed() {
		last = ResponseP50Ns
	}
	q := last.Declare().Quantile
	needed := stat.SamplesNeeded(q)
	if m.ok >= int64(needed) {
		return nil
	}
	return []Finding{found(CodeTooFewSamples, "%s, and p%g needs at least %s calls", number.Count(m.ok, "call"), 100*q,
		number.Whole(needed))}
}

// TooFewCallsFor returns the percentiles in CSV for which half of the row's trials or more have too few calls.
func (r *Row) TooFewCallsFor() []Metric {
	var found []Metric
	for _, d := range declarations {
		if d.Has(InCSV) && TooFewFor(r.Trials, d.Metric) > 0 {
			found = append(found, d.Metric)
		}
	}
	return found
}

// TooFewFor returns how many samples a percentile needs in a trial, if half of the trials that have it or more have fewer. It
// returns 0 if they have enough, and for other metrics.
func TooFewFor(trials []*Trial, m Metric) int64 {
	d := m.Declare()
	if d.Quantile <= 0 || d.Quantile >= 1 {
		return 0
	}
	needed, have, short := int64(stat.SamplesNeeded(d.Quantile)), 0, 0
	for _, t := range trials {
		if _, known := t.Value(m); !known {
			continue
		}
		if have++; t.Samples(m) < needed {
			short++
		}
	}
	if have == 0 || 2*short < have {
		return 0
	}
	return needed
}
