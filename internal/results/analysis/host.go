package analysis

import (
	"cmp"
	"slices"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
)

// Thresholds of NOISY_HOST.
const (
	// stealShare of all processors' time went to other virtual machines. A processor that is taken away stops its thread, so
	// about that fraction of short calls waits: from 1% on it is every hundredth call, which is the p99. It can't be caused from
	// within a virtual machine, and is therefore not calibrated.
	stealShare = 0.01
	// otherShare of all processors' time that processes which are not the trial's used. Up to it a p50 moves by 4% at most
	// (see effects), less than trials differ by anyway; a p99 suffers from less.
	otherShare = 0.05
	// tickedShare is the bound if only ticks are known: they include the kernel's own work for a trial's packets, so a lower
	// bound would be exceeded by any busy loopback.
	tickedShare = 0.25
	// hiccupShare of the p99 response, and hiccupLeastNs where that is less: one in a hundred sleeps of a thread that had
	// nothing else to do ended this late, so every hundredth call can have waited as long for nothing.
	hiccupShare   = 0.5
	hiccupLeastNs = 1_000_000
)

func noisyHost(m *measurement, t *Trial) []Finding {
	var findings []Finding
	for i := range t.Hosts {
		for _, f := range noisyOne(m, t, &t.Hosts[i]) {
			f.Why = m.onHost(t.Hosts[i].Host) + f.Why
			findings = append(findings, f)
		}
	}
	return findings
}

// onHost begins a sentence about a host, where there are several to be told apart.
func (m *measurement) onHost(id string) string {
	if hosts := m.trial.HostIDs(); len(hosts) == 1 && hosts[0] == "" {
		return ""
	}
	return m.trial.HostName(id) + ": "
}

// noisyOne finds what disturbed the trial on one host.
func noisyOne(m *measurement, t *Trial, use *result.HostUse) []Finding {
	var findings []Finding
	noisy := func(code Code, format string, args ...any) { findings = append(findings, found(code, format, args...)) }
	if steal, ok := hostSteal(m, use); ok && steal >= stealShare {
		noisy(CodeSteal, "the hypervisor gave %s of the processors' time to other machines (bound %s)%s",
			number.Percent(steal, 1), number.Percent(stealShare, 0), stolen(t, steal))
	}
	if other, ok := hostOther(m, use); ok && other >= otherBound(use) {
		noisy(CodeOtherProcesses, "other processes used %s of the processors' time (bound %s)%s", number.Percent(other, 0),
			number.Percent(otherBound(use), 0), likely(t, other))
	}
	findings = append(findings, withheld(m, use)...)
	if m.saturates(use) {
		return findings // a thread that waits for its turn says nothing of others
	}
	late, ok := hiccup(func(h result.Hiccups) int64 { return h.P99Ns })(m, use)
	response, known := t.Value(ResponseP99Ns)
	if bound := max(hiccupShare*response, hiccupLeastNs); ok && known && late > bound {
		noisy(CodeLateWakes, "an idle thread woke up to %s late (p99; bound %s)", number.Duration(late), number.Duration(bound))
	}
	return findings
}

// saturatedShare of all processors' time is the use from which on a trial itself makes other threads wait.
const saturatedShare = 0.70

// saturated reports whether the trial did so on any host.
func saturated(m *measurement) bool {
	for i := range m.trial.Hosts {
		if m.saturates(&m.trial.Hosts[i]) {
			return true
		}
	}
	return false
}

func (m *measurement) saturates(use *result.HostUse) bool {
	total, ok := processorTime(use)
	return ok && m.ownCPU(use) >= saturatedShare*total
}

// A hostFormula computes a figure of one host; false where it is not known.
type hostFormula func(*measurement, *result.HostUse) (float64, bool)

// worstHost is the figure of the host that has the largest.
func worstHost(of hostFormula) formula {
	return func(m *measurement) (worst float64, known bool) {
		for i := range m.trial.Hosts {
			if value, ok := of(m, &m.trial.Hosts[i]); ok {
				worst, known = max(worst, value), true
			}
		}
		return worst, known
	}
}

// minHiccups is the minimum number of sleeps for a p99.
const minHiccups = 20

func hiccup(of func(result.Hiccups) int64) hostFormula {
	return func(_ *measurement, use *result.HostUse) (float64, bool) {
		return float64(of(use.Hiccups)), use.Hiccups.Count >= minHiccups
	}
}

func hostSteal(_ *measurement, use *result.HostUse) (float64, bool) {
	total, ok := processorTime(use)
	if !ok {
		return 0, false
	}
	return float64(use.CPU.StealNs) / total, true
}

// hostOther returns the time used by other processes: what all processes used or, if unknown, the processors' busy time, minus
// the trial's own processes. If a target's server may run on this host, its use is no disturbance. If that is unknown, or if a
// process of the trial does not report its use, so is the result.
func hostOther(m *measurement, use *result.HostUse) (float64, bool) {
	total, ok := processorTime(use)
	unknown := m.trial.Spec.Target != "" && len(m.trial.whole().Servers) == 0
	if !ok || use.WatchCPUNs == nil || unknown || m.hides(use) {
		return 0, false
	}
	all := use.CPU.BusyNs
	if use.ProcessesNs != nil {
		all = *use.ProcessesNs
	}
	return max(float64(all)-m.ownCPU(use), 0) / total, true
}

func otherBound(use *result.HostUse) float64 {
	if use.ProcessesNs != nil {
		return otherShare
	}
	return tickedShare
}

// ownCPU returns what the trial's own processes used on a host, in ns.
func (m *measurement) ownCPU(use *result.HostUse) float64 {
	var own float64
	if use.WatchCPUNs != nil {
		own += float64(*use.WatchCPUNs)
	}
	for _, side := range m.trial.whole().processes() {
		if used, known := usedBy(side, cpu); known && side.Host == use.Host {
			own += used
		}
	}
	if relay := m.trial.whole().Relay; relay != nil && relay.Host == use.Host {
		own += float64(relay.CPUNs)
	}
	return own
}

// hides reports whether one of the trial's processes on a host does not report its use, as browsers don't.
func (m *measurement) hides(use *result.HostUse) bool {
	return slices.ContainsFunc(m.trial.whole().processes(), func(s result.Side) bool {
		return s.Host == use.Host && s.End != nil && s.End.CPUUnknown
	})
}

// processes returns the processes of all sides.
func (t *Trial) processes() []result.Side {
	sides := slices.Clone(t.Servers)
	if t.Proxy != nil {
		sides = append(sides, *t.Proxy)
	}
	for _, c := range t.Clients {
		sides = append(sides, c.Side)
	}
	return sides
}

// HostIDs are the hosts that the trial's processes ran on, each once.
func (t *Trial) HostIDs() []string {
	var ids []string
	for _, side := range t.processes() {
		if !slices.Contains(ids, side.Host) {
			ids = append(ids, side.Host)
		}
	}
	return ids
}

// HostName returns the name of a host in sentences: as in hosts.yaml, or its own name for the driver's host.
func (t *Trial) HostName(id string) string {
	return cmp.Or(id, t.Source.Header.HostOf(id).Name, "this machine")
}

// processorTime returns the time of all processors of a host together, in ns.
func processorTime(use *result.HostUse) (float64, bool) {
	if use.CPU == nil {
		return 0, false
	}
	total := float64(use.CPU.BusyNs + use.CPU.IdleNs + use.CPU.StealNs)
	return total, total > 0
}

// Energy returns the energy of all processor packages of the trial's hosts, whoever used it; false if it is unknown for one of
// them.
func (t *Trial) Energy() (joules float64, known bool) {
	for _, use := range t.Hosts {
		if use.EnergyJoules == nil {
			return 0, false
		}
		joules += *use.EnergyJoules
	}
	return joules, len(t.Hosts) > 0
}

// energyPerCall divides by OK calls. The share of one of several clients is unknown.
func energyPerCall(m *measurement) (float64, bool) {
	joules, known := m.trial.Energy()
	if !known || m.ok == 0 || m.spec.Background != nil || m.trial.Whole != nil {
		return 0, false
	}
	return joules / float64(m.ok), true
}

// energyPerOperation divides by the operations of OK calls.
func energyPerOperation(m *measurement) (float64, bool) {
	joules, known := m.trial.Energy()
	if !known || m.operations() == 0 {
		return 0, false
	}
	return joules / float64(m.operations()), true
}

func switches(s *result.Snapshot) *int64 {
	if s.VoluntarySwitches == nil || s.InvoluntarySwitches == nil {
		return nil
	}
	sum := *s.VoluntarySwitches + *s.InvoluntarySwitches
	return &sum
}

func warmupNs(m *measurement) (float64, bool) {
	if m.trial.Warmup == nil {
		return 0, false
	}
	return float64(m.trial.Warmup.ElapsedNs), true
}
