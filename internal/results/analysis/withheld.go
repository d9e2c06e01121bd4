package analysis

import (
	"math"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
)

// Thresholds of NOISY_HOST: what a host, or the network, withheld from a trial.
const (
	// throttledShare of the measured phase that a quota kept threads waiting, summed over processors: every hundredth call
	// can have waited.
	throttledShare = 0.01
	// retransmitShare of all segments that were resent: each delays what follows by at least a round trip, and the last one of a
	// call by a timeout.
	retransmitShare = 0.01
	// minSegments is the minimum number of segments for a share.
	minSegments = 1000
)

// withheld finds what was withheld from the trial on one host.
func withheld(m *measurement, use *result.HostUse) []Finding {
	var findings []Finding
	throttled, known := hostThrottled(m, use)
	if bound := throttledShare * float64(use.ElapsedNs); known && use.ElapsedNs > 0 && throttled >= bound {
		findings = append(findings, found(CodeThrottled,
			"the quota of a control group kept threads off processors for %s of %s (bound %s)",
			number.Duration(throttled), number.Duration(float64(use.ElapsedNs)), number.Percent(throttledShare, 0)))
	}
	if times, known := hostHeat(m, use); known && times > 0 {
		findings = append(findings, found(CodeHeat, "processors were slowed down because of heat, %s",
			number.Count(int64(times), "time")))
	}
	again, known := hostRetransmits(m, use)
	if sent, _ := m.segments(use); known && sent >= minSegments && again >= retransmitShare {
		findings = append(findings, found(CodeRetransmits, "TCP had to send %s of the segments again (bound %s)",
			number.Percent(again, 1), number.Percent(retransmitShare, 0)))
	}
	return findings
}

// hostThrottled is by the group that lost most: of the process that watches, or of one of the trial's own.
func hostThrottled(m *measurement, use *result.HostUse) (most float64, known bool) {
	if use.ThrottledNs != nil {
		most, known = float64(*use.ThrottledNs), true
	}
	for _, side := range m.trial.whole().processes() {
		throttled := func(s *result.Snapshot) *int64 { return s.ThrottledNs }
		if ns, ok := usedBy(side, throttled); ok && side.Host == use.Host {
			most, known = max(most, ns), true
		}
	}
	return most, known
}

func hostHeat(_ *measurement, use *result.HostUse) (float64, bool) { return counted(use.HeatThrottles) }

func hostDropped(_ *measurement, use *result.HostUse) (float64, bool) {
	return counted(use.DroppedPackets)
}

func counted(n *int64) (float64, bool) {
	if n == nil {
		return 0, false
	}
	return float64(*n), true
}

// slowestHost is the frequency of the host whose processors ran at the lowest one.
func slowestHost(m *measurement) (lowest float64, known bool) {
	lowest = math.Inf(1)
	for _, use := range m.trial.Hosts {
		if use.FrequencyMHz != nil {
			lowest, known = min(lowest, *use.FrequencyMHz), true
		}
	}
	return lowest, known
}

func hostRetransmits(m *measurement, use *result.HostUse) (float64, bool) {
	sent, again := m.segments(use)
	return again / max(sent, 1), sent > 0
}

// segments returns how many segments the trial's processes on a host sent, and how many of them were resent, as far as their
// systems report it.
func (m *measurement) segments(use *result.HostUse) (sent, again float64) {
	for _, side := range m.trial.processes() {
		out, known := usedBy(side, func(s *result.Snapshot) *int64 { return s.SegmentsOut })
		more, alsoKnown := usedBy(side, func(s *result.Snapshot) *int64 { return s.Retransmits })
		if known && alsoKnown && side.Host == use.Host {
			sent, again = sent+out, again+more
		}
	}
	return sent, again
}
