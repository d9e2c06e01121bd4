package report

import (
	"fmt"
	"strconv"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/note"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/record"
)

// pooled are the percentiles over all calls of all trials of a row.
var pooled = []struct {
	name     string // in JSON
	quantile float64
}{{"response_p50_ns", 0.5}, {"response_p99_ns", 0.99}, {"response_p999_ns", 0.999}}

// trialBlocks show what medians over trials hide: each trial, the worst one, and percentiles of all calls together.
func trialBlocks(r *analysis.Report) document.Document {
	table := &document.Table{Columns: []document.Column{
		{Head: "trials of"}, {Head: "metric"}, {Head: "in order"}, {Head: "worst", Right: true}, {Head: "trial", Right: true},
		{Head: "pooled p50", Right: true}, {Head: "p99", Right: true}, {Head: "p99.9", Right: true},
	}}
	for _, row := range r.Rows {
		if len(row.Trials) == 0 {
			continue
		}
		d := row.Headline().Declare()
		worst, repetition := "–", "–"
		if trial, value, found := worstOf(row); found {
			worst, repetition = d.Kind.Unit().Text(value), strconv.Itoa(trial.Repetition)
		}
		table.Append(append(document.Texts(row.Trials[0].Spec.String(), d.Name, note.Strip(row), worst, repetition),
			document.Texts(pooledTexts(row)...)...)...)
	}
	return document.Document{document.Heading("Trials"), table, document.Notes{Lines: []string{
		"Pooled percentiles are over all calls of a row's trials, so a trial with more calls weighs more. – is a percentile of " +
			"too few calls, or of calls whose times can't be merged: a p99 needs " +
			number.Whole(stat.SamplesNeeded(0.99)) + ", a p99.9 " + number.Whole(stat.SamplesNeeded(0.999)) + ".",
	}}}
}

// worstOf is the trial with the worst headline; found is false if none has one.
func worstOf(row *analysis.Row) (worst *analysis.Trial, value float64, found bool) {
	d := row.Headline().Declare()
	for _, trial := range row.Trials {
		v, ok := trial.Value(d.Metric)
		isWorse := v > value
		if d.Kind.Better() == stat.Higher {
			isWorse = v < value
		}
		if ok && (!found || isWorse) {
			worst, value, found = trial, v, true
		}
	}
	return worst, value, found
}

func pooledTexts(row *analysis.Row) []string {
	texts := make([]string, len(pooled))
	for i, ns := range pooledOf(row) {
		if texts[i] = "–"; ns > 0 {
			texts[i] = number.Duration(float64(ns))
		}
	}
	return texts
}

// pooledOf are the percentiles of all calls in ns; 0 is one of too few calls, or of trials whose histograms don't merge.
func pooledOf(row *analysis.Row) []int64 {
	values := make([]int64, len(pooled))
	all, err := row.Merged(result.HistResponse)
	if err != nil || all == nil || row.Spec.Coding() {
		return values
	}
	for i, p := range pooled {
		if all.TotalCount() >= int64(stat.SamplesNeeded(p.quantile)) {
			values[i] = record.Quantile(all, p.quantile)
		}
	}
	return values
}

// CheckTrials refuses formats that have no place for trials.
func CheckTrials(format string) error {
	if IsForPeople(format) {
		return nil
	}
	return fmt.Errorf("--trials-shown: --format %s does not show it; text, markdown and html do, and json has every trial",
		format)
}
