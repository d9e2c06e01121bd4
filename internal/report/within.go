package report

import (
	"fmt"
	"slices"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// withinTimes are what is timed of the messages within calls.
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

// messageFrom says what a message of a stream is timed from.
func messageFrom(s plan.Spec) string {
	if s.MessageRatePerSec > 0 {
		return "message due to reply"
	}
	return "message sent to reply"
}

// showsWithin tells whether a row has times of messages within its calls.
func showsWithin(row *analysis.Row) bool {
	for _, w := range withinTimes {
		if _, ok := row.Summary(w.p50); ok {
			return true
		}
	}
	return false
}

// withinView is a table of what took how long within the calls of rows, each time in a line.
func withinView(rows []*analysis.Row) *view {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r *analysis.Row) bool { return !showsWithin(r) })
	v := &view{caption: "Messages within calls", detail: "of all calls, failed ones included"}
	varying, _ := axes(rows)
	stacks, words := column{head: "stack"}, column{head: "from … to …"}
	times, p50 := column{head: "times", right: true}, column{head: "p50", right: true}
	p99, most := column{head: "p99", right: true}, column{head: "max", right: true}
	for i, row := range rows {
		name := rowName(rows, varying, i)
		for _, w := range withinTimes {
			if _, ok := row.Summary(w.p50); !ok {
				continue
			}
			stacks.cells = append(stacks.cells, cell{value: name})
			words.cells = append(words.cells, cell{value: w.words(row.Spec)})
			times.cells = append(times.cells, cell{value: number.Whole(timed(row, w.histogram))})
			p50.cells = append(p50.cells, cellOf(summaryOf(row, w.p50), ownTimes, true))
			p99.cells = append(p99.cells, cellOf(summaryOf(row, w.p99), ownTimes, false))
			most.cells = append(most.cells, cellOf(summaryOf(row, w.max), ownTimes, false))
			name = ""
		}
		if s, ok := row.Summary(analysis.UnpairedReplies); ok && s.Median > 0 {
			v.notes = append(v.notes, fmt.Sprintf("%s: %s per trial match no waiting message, and are only in "+
				"the first reply's figure.", rowName(rows, varying, i), repliesWords(int64(s.Median))))
		}
	}
	v.columns = []column{stacks, words, times, p50, p99, most}
	return v
}

func repliesWords(n int64) string {
	if n == 1 {
		return "1 reply"
	}
	return number.Whole(n) + " replies"
}

// timed is how many times of a sort the row's trials have.
func timed(row *analysis.Row, histogram string) int64 {
	all, err := row.Merged(histogram)
	if err != nil || all == nil {
		return 0 // each was read when the row was made
	}
	return all.TotalCount()
}
