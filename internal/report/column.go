package report

import (
	"slices"
	"strings"

	"rpcbench/internal/report/cell"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/stat"
)

// A rowColumn is a column of CSV that is neither of a row's key nor of a metric. A Value is a string, an int64, a float64, a
// decimal, or nil where it is absent.
type rowColumn struct {
	name       string
	of         func(*analysis.Row) any
	is, absent string // for the manual, as analysis.Declaration has them
}

// leading are the columns between a row's key and its metrics.
var leading = []rowColumn{
	{"verdict", func(r *analysis.Row) any { return r.Verdict() }, "[the most severe](#verdicts)", ""},
	{"verdict_reason", func(r *analysis.Row) any { return cell.Present(verdictReason(r)) },
		"the figure that decided the verdict, and its bound; of a FAILED or LOST_CLIENT row why its first trial failed", "OK"},
	{"trials", func(r *analysis.Row) any { return int64(len(r.Trials)) }, "trials that succeeded", ""},
	{"spread", func(r *analysis.Row) any { return cell.Present(r.Spread()) },
		"kind of interval in `_lo` and `_hi` of the headline: `min-max` where fewer than 6 trials have it, otherwise `ci95`",
		"no trial succeeded"},
	{"calls", func(r *analysis.Row) any { return r.Calls },
		"calls that were due in these trials; of a FAILED row, in the failed ones", ""},
	{"errors", func(r *analysis.Row) any { return r.Errors() }, "calls that were not OK", ""},
	{"errors_by_code", func(r *analysis.Row) any { return cell.Present(r.ErrorsByCode()) }, "`UNAVAILABLE=3;UNSENT=7`", "no errors"},
	ratioColumn(analysis.FloorTimes),
}

// countedAt is printed after the metrics that it describes.
var countedAt = rowColumn{"wire_counted_at", func(r *analysis.Row) any { return cell.Present(r.WireCountedAt()) },
	"which side counted them: `client`, `server`, or `client;server` where trials differ", "unknown"}

// columns returns the columns of CSV in their order, the same for every row of a report. Those of a client are there by client.
func columns(row *analysis.Row, experiments []*pairs.Experiment, byClient bool) []analysis.Field {
	fields := row.SealedFields()
	add := func(c rowColumn) { fields = append(fields, analysis.Field{Name: c.name, Value: c.of(row)}) }
	for _, c := range leading {
		add(c)
	}
	for _, d := range analysis.Declarations() {
		if d.Has(analysis.InCSV) && !d.Has(analysis.Appended) {
			fields = append(fields, figure(row, d)...)
		}
		if d.Metric == analysis.WireInPerOperation {
			add(countedAt)
		}
	}
	fields = append(fields, row.AppendedFields()...)
	for _, d := range analysis.Declarations() {
		if d.Has(analysis.InCSV | analysis.Appended) {
			fields = append(fields, figure(row, d)...)
		}
	}
	for _, c := range trailing {
		add(c)
	}
	fields = slices.Concat(fields, row.LatestFields(), pairFields(row, experiments))
	if byClient {
		fields = append(fields, clientFields(row)...)
	}
	return fields
}

// isByClient reports whether rows are of single clients. A point is a row of none where all trials failed before there was one.
func isByClient(rows []*analysis.Row) bool {
	return slices.ContainsFunc(rows, func(row *analysis.Row) bool { return row.Key.Client > 0 })
}

func clientFields(row *analysis.Row) []analysis.Field {
	client, clientHost := any(nil), any(nil)
	if number, host := row.Client(); number > 0 {
		client, clientHost = int64(number), host
	}
	return []analysis.Field{{Name: "client", Value: client}, {Name: "client_host", Value: clientHost}}
}

// trailing are the columns that came last.
var trailing = slices.Concat(intervalOf(analysis.FloorTimes, "95% by bootstrap over the trials of both rows where each has 6; "+
	"below that the smallest ratio that trials can make", "as floor_ratio, and for the floor itself"), []rowColumn{
	{"too_few_calls_for", func(r *analysis.Row) any { return cell.Present(columnNames(r.TooFewCallsFor())) },
		"columns of percentiles that need more calls than half of the trials have, such as `response_p99_ns;response_p999_ns`; their " +
			"values are closer to the longest call", "none"},
}, withInterval(analysis.ProtobufTimes), withInterval(analysis.BatchTimes), withInterval(analysis.PatternTimes),
	withInterval(analysis.LinkTimes))

// withInterval are the columns of a ratio.
func withInterval(q analysis.Ratio) []rowColumn {
	return append([]rowColumn{ratioColumn(q)},
		intervalOf(q, "as floor_ratio_lo", "as "+q.Name+", and for the row that others are set against")...)
}

func ratioColumn(q analysis.Ratio) rowColumn {
	return rowColumn{q.Name, func(r *analysis.Row) any { return ratioOf(r, q) }, q.Meaning, q.Absent}
}

// intervalOf are the columns of the ends of a ratio's interval.
func intervalOf(q analysis.Ratio, how, absent string) []rowColumn {
	end := func(of func(stat.Ratio) float64) func(*analysis.Row) any {
		return func(r *analysis.Row) any {
			if interval, ok := q.Interval(r); ok {
				return cell.Decimal(of(interval))
			}
			return nil
		}
	}
	return []rowColumn{
		{q.Name + "_lo", end(func(i stat.Ratio) float64 { return i.Lo }), "lower end of the interval of `" + q.Name + "`: " + how,
			absent},
		{q.Name + "_hi", end(func(i stat.Ratio) float64 { return i.Hi }), "upper end", "as " + q.Name + "_lo"},
	}
}

// columnNames joins those of metrics.
func columnNames(metrics []analysis.Metric) string {
	names := make([]string, len(metrics))
	for i, m := range metrics {
		names[i] = string(m)
	}
	return strings.Join(names, ";")
}

// verdictReason is the figure that decided the row's verdict.
func verdictReason(row *analysis.Row) string {
	if doubts := row.Doubts(); len(doubts) > 0 {
		return doubts[0].Why
	}
	return ""
}

// figure returns the column of a metric, and those of its spread behind it where it has them.
func figure(row *analysis.Row, d analysis.Declaration) []analysis.Field {
	median, lo, hi := any(nil), any(nil), any(nil)
	if s, ok := row.Summary(d.Metric); ok {
		median, lo, hi = cell.Exact(d.Metric, s.Median), cell.Exact(d.Metric, s.Lo), cell.Exact(d.Metric, s.Hi)
	}
	name := string(d.Metric)
	fields := []analysis.Field{{Name: name, Value: median}}
	if d.Has(analysis.Spread) {
		fields = append(fields, analysis.Field{Name: name + "_lo", Value: lo}, analysis.Field{Name: name + "_hi", Value: hi})
	}
	return fields
}

func ratioOf(row *analysis.Row, q analysis.Ratio) any {
	if ratio, ok := q.Of(row); ok {
		return cell.Decimal(ratio)
	}
	return nil
}
