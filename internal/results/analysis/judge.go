package analysis

import (
	"fmt"
	"math"
	"slices"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/record"
)

// A judge finds what is to be said against a trial that did not fail. It looks for one verdict: at all clients together, or
// at each by itself, where what one of them lacked would not show in the whole.
type judge struct {
	of   func(*measurement, *Trial) []Finding
	each bool
}

var judges = []judge{
	{of: interrupted}, {of: stalled, each: true}, {of: cutShort}, {of: outcomes}, {of: rateNotMet, each: true},
	{of: clientBusy}, {of: sentLate, each: true}, {of: linkBound}, {of: notStationary}, {of: noisyHost},
	{of: tooFewSamples},
}

// find returns what a judge finds.
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
	return []Finding{found(CodeStalled, "%v", t.Stalled)}
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
		switch outcome.Code {
		case result.CodeOK:
		case result.CodeUnsent, result.CodeUnfinished:
			censored += outcome.Calls
		default:
			failed += outcome.Calls
		}
	}
	var findings []Finding
	if censored > 0 {
		findings = append(findings, found(CodeCallsCensored, "%s of %s were never sent or answered", number.Count(censored, "call"),
			number.Whole(t.Arrivals)))
	}
	if failed > 0 {
		findings = append(findings, found(CodeCallsFailed, "%s of %s failed", number.Count(failed, "call"), number.Whole(t.Arrivals)))
	}
	return findings
}

// rateLeast is the part of a rate that must be met. Above it a shortfall does not show in a percentile below the p98.
const rateLeast = 0.98

// rateNotMet compares the calls that were completed in the window with those that were due early enough to be: a call
// that is due takes at least baseOf. Of a Poisson load, whose number of arrivals is random, three standard deviations
// are allowed.
func rateNotMet(m *measurement, t *Trial) []Finding {
	if m.spec.Closed() || t.Spec.OfferedPerSec <= 0 {
		return nil
	}
	var completed, untilNs int64
	for _, interval := range t.Intervals {
		if window := t.dueNs(); window > 0 && interval.EndNs > window+intervalSlackNs {
			break
		}
		completed, untilNs = completed+interval.OK+interval.Errors, interval.EndNs
	}
	due := t.Spec.Due(time.Duration(untilNs - baseOf(m)))
	least := rateLeast * due
	if t.Spec.Load == plan.LoadPoisson {
		least -= 3 * math.Sqrt(max(due, 0))
	}
	if untilNs == 0 || float64(completed) >= least-1 {
		return nil
	}
	why := fmt.Sprintf("%s of the calls due were completed within %s", number.Percent(float64(completed)/due, 0),
		number.Duration(float64(untilNs)))
	if taken := slotsTaken(m); taken >= slotsAll {
		return []Finding{found(CodeSlotsTaken, "%s, and the limit of %s in flight was reached %s of the time", why,
			number.Count(m.spec.Slots(), "call"), number.Percent(min(taken, 1), 0))}
	}
	return []Finding{found(CodeRateShort, "%s", why)}
}

// slotsAll is the part of the time at which calls in flight are called taken all the time: between two calls a slot checks
// the reply and is woken for the next.
const slotsAll = 0.90

// slotsTaken is how much of the time of all slots OK calls took; failed ones are not known from when they were sent.
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

// intervalSlackNs is how much later than planned the window's last interval may end.
const intervalSlackNs = 10_000_000

// baseOf is what a call takes at the least, to the first percent.
func baseOf(m *measurement) int64 {
	h := m.histograms[result.HistService]
	if h == nil || h.TotalCount() == 0 {
		return 0
	}
	return record.Quantile(h, 0.01)
}

// Thresholds of CLIENT_BOUND.
const (
	busyClient = 0.90 // of the processors that the client may use
	wakeShare  = 0.10 // of the median response
)

// clientBusy finds clients that had no processor time left. They share the processors of a host.
func clientBusy(m *measurement, t *Trial) []Finding {
	busy, ok := m.busy(t.Client)
	may := clientProcessors(t)
	if m.spec.Coding() || !ok || may == 0 || busy < busyClient*float64(may) {
		return nil // of coding, the codec is all that there is
	}
	who := "the client"
	if n := len(t.Clients); n > 1 {
		who = fmt.Sprintf("the %d clients", n)
	}
	return []Finding{found(CodeClientBusy, "%s used %.2f of %s (bound %s)", who, busy, number.Count(may, "processor"),
		number.Percent(busyClient, 0))}
}

// sentLate finds an instrument that was late itself: its lateness is part of the response, and more than a tenth of it is a
// distortion.
func sentLate(m *measurement, t *Trial) []Finding {
	wake, late := t.Value(WakeP99Ns)
	response, known := t.Value(ResponseP50Ns)
	if m.spec.Coding() || !late || !known || wake <= wakeShare*response {
		return nil
	}
	return []Finding{found(CodeSentLate,
		"the instrument sent calls up to %s late (p99), %s of the median response (bound %s)",
		number.Duration(wake), number.Percent(wake/response, 0), number.Percent(wakeShare, 0))}
}

// busy returns how many processors a process used in the measured phase, on average.
func (m *measurement) busy(side result.Side) (float64, bool) {
	if side.Begin == nil || side.End == nil || side.End.TimeNs <= side.Begin.TimeNs {
		return 0, false
	}
	used := *cpu(side.End) - *cpu(side.Begin)
	return float64(used) / float64(side.End.TimeNs-side.Begin.TimeNs), true
}

// pointCalls is the least mean number of calls in a point of a rate's series: with fewer, what is random in a count
// drowns what changes.
const pointCalls = 20

// notStationary looks for a step or a trend in the measured phase: in the calls completed in 100 ms of a closed load, and
// in the median response of each second of an open one, whose rate is given. Where the load itself changes there is nothing
// to look for.
func notStationary(m *measurement, t *Trial) []Finding {
	if t.Spec.Schedule != nil {
		return nil
	}
	series, unit := rates(t.Intervals), "calls per second"
	if !m.spec.Closed() {
		series, unit = medians(t.Intervals), "median response"
	}
	change := stat.Stationary(series)
	switch change.Kind {
	case stat.Step:
		return []Finding{found(CodeStep, "%s changed by %+.0f%% of its median after %s of the measured phase (p %.2g)",
			unit, 100*max(change.Change, -1), number.Percent(float64(change.At)/float64(len(series)), 0), change.P)}
	case stat.Trend:
		return []Finding{found(CodeTrend, "%s drifted by %+.0f%% of its median over the measured phase (p %.2g)", unit,
			100*change.Change, change.P)}
	default:
		return nil
	}
}

// rates returns calls per second, over as many intervals at once as it takes to have pointCalls. What is left over at the
// end, and the last interval of a phase, which is cut short, are left out.
func rates(intervals []result.Interval) []float64 {
	if len(intervals) < 2 {
		return nil
	}
	intervals = intervals[:len(intervals)-1]
	var calls int64
	for _, interval := range intervals {
		calls += interval.OK + interval.Errors
	}
	if calls == 0 {
		return nil
	}
	together := max(1, (pointCalls*len(intervals)+int(calls)-1)/int(calls))
	var series []float64
	for chunk := range slices.Chunk(intervals, together) {
		if len(chunk) < together {
			break
		}
		var n int64
		for _, interval := range chunk {
			n += interval.OK + interval.Errors
		}
		lasted := chunk[len(chunk)-1].EndNs - chunk[0].StartNs
		series = append(series, float64(n)/(float64(max(lasted, 1))/1e9))
	}
	return series
}

// medians returns the median response of each second.
func medians(intervals []result.Interval) []float64 {
	var series []float64
	for _, interval := range intervals {
		if interval.Response != nil && interval.Response.Calls >= pointCalls {
			series = append(series, float64(interval.Response.P50Ns))
		}
	}
	return series
}

// tooFewSamples judges the p99, or, of calls that carry much, whose rate is what tables print, the p50.
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
