package analysis

import (
	"slices"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/record"
)

// maxLateShare is the part of a percentile that the instrument's own lateness may make.
const maxLateShare = 0.10

// sentLate finds an instrument that itself was late enough to change a reported percentile notably.
func sentLate(m *measurement, _ *Trial) []Finding {
	if m.spec.Coding() {
		return nil
	}
	worst, share := 0.0, maxLateShare
	for _, q := range []float64{0.5, 0.9, 0.99} {
		if moved := movedByLateness(m, q); moved > share {
			worst, share = q, moved
		}
	}
	if worst == 0 {
		return nil
	}
	late := record.Quantile(m.histograms[result.HistWake], worst)
	return []Finding{found(CodeSentLate, "%s of the p%g is the instrument's, which sent calls up to %s late (bound %s)",
		number.Percent(share, 0), 100*worst, number.Duration(float64(late)), number.Percent(maxLateShare, 0))}
}

// movedByLateness returns the part of a response percentile that is due to late sending. It is at most the lateness of calls at
// that percentile, and at most the difference between response and service, which is smaller if the late calls are not the slow
// ones.
func movedByLateness(m *measurement, q float64) float64 {
	wake, service, response := m.histograms[result.HistWake], m.histograms[result.HistService], m.histograms[result.HistResponse]
	if wake == nil || service == nil || response == nil || min(wake.TotalCount(), service.TotalCount(), response.TotalCount()) == 0 {
		return 0
	}
	whole := record.Quantile(response, q)
	if whole <= 0 {
		return 0
	}
	return float64(min(record.Quantile(wake, q), whole-record.Quantile(service, q))) / float64(whole)
}

// The host is to blame for lateness where a thread that only slept woke late as well, by as much as half of it.
const (
	hostsShare   = 0.5
	hostsLeastNs = 200_000 // less is what any sleep of 10 ms is late
)

// blameHost names the host where its meter explains that calls were sent late.
func blameHost(m *measurement, findings []Finding) {
	noisy := func(f Finding) bool { return f.Verdict == VerdictNoisyHost && f.Code != CodeRetransmits }
	wake, _ := m.trial.Value(WakeP99Ns)
	woke, known := m.trial.Value(HiccupP99Ns)
	asLate := known && woke >= hostsLeastNs && woke >= hostsShare*wake && !saturated(m)
	if !asLate && !slices.ContainsFunc(findings, noisy) {
		return
	}
	host := "a noisy host"
	if asLate {
		host = "a host that kept an idle thread waiting for up to " + number.Duration(woke) + " (p99)"
	}
	for i, f := range findings {
		if f.Code == CodeSentLate {
			findings[i] = found(CodeLateWakes, "%s, on %s", f.Why, host)
		}
	}
}

// Bunches counts calls that the instrument sent so late that it sent others with them: the server received them in bunches, at
// other times than the load specifies. The response still includes each call's wait.
type Bunches struct {
	LateNs float64 // 99th percentile of how late calls were sent, the median over trials that have bunches
	GapNs  float64 // between two calls of a client, on average; shorter than that
	Trials int     // that have them
}

// Bunches returns those of a row of which half of the trials have some, and no verdict says how late calls were sent.
func (r *Row) Bunches() (b Bunches, ok bool) {
	var late, gaps []float64
	for _, t := range r.Trials {
		wake, known := t.Value(WakeP99Ns)
		if gap := t.gapNs(); known && gap > 0 && wake > gap {
			late, gaps = append(late, wake), append(gaps, gap)
		}
	}
	isTold := slices.ContainsFunc(r.Doubts(), func(d Doubt) bool { return d.Code == CodeSentLate || d.Code == CodeLateWakes })
	if len(late) == 0 || 2*len(late) < len(r.Trials) || isTold {
		return Bunches{}, false
	}
	return Bunches{stat.Summarize(late).Median, stat.Summarize(gaps).Median, len(late)}, true
}

// gapNs is the mean time between two calls of one of the clients; 0 without calls.
func (t *Trial) gapNs() float64 {
	if t.Arrivals == 0 {
		return 0
	}
	return float64(windowNs(&t.Record)) * float64(len(t.Clients)) / float64(t.Arrivals)
}
