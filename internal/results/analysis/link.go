package analysis

import (
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
)

// near returns the row without a link at the row's point.
func (b *builder) near(row *Row) *Row {
	return b.rows[row.KeyWith(func(s *plan.Spec) { s.Link = nil })]
}

// Thresholds of LINK_BOUND.
const (
	// linkFull is the part of a bandwidth that is called all of it: the emulation keeps it to 5%, and no protocol keeps a
	// line busy without gaps.
	linkFull = 0.90
	// relayBusy is the fraction of a processor, without waiting, at which the process that plays the link is saturated: it
	// releases bytes on one thread.
	relayBusy = 0.80
	// A link is another than was asked for when bytes leave it later than lateShare of its round trip at the p99, or
	// lateLeastNs where that is more, and the calls can feel it: of a call that takes long, because processors are busy
	// and the emulation waits for them as client and server do, lateFelt is little.
	lateShare   = 0.05
	lateLeastNs = 300_000
	lateFelt    = 0.10 // of the median response
)

// linkBound finds how the emulated link was the limit of a trial: its bandwidth; or the process that plays it, which is a
// limit of the instrument.
func linkBound(m *measurement, t *Trial) []Finding {
	if t.Relay == nil || t.Spec.Link == nil {
		return nil
	}
	var findings []Finding
	for _, way := range []struct {
		metric Metric
		name   string
	}{{LinkUpUsed, "to servers"}, {LinkDownUsed, "to clients"}} {
		if used, ok := t.Value(way.metric); ok && used >= linkFull {
			findings = append(findings, found(CodeLinkFull, "the link was full: %s of its bandwidth %s was used (bound %s)",
				number.Percent(used, 0), way.name, number.Percent(linkFull, 0)))
		}
	}
	if busy, ok := t.Value(RelayCPUPerSec); ok && busy >= relayBusy*1e9 {
		findings = append(findings, found(CodeRelayBusy,
			"the emulation was out of CPU: it used %s of a processor (bound %s)", number.Percent(busy/1e9, 0),
			number.Percent(relayBusy, 0)))
	}
	return append(findings, relayTooLate(t, saturated(m))...)
}

func relayTooLate(t *Trial, saturated bool) []Finding {
	response, _ := t.Value(ResponseP50Ns)
	bound := max(lateShare*float64(t.Spec.Link.RTTNs), lateLeastNs, lateFelt*response)
	late, ok := t.Value(RelayLateP99Ns)
	if !ok || late <= bound {
		return nil
	}
	because := ""
	if saturated {
		because = ", because the trial kept all processors busy"
	}
	return []Finding{found(CodeRelayLate, "the emulation was late: bytes left it %s after they were due (p99; bound %s)%s",
		number.Duration(late), number.Duration(bound), because)}
}

// relayLate is absent without a link. One that passed nothing on was never late.
func relayLate(m *measurement) (float64, bool) {
	if m.trial.Relay == nil {
		return 0, false
	}
	return float64(m.trial.Relay.LateP99Ns), true
}

func relayCPU(m *measurement) (float64, bool) {
	relay := m.trial.Relay
	if relay == nil || relay.ElapsedNs <= 0 {
		return 0, false
	}
	return float64(relay.CPUNs-relay.WaitCPUNs) / (float64(relay.ElapsedNs) / 1e9), true
}

// A way returns the bytes that went one way through a link, and how many a second may.
type way func(*plan.Link, *measurement) (bytes int64, perSec float64)

func linkUp(link *plan.Link, m *measurement) (int64, float64) {
	return m.trial.Relay.UpBytes, link.UpBytesPerSec
}

func linkDown(link *plan.Link, m *measurement) (int64, float64) {
	return m.trial.Relay.DownBytes, link.DownBytesPerSec
}

func linkUsed(of way) formula {
	return func(m *measurement) (float64, bool) {
		relay, link := m.trial.Relay, m.trial.Spec.Link
		if relay == nil || link == nil || relay.ElapsedNs <= 0 {
			return 0, false
		}
		bytes, perSec := of(link, m)
		if perSec <= 0 {
			return 0, false
		}
		return float64(bytes) / (float64(relay.ElapsedNs) / 1e9) / perSec, true
	}
}
