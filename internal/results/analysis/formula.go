package analysis

import (
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/record"
)

// quantile is one of a histogram's values.
func quantile(histogram string, q float64) formula {
	return func(m *measurement) (float64, bool) {
		h := m.histograms[histogram]
		if h == nil || h.TotalCount() == 0 {
			return 0, false
		}
		return float64(record.Quantile(h, q)), true
	}
}

func responseMean(m *measurement) (float64, bool) {
	h := m.histograms[result.HistResponse]
	if h == nil || h.TotalCount() == 0 {
		return 0, false
	}
	return h.Mean(), true
}

// A counter is one of a process's own; nil is unknown.
type counter func(*result.Snapshot) *int64

func cpu(s *result.Snapshot) *int64 {
	if s.CPUUnknown {
		return nil
	}
	sum := s.CPUUserNs + s.CPUSystemNs
	return &sum
}

func bytesOut(s *result.Snapshot) *int64 { return s.BytesOut }
func bytesIn(s *result.Snapshot) *int64  { return s.BytesIn }
func bytesBoth(s *result.Snapshot) *int64 {
	if s.BytesOut == nil || s.BytesIn == nil {
		return nil
	}
	sum := *s.BytesOut + *s.BytesIn
	return &sum
}

func framedOut(s *result.Snapshot) *int64 { return s.FramedBytesOut }
func framedIn(s *result.Snapshot) *int64  { return s.FramedBytesIn }

func allocations(s *result.Snapshot) *int64 { return s.Allocations }
func allocated(s *result.Snapshot) *int64   { return s.AllocatedBytes }
func gcCycles(s *result.Snapshot) *int64    { return s.GCCycles }
func pacerCPU(s *result.Snapshot) *int64    { return s.PacerCPUNs }
func gcPause(s *result.Snapshot) *int64     { return s.GCPauseNs }

func safepointSync(s *result.Snapshot) *int64 { return s.SafepointSyncNs }
func safepoints(s *result.Snapshot) *int64    { return s.Safepoints }

type sideOf func(*Trial) *result.Side

// client returns the client's side, or nil if its process is also the server: its use can't be separated.
func client(t *Trial) *result.Side {
	if t.Spec.InOneProcess() {
		return &result.Side{}
	}
	return &t.Client
}

func server(t *Trial) *result.Side { return &t.Server }

// proxy is the zero Side where there is none, of which nothing is known.
func proxy(t *Trial) *result.Side {
	if t.Proxy == nil {
		return &result.Side{}
	}
	return t.Proxy
}

// caller returns the client's process, whatever else it does.
func caller(t *Trial) *result.Side { return &t.Client }

// spent returns what a process used of a figure in the measured phase.
func spent(side sideOf, of counter) formula {
	return func(m *measurement) (float64, bool) { return usedBy(*side(m.trial), of) }
}

// usedBy is by how much a counter grew between the snapshots of a process.
func usedBy(s result.Side, of counter) (float64, bool) {
	if s.Begin == nil || s.End == nil {
		return 0, false
	}
	begin, end := of(s.Begin), of(s.End)
	if begin == nil || end == nil {
		return 0, false
	}
	return float64(*end - *begin), true
}

// pausePerSec returns how long a process paused per second of the measured phase.
func pausePerSec(side sideOf) formula {
	return func(m *measurement) (float64, bool) {
		pause, ok := spent(side, gcPause)(m)
		if !ok || m.trial.ElapsedNs <= 0 {
			return 0, false
		}
		return pause / (float64(m.trial.ElapsedNs) / 1e9), true
	}
}

func heap(side sideOf) formula {
	return func(m *measurement) (float64, bool) {
		s := side(m.trial)
		if s.End == nil || s.End.HeapBytes == nil {
			return 0, false
		}
		return float64(*s.End.HeapBytes), true
	}
}

// perCall divides what a process used by the OK calls. With background calls it is unknown.
func perCall(side sideOf, of counter) formula {
	return func(m *measurement) (float64, bool) {
		used, ok := spent(side, of)(m)
		if !ok || m.ok == 0 || m.spec.Background != nil {
			return 0, false
		}
		return used / float64(m.ok), true
	}
}

// allCPUPerCall returns the CPU time per call of the processes of all sides together.
func allCPUPerCall(m *measurement) (float64, bool) {
	if m.whole != nil || m.ok == 0 || m.spec.Background != nil {
		return 0, false
	}
	sum := 0.0
	for _, side := range m.trial.processes() {
		used, known := usedBy(side, cpu)
		if !known {
			return 0, false
		}
		sum += used
	}
	return sum / float64(m.ok), len(m.trial.Servers) > 0 || m.spec.InOneProcess()
}

func cpuPerMessage(side sideOf) formula {
	return func(m *measurement) (float64, bool) {
		used, known := spent(side, cpu)(m)
		n, applies := m.messages()
		if !known || !applies || n == 0 || m.spec.Background != nil {
			return 0, false
		}
		return used / float64(n), true
	}
}

// serverCPURatio is of all servers together. Those on one host share its processors.
func serverCPURatio(m *measurement) (float64, bool) {
	used, had := 0.0, map[string]float64{}
	for _, s := range m.trial.Servers {
		one, known := usedBy(s, cpu)
		if !known || s.Processors == 0 {
			return 0, false
		}
		used += one
		had[s.Host] = max(had[s.Host], float64(s.Processors)*float64(s.End.TimeNs-s.Begin.TimeNs))
	}
	total := 0.0
	for _, ns := range had {
		total += ns
	}
	return used / total, total > 0
}

// wire returns bytes in a direction as the client sees it; for counts of the server, directions are exchanged.
func wire(atClient, atServer counter) formula {
	return func(m *measurement) (float64, bool) {
		switch m.trial.WireCountedAt {
		case "client":
			return perCall(caller, atClient)(m)
		case "server":
			return perCall(server, atServer)(m)
		default:
			return 0, false
		}
	}
}

func sockets(m *measurement) (float64, bool) {
	if m.spec.Opens() {
		return spent(client, func(s *result.Snapshot) *int64 { return &s.Sockets })(m)
	}
	if m.trial.Client.End == nil {
		return 0, false
	}
	return float64(m.trial.Client.End.Sockets), m.trial.Client.End.Sockets > 0 // a client that counts them has one
}

func peakMemory(side sideOf) formula {
	return func(m *measurement) (float64, bool) {
		s := side(m.trial)
		if s.End == nil || m.trial.ProcessRows > 1 { // the peak may be another row's
			return 0, false
		}
		return float64(s.End.PeakMemoryBytes), s.End.PeakMemoryBytes > 0
	}
}

// retries counts the calls that were sent once more.
func retries(m *measurement) (float64, bool) {
	if m.trial.Retries == nil {
		return 0, false
	}
	return float64(*m.trial.Retries), true
}
