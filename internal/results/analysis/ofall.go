package analysis

import (
	"cmp"
	"time"

	"rpcbench/internal/worker/record"
)

// NotServed is the percentile of all calls of a trial where it lies among those that failed, or were cut off: 1 h, the longest
// time that is recorded.
const NotServed = float64(time.Hour)

// ofAll is a quantile over all calls that were due. One that failed or was cut off was not served within any bound: it is
// slower than all that succeeded.
func ofAll(histogram string, q float64) formula {
	return func(m *measurement) (float64, bool) {
		ofOK, ok := quantile(histogram, q)(m)
		if !ok || m.ok == m.trial.Arrivals {
			return ofOK, ok
		}
		rank := record.RankOf(q, m.trial.Arrivals)
		if rank > m.ok {
			return NotServed, true
		}
		return float64(record.AtRank(m.histograms[histogram], rank)), true
	}
}

// failedRatio is the part of all calls that were not OK.
func failedRatio(m *measurement) (float64, bool) {
	if m.trial.Arrivals == 0 {
		return 0, false
	}
	return float64(m.trial.Arrivals-m.ok) / float64(m.trial.Arrivals), true
}

// Judged is the metric by which requirements, capacities and comparisons judge a metric: of a percentile of OK calls, that of
// all calls; of others, itself.
func (m Metric) Judged() Metric { return cmp.Or(overAll[m], m) }

// overAll are the metrics of all calls, by those of OK calls.
var overAll = func() map[Metric]Metric {
	all := map[Metric]Metric{}
	for _, d := range declarations {
		if d.judges != "" {
			all[d.judges] = d.Metric
		}
	}
	return all
}()

// IsOfAll reports whether the metric is a percentile over all calls, whose values may be NotServed.
func (m Metric) IsOfAll() bool { return m.Declare().judges != "" }
