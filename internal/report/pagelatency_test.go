package report

import (
	"slices"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/report/document"
	"rpcbench/internal/worker/record"
)

// A p99 needs 368 calls in each trial, a p99.9 3,688 (see stat.SamplesNeeded).
func TestAPercentileOfTooFewCallsIsMarked(t *testing.T) {
	t.Parallel()
	histogram := func(calls int64) *hdrhistogram.Histogram {
		h := record.NewHistogram()
		_ = h.RecordValues(1_000_000, calls)
		return h
	}
	for _, c := range []struct {
		calls  []int64
		marked []string
		note   string
	}{
		{[]int64{3688}, nil, ""},
		{[]int64{3687}, []string{"p99.9"}, "?: too few calls for this percentile. A p99.9 needs at least 3,688 in a trial."},
		{[]int64{9999, 3687}, []string{"p99.9"}, "?: too few calls for this percentile. A p99.9 needs at least 3,688 in a trial."},
		{[]int64{367}, []string{"p99", "p99.9"}, "?: too few calls for this percentile. A p99 needs at least 368 in a trial."},
	} {
		table := &document.Table{Columns: []document.Column{{Key: true}}}
		var trials []*hdrhistogram.Histogram
		for _, of := range latencyStats {
			table.Columns = append(table.Columns, document.Column{Head: of.name})
		}
		for _, calls := range c.calls {
			trials = append(trials, histogram(calls))
		}
		appendLatency(table, "response", trials)
		var marked []string
		for _, column := range table.Columns {
			if column.Cells[0].Text == "1.00 ms?" {
				marked = append(marked, column.Head)
			}
		}
		if !slices.Equal(marked, c.marked) {
			t.Errorf("of %v calls %v are marked, want %v", c.calls, marked, c.marked)
		}
		if notes := fewCallsNote(table); c.note == "" && len(notes) > 0 || c.note != "" && !slices.Equal(notes, []string{c.note}) {
			t.Errorf("of %v calls: %q", c.calls, notes)
		}
	}
}
