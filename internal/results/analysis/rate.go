package analysis

import (
	"cmp"
	"math"
	"slices"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
)

// Rates are what completed in the window, divided by the window. Later completions are in no rate: a single call that hangs would
// divide all of them.

// windowNs returns how long calls were due, by which rates are computed. For a worker that does not report it, and counts no late
// calls either, it is the time of the whole phase.
func windowNs(r *result.Record) int64 {
	if r.WindowNs > 0 {
		return r.WindowNs
	}
	return r.ElapsedNs
}

// dueNs returns how long calls were due. For a worker that does not report it, it is the requested duration, and 0 if the load
// ended after a number of calls.
func (t *Trial) dueNs() int64 { return cmp.Or(t.WindowNs, t.Spec.DurationNs) }

// intervalSlackNs is how much later than planned the window's last interval may end.
const intervalSlackNs = 10_000_000

// WhileDue returns the trial's intervals in which calls of a client were due. In those that follow, the drain, calls only end. Of
// a worker that does not report the window they are all.
func (t *Trial) WhileDue() []result.Interval {
	last := t.WindowNs
	for _, one := range t.Apart {
		last = max(last, one.WindowNs)
	}
	return until(last, t.Intervals)
}

// whileAllDue returns those in which calls of all clients were due. Where the load of one is over first, there is less load,
// which is no change of speed.
func (t *Trial) whileAllDue() []result.Interval {
	first := t.WindowNs
	for _, one := range t.Apart {
		first = min(first, one.WindowNs)
	}
	return until(first, t.Intervals)
}

// until returns the intervals of a window; all of them where it is 0, which is unknown.
func until(window int64, intervals []result.Interval) []result.Interval {
	i := slices.IndexFunc(intervals, func(i result.Interval) bool { return i.EndNs > window+intervalSlackNs })
	if window <= 0 || i < 0 {
		return intervals
	}
	return intervals[:i]
}

// tailOf returns what completed after the window.
func tailOf(r *result.Record) result.Tail {
	if r.Tail == nil {
		return result.Tail{}
	}
	return *r.Tail
}

// inWindow counts the OK calls that were done in the window.
func inWindow(r *result.Record) int64 {
	n := -tailOf(r).OK
	for _, outcome := range r.Outcomes {
		if outcome.Code == result.CodeOK {
			n += outcome.Calls
		}
	}
	return n
}

// InWindow counts the OK calls that the trial's rates are of.
func (t *Trial) InWindow() int64 { return inWindow(&t.Record) }

func (m *measurement) inWindow() int64 { return m.trial.InWindow() }

// A tail is worth a sentence from a part of the window on, below which are the calls that were in flight when the window
// ended, or of the OK calls, which rates lack; and from a time on, below which the window was too short for a rate anyway.
const (
	tailShown   = 0.1
	lateShown   = 0.05
	tailLeastNs = 100e6
)

// Tail returns the trial whose last call ended longest after its window, of those whose tails are worth a sentence; nil where
// none is.
func (r *Row) Tail() *Trial {
	var worst *Trial
	longest := 0.0
	for _, t := range r.Trials {
		after, ok := t.Value(TailNs)
		late := float64(tailOf(&t.Record).OK)
		isLong := after > tailShown*float64(t.WindowNs) || late >= lateShown*float64(max(t.OK, 1))
		if ok && after > max(longest, tailLeastNs) && isLong {
			worst, longest = t, after
		}
	}
	return worst
}

// perSec returns the rate of what completed in the window.
func (m *measurement) perSec(n int64) (float64, bool) {
	window := windowNs(&m.trial.Record)
	if window <= 0 {
		return 0, false
	}
	return float64(n) / (float64(window) / 1e9), true
}

// elapsedPer divides the window by what completed in it.
func (m *measurement) elapsedPer(n int64, applies bool) (float64, bool) {
	window := windowNs(&m.trial.Record)
	if !applies || n == 0 || window <= 0 {
		return 0, false
	}
	return float64(window) / float64(n), true
}

func callsPerSec(m *measurement) (float64, bool) { return m.perSec(m.inWindow()) }

func elapsedPerCall(m *measurement) (float64, bool) { return m.elapsedPer(m.inWindow(), true) }

func elapsedPerMessage(m *measurement) (float64, bool) {
	all, applies := m.messages()
	return m.elapsedPer(all-m.lateMessages(), applies)
}

func messagesPerSec(m *measurement) (float64, bool) {
	all, applies := m.messages()
	if !applies {
		return 0, false
	}
	return m.perSec(all - m.lateMessages())
}

func payloadMBPerSec(m *measurement) (float64, bool) {
	if m.spec.Opens() {
		return 0, false
	}
	late := tailOf(&m.trial.Record)
	bytes, ok := m.perSec(m.trial.PayloadOut + m.trial.PayloadIn - late.PayloadOut - late.PayloadIn)
	return bytes / 1e6, ok
}

// hasMessages reports whether messages are counted in calls of a kind.
func hasMessages(kind string) bool {
	_, has := (&measurement{spec: plan.Spec{Kind: kind}, trial: &Trial{Trial: &result.Trial{}}}).messages()
	return has
}

// messages counts the messages of the kind: those that an upload sends, and those that every other kind receives.
func (m *measurement) messages() (int64, bool) {
	switch m.spec.Kind {
	case stack.KindStream, stack.KindPingPong, stack.KindBurst, stack.KindDownload, stack.KindBothWays:
		return m.trial.MessagesIn, true
	case stack.KindUpload:
		return m.trial.MessagesOut, true
	default:
		return 0, false
	}
}

// lateMessages counts messages after the window.
func (m *measurement) lateMessages() int64 {
	late := tailOf(&m.trial.Record)
	if m.spec.Kind == stack.KindUpload {
		return late.MessagesOut
	}
	return late.MessagesIn
}

// tail returns how long after the window the last call was done.
func tail(m *measurement) (float64, bool) {
	if m.trial.WindowNs <= 0 {
		return 0, false
	}
	return float64(max(0, m.trial.ElapsedNs-m.trial.WindowNs)), true
}

// lateCalls counts the OK calls that no rate has.
func lateCalls(m *measurement) (float64, bool) {
	return float64(tailOf(&m.trial.Record).OK), m.trial.WindowNs > 0
}

// unpairedReplies counts the replies of streams that no message is timed by.
func unpairedReplies(m *measurement) (float64, bool) {
	return float64(m.trial.UnpairedReplies), m.spec.Method != nil && m.spec.Kind == stack.KindStream
}

// addWindows adds the window and the tail of another client to a sum, before its outcomes are added. Clients that end after a
// number of calls have different windows. Their rates add up: the common window is the time that all calls would take at that
// rate.
func addWindows(sum, r *result.Record) {
	if sum.WindowNs != r.WindowNs && sum.WindowNs > 0 && r.WindowNs > 0 {
		a, b := float64(inWindow(sum)), float64(inWindow(r))
		perNs := a/float64(sum.WindowNs) + b/float64(r.WindowNs)
		sum.WindowNs = max(sum.WindowNs, r.WindowNs)
		if perNs > 0 {
			sum.WindowNs = int64(math.Round((a + b) / perNs))
		}
	}
	if r.Tail == nil {
		return
	}
	a, b := tailOf(sum), *r.Tail
	sum.Tail = &result.Tail{
		OK: a.OK + b.OK, MessagesOut: a.MessagesOut + b.MessagesOut, MessagesIn: a.MessagesIn + b.MessagesIn,
		PayloadOut: a.PayloadOut + b.PayloadOut, PayloadIn: a.PayloadIn + b.PayloadIn,
	}
}
