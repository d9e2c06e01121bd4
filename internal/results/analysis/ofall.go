package analysis

import (
	"cmp"
	"math"
	"slices"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/record"
)

// NotServed is the percentile of all calls of a trial where it lies among those that failed, or were cut off: 1 h, the longest
// time that is recorded.
const NotServed = float64(time.Hour)

// ofAll is a quantile over all calls that were due. One that failed or was cut off was not served within any bound: it is
// slower than all that succeeded.
func ofAll(histogram string, q float64) formula {
	return func(m *measurement) (float64, bool) {
		if m.ok == 0 && m.trial.Arrivals > 0 && m.trial.Status != result.StatusFailed {
			return NotServed, true // of a call of a mix that always fails, which has no histogram
		}
		ofOK, ok := quantile(histogram, q)(m)
		if !ok || m.ok == m.trial.Arrivals {
			return ofOK, ok
		}
		rank := record.RankOf(q, m.trial.Arrivals)
		if rank > m.ok {
			return NotServed, true
		}
		return float64(m.okAtRank(histogram, rank)), true
	}
}

// okAtRank returns the value of a rank among OK calls, of a histogram that may have lower bounds of others too: one that is short
// is not a fast call. What older workers cut off is not told apart, so each is taken for faster than the one of the rank.
func (m *measurement) okAtRank(histogram string, rank int64) int64 {
	h, bounds := m.histograms[histogram], m.histograms[result.HistBound]
	others := h.TotalCount() - m.ok
	switch {
	case others <= 0:
		return record.AtRank(h, rank)
	case bounds != nil && bounds.TotalCount() == others:
		return record.AtRank(record.Without(h, bounds), rank)
	default:
		return record.AtRank(h, rank+others)
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

// IsServed reports whether a value of the metric, or a median, comes from calls that were served. The middle between another
// value and NotServed does not: it is at least half of it, for which nobody waits.
func (m Metric) IsServed(value float64) bool { return !m.IsOfAll() || value < NotServed/2 }

// IsServed is Metric.IsServed of a metric by its name. Values of another tool's metric always are.
func IsServed(metric string, value float64) bool {
	m, known := Find(metric)
	return !known || m.Judged().IsServed(value)
}

// Summarize summarizes values of the metric, at least one, as Served has it.
func (m Metric) Summarize(values []float64) stat.Summary { return m.Served(stat.Summarize(values)) }

// Served is a summary of values of the metric with a median that is either NotServed or comes from calls that were served.
func (m Metric) Served(s stat.Summary) stat.Summary {
	if !m.IsServed(s.Median) {
		s.Median = NotServed
	}
	return s
}

// Bound returns a ratio of values b to values a of the metric, with +Inf for what is greater than any two served values can make
// it, and 0 for what is less: in it is NotServed, which is no time.
func (m Metric) Bound(ratio stat.Estimate, a, b []float64) stat.Estimate {
	servedA, servedB := m.served(a), m.served(b)
	var least, most float64
	switch {
	case len(servedA) == len(a) && len(servedB) == len(b), len(servedA) == 0 && len(servedB) == 0:
		return ratio
	case len(servedA) == 0:
		least, most = math.Inf(1), math.Inf(1) // all is less
	case len(servedB) == 0:
		// all is more
	default:
		least, most = slices.Min(servedB)/slices.Max(servedA), slices.Max(servedB)/slices.Min(servedA)
	}
	for _, end := range []*float64{&ratio.Value, &ratio.Lo, &ratio.Hi} {
		switch {
		case *end > most:
			*end = math.Inf(1)
		case *end < least:
			*end = 0
		}
	}
	return ratio
}

// served returns the values that are.
func (m Metric) served(values []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), func(value float64) bool { return !m.IsServed(value) })
}
