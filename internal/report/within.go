package report

import (
	"fmt"
	"slices"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// withinTimes are the timed parts of messages within calls.
var withinTimes = []struct {
	words         func(plan.Spec) string
	histogram     string
	p50, p99, max analysis.Metric
}{
	{
		words: always("call sent to first reply"), histogram: result.HistFirstReply,
		p50: analysis.FirstReplyP50Ns, p99: analysis.FirstReplyP99Ns, max: analysis.FirstReplyMaxNs,
	}, {
		words: always("reply to next reply"), histogram: result.HistReplyGap,
		p50: analysis.ReplyGapP50Ns, p99: analysis.ReplyGapP99Ns, max: analysis.ReplyGapMaxNs,
	}, {
		words: messageFrom, histogram: result.HistMessage,
		p50: analysis.MessageP50Ns, p99: analysis.MessageP99Ns, max: analysis.MessageMaxNs,
	}, {
		words: always("message due to sent"), histogram: result.HistMessageLag,
		p50: analysis.MessageLagP50Ns, p99: analysis.MessageLagP99Ns, max: analysis.MessageLagMaxNs,
	},
}

func always(words string) func(plan.Spec) string {
	return func(plan.Spec) string { return words }
}

// messageFrom says when the timing of a stream's message begins.
func messageFrom(s plan.Spec) string {
	if s.MessageRatePerSec > 0 {
		return "message due to reply"
	}
	return "message sent to reply"
}

// showsWithin reports whether a row has times of messages within its calls.
func showsWithin(row *analysis.Row) bool {
	for _, w := range withinTimes {
		if _, ok := row.Summary(w.p50); ok {
			return true
		}
	}
	return false
}

// withinTables are those of the parts of rows: the calls of a mix, and the messages within calls. There are none where no row has
// either.
func withinTables(rows []*analysis.Row) []*document.Table {
	tables := mixedTables(rows)
	if slices.ContainsFunc(rows, showsWithin) {
		tables = append(tables, withinTable(rows))
	}
	return tables
}

// withinTable shows the times within the calls of rows, one per line.
func withinTable(rows []*analysis.Row) *document.Table {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r *analysis.Row) bool { return !showsWithin(r) })
	t := &document.Table{Caption: "Messages within calls", Detail: "of all calls, failed ones included",
		Columns: []document.Column{
			{Head: "stack", Key: true}, {Head: "from … to …", Key: true}, {Head: "times", Right: true}, {Head: "p50", Right: true},
			{Head: "p99", Right: true}, {Head: "max", Right: true},
		}}
	varying, _ := naming.Axes(rows)
	for i, row := range rows {
		name := naming.Row(rows, varying, i)
		for _, w := range withinTimes {
			if _, ok := row.Summary(w.p50); !ok {
				continue
			}
			t.Append(append(document.Texts(name, w.words(row.Spec), number.Whole(timed(row, w.histogram))),
				marked(cell.Of(summaryOf(row, w.p50), ownTimes, true), isOfFew(row, w.p50)),
				marked(cell.Of(summaryOf(row, w.p99), ownTimes, false), isOfFew(row, w.p99)),
				cell.Of(summaryOf(row, w.max), ownTimes, false))...)
			name = ""
		}
		if s, ok := row.Summary(analysis.UnpairedReplies); ok && s.Median > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: %s only in the first reply's figure.", naming.Row(rows, varying, i),
				unpairedWords(int64(s.Median))))
		}
	}
	t.Notes = append(t.Notes, fewNote("times", rows, withinPercentiles()...)...)
	return t
}

// withinPercentiles are those of the table, the lower ones first.
func withinPercentiles() []analysis.Metric {
	var p50s, p99s []analysis.Metric
	for _, w := range withinTimes {
		p50s, p99s = append(p50s, w.p50), append(p99s, w.p99)
	}
	return slices.Concat(p50s, p99s)
}

func unpairedWords(replies int64) string {
	if replies == 1 {
		return "1 reply per trial matches no waiting message, and is"
	}
	return number.Whole(replies) + " replies per trial match no waiting message, and are"
}

// timed returns the number of times of a kind in the row's trials.
func timed(row *analysis.Row, histogram string) int64 {
	all, err := row.Merged(histogram)
	if err != nil || all == nil {
		return 0 // each was read when the row was made
	}
	return all.TotalCount()
}
