package analysis

import (
	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
)

// Thresholds of NOISY_HOST.
const (
	stealShare = 0.01 // of all processors' time, that the hypervisor gave to other machines
	// otherShare of all processors' time that processes which are not the trial's used. The kernel's own work for a trial's
	// packets counts among them, so less would cry at every busy loopback.
	otherShare = 0.25
	// hiccupShare of the p99 response, and hiccupLeastNs where that is less: one in a hundred sleeps of a thread that had
	// nothing else to do ended this late, so every hundredth call can have waited as long for nothing.
	hiccupShare   = 0.5
	hiccupLeastNs = 1_000_000
)

func noisyHost(m *measurement, t *Trial) []Finding {
	var findings []Finding
	noisy := func(code Code, format string, args ...any) { findings = append(findings, found(code, format, args...)) }
	if steal, ok := t.Value(HostStealRatio); ok && steal >= stealShare {
		noisy(CodeSteal, "the hypervisor gave %s of the processors' time to other machines (bound %s)",
			number.Percent(steal, 1), number.Percent(stealShare, 0))
	}
	if other, ok := t.Value(HostOtherRatio); ok && other >= otherShare {
		noisy(CodeOtherProcesses, "other processes used %s of the processors' time (bound %s)", number.Percent(other, 0),
			number.Percent(otherShare, 0))
	}
	if saturated(m) {
		return findings // a thread that waits for its turn says nothing of others
	}
	late, ok := t.Value(HiccupP99Ns)
	response, known := t.Value(ResponseP99Ns)
	if bound := max(hiccupShare*response, hiccupLeastNs); ok && known && late > bound {
		noisy(CodeLateWakes, "an idle thread woke up to %s late (p99; bound %s)", number.Duration(late), number.Duration(bound))
	}
	return findings
}

// saturatedShare of all processors' time is when a trial itself makes whoever else wants a processor wait.
const saturatedShare = 0.70

func saturated(m *measurement) bool {
	total, ok := m.processorTime()
	return ok && m.ownCPU() >= saturatedShare*total
}

// hiccupsLeast is how many sleeps it takes to speak of a p99.
const hiccupsLeast = 20

func hiccup(of func(result.Hiccups) int64) formula {
	return func(m *measurement) (float64, bool) {
		if m.trial.Host == nil || m.trial.Host.Hiccups.Count < hiccupsLeast {
			return 0, false
		}
		return float64(of(m.trial.Host.Hiccups)), true
	}
}

func hostSteal(m *measurement) (float64, bool) {
	total, ok := m.processorTime()
	if !ok {
		return 0, false
	}
	return float64(m.trial.Host.CPU.StealNs) / total, true
}

// hostOther is what is left of the processors' busy time without the trial's own processes. A target's server may run on
// this host too, and what it uses is no disturbance: then nothing is known of others.
func hostOther(m *measurement) (float64, bool) {
	total, ok := m.processorTime()
	if !ok || m.trial.Host.DriverCPUNs == nil || m.trial.Spec.Target != "" {
		return 0, false
	}
	return max(float64(m.trial.Host.CPU.BusyNs)-m.ownCPU(), 0) / total, true
}

// ownCPU is what the trial's own processes used, in ns.
func (m *measurement) ownCPU() float64 {
	var own float64
	if m.trial.Host.DriverCPUNs != nil {
		own += float64(*m.trial.Host.DriverCPUNs)
	}
	for _, side := range []sideOf{client, server} {
		if used, ok := spent(side, cpu)(m); ok {
			own += used
		}
	}
	if m.trial.Relay != nil {
		own += float64(m.trial.Relay.CPUNs)
	}
	return own
}

// processorTime is that of all processors together, in ns.
func (m *measurement) processorTime() (float64, bool) {
	if m.trial.Host == nil || m.trial.Host.CPU == nil {
		return 0, false
	}
	use := m.trial.Host.CPU
	total := float64(use.BusyNs + use.IdleNs + use.StealNs)
	return total, total > 0
}

// energyPerCall is that of all processor packages, whoever used it, by OK calls.
func energyPerCall(m *measurement) (float64, bool) {
	if m.trial.Host == nil || m.trial.Host.EnergyJoules == nil || m.ok == 0 || m.spec.Background != nil {
		return 0, false
	}
	return *m.trial.Host.EnergyJoules / float64(m.ok), true
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
