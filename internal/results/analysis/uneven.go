package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

// Thresholds of UNEVEN_START and UNEVEN_CLIENTS.
const (
	// startsApartNs is how far apart clients may begin: intervals of 100 ms don't show less.
	startsApartNs = 10_000_000
	// unevenShare of the median of all clients is how far a client may differ from it: a slower path, or a busier host, explains
	// more.
	unevenShare = 0.25
	// unevenCalls is the minimum number of calls of each client for that judgment.
	unevenCalls = 100
)

// startsApart finds clients that did not begin together.
func startsApart(m *measurement, t *Trial) []Finding {
	t = t.whole()
	var spread int64
	late := 0
	for i, c := range t.Clients {
		if c.BegunNs > spread {
			spread, late = c.BegunNs, i
		}
	}
	if spread <= startsApartNs || !m.isOf(late) {
		return nil
	}
	return []Finding{found(CodeStartsApart, "%s began %s after the first (bound %s)", clientName(t, late),
		number.Duration(float64(spread)), number.Duration(startsApartNs))}
}

// isOf reports whether the measurement is of a trial's client i, or of all clients.
func (m *measurement) isOf(i int) bool { return m.whole == nil || m.whole.clients[i] == m }

// clientName returns the name of one of several clients in sentences.
func clientName(t *Trial, i int) string {
	name := fmt.Sprintf("client %d of %d", i+1, len(t.Clients))
	if ids := t.HostIDs(); len(ids) > 1 {
		name += " (" + t.HostName(t.Clients[i].Host) + ")"
	}
	return name
}

// unevenClients finds the client that differs most from the others: of a closed load by its rate on each connection, of an
// open one, whose rate is given, by its median response. Figures of all together then hide two different experiments.
func unevenClients(m *measurement, t *Trial) []Finding {
	all := m
	if m.whole != nil {
		all, t = m.whole, m.whole.trial
	}
	figures := make([]float64, len(all.clients))
	what := "calls per second on each connection"
	for i, one := range all.clients {
		if one.ok < unevenCalls || len(all.clients) < 2 {
			return nil
		}
		var known bool
		if all.spec.Closed() {
			figures[i], known = one.trial.Value(CallsPerSec)
			figures[i] /= float64(max(one.spec.Connections, 1))
		} else {
			what = "median response"
			figures[i], known = one.trial.Value(ResponseP50Ns)
		}
		if !known {
			return nil
		}
	}
	median := stat.Summarize(slices.Clone(figures)).Median
	distance := func(figure float64) float64 { return math.Abs(figure/median - 1) }
	worst := slices.MaxFunc(figures, func(a, b float64) int { return cmp.Compare(distance(a), distance(b)) })
	if median <= 0 || distance(worst) <= unevenShare {
		return nil
	}
	i := slices.Index(figures, worst)
	if !m.isOf(i) {
		return nil
	}
	return []Finding{found(CodeClientApart, "the %s of %s is %+.0f%% from the median of all clients (bound %s)", what,
		clientName(t, i), 100*(worst/median-1), number.Percent(unevenShare, 0))}
}

// lostClients reports whether every trial of the row failed because a client was lost.
func (r *Row) lostClients() bool {
	return len(r.Failed) > 0 && !slices.ContainsFunc(r.Failed, func(t *Trial) bool {
		return t.FailureCode != result.FailureClientLost
	})
}
