package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/report/note"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/record"
)

// A timedCall is a time of calls that a page has a line of.
type timedCall struct {
	name, histogram string
	meaning         string // where the load is open, or calls failed
}

var pageTimes = []timedCall{
	{"response", result.HistResponse, "from when a call was due until it was answered"},
	{"service", result.HistService, "from when it was sent"},
	{"queue", result.HistQueue, "waiting for a free slot"},
	{"wake", result.HistWake, "sent late by the instrument"},
	{"failed", result.HistError, "calls that failed"},
}

// latencyBlocks are the percentiles of a page, and the distribution of the response as bars.
func latencyBlocks(row *analysis.Row) (document.Document, error) {
	table := &document.Table{Caption: "Latency", Columns: []document.Column{{Head: "", Key: true}}}
	for _, s := range latencyStats {
		table.Columns = append(table.Columns, document.Column{Head: s.name, Right: true})
	}
	var meanings []string
	for _, l := range pageTimes {
		trials, err := note.Decoded(row, l.histogram)
		if err != nil {
			return nil, err
		}
		if len(trials) == 0 || row.Spec.Closed() && l.histogram == result.HistService || idle(trials) {
			continue
		}
		meanings = append(meanings, l.name+": "+l.meaningOf(row))
		appendLatency(table, l.name, trials)
	}
	if table.Height() == 0 {
		return nil, nil
	}
	if len(meanings) < 2 {
		meanings = nil
	}
	if n := len(row.Trials); n > 1 {
		meanings = append(meanings, "from, to: "+naming.Spread(n, n))
	}
	table.Detail = strings.Join(meanings, " · ")
	table.Notes = fewCallsNote(table)
	bars, err := responseBars(row)
	if err != nil || bars == nil {
		return document.Document{table}, err
	}
	return document.Document{table, *bars}, nil
}

// meaningOf explains the time under a row's load: in a closed loop a call is due when it is sent.
func (l timedCall) meaningOf(row *analysis.Row) string {
	if row.Spec.Closed() {
		return strings.Replace(l.meaning, "was due", "was sent", 1)
	}
	return l.meaning
}

// idle reports whether hardly a call had such a time: none waited for a slot.
func idle(trials []*hdrhistogram.Histogram) bool {
	for _, h := range trials {
		if record.Quantile(h, 0.99) > 0 {
			return false
		}
	}
	return true
}

// latencyStats are the statistics of a time on a page.
var latencyStats = []struct {
	name     string
	quantile float64 // 0 is the mean
}{{"mean", 0}, {"p50", 0.5}, {"p75", 0.75}, {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1}}

// statOf is one of latencyStats, and whether the calls are enough for it.
func statOf(h *hdrhistogram.Histogram, q float64) (value float64, enough bool) {
	switch q {
	case 0:
		return h.Mean(), true
	case 1:
		return float64(record.Quantile(h, q)), true
	default:
		return float64(record.Quantile(h, q)), h.TotalCount() >= int64(stat.SamplesNeeded(q))
	}
}

// fewCallsNote explains the mark by the lowest percentile that has it.
func fewCallsNote(table *document.Table) []string {
	for i, c := range table.Columns {
		for _, cell := range c.Cells {
			if i > 0 && strings.HasSuffix(cell.Text, fewCalls) {
				return fewWords("calls", latencyStats[i-1].quantile, "a trial")
			}
		}
	}
	return nil
}

// appendLatency adds a line of medians over trials, and below it the ends of their spread where there are several.
func appendLatency(table *document.Table, name string, trials []*hdrhistogram.Histogram) {
	medians, lows, highs := document.Texts(name), document.Texts("  from"), document.Texts("  to")
	for _, of := range latencyStats {
		values, mark := make([]float64, len(trials)), ""
		for i, h := range trials {
			value, enough := statOf(h, of.quantile)
			if values[i] = value; !enough {
				mark = fewCalls
			}
		}
		s := stat.Summarize(values)
		medians = append(medians, document.Cell{Text: number.Duration(s.Median) + mark})
		lows = append(lows, document.Cell{Text: number.Duration(s.Lo)})
		highs = append(highs, document.Cell{Text: number.Duration(s.Hi)})
	}
	table.Append(medians...)
	table.Lines = append(table.Lines, document.Line{})
	if len(trials) > 1 {
		table.Append(lows...)
		table.Append(highs...)
		table.Lines = append(table.Lines, document.Line{Quiet: true}, document.Line{Quiet: true})
	}
}

// responseBars draw how many calls took how long, over all trials.
func responseBars(row *analysis.Row) (*document.Bars, error) {
	h, err := row.Merged(result.HistResponse)
	if err != nil || h == nil || h.TotalCount() == 0 {
		return nil, err
	}
	bounds := barBounds(float64(h.Min()), float64(h.Max()))
	counts := make([]int64, len(bounds)-1)
	at := 0
	for _, bar := range h.Distribution() {
		for at+1 < len(counts) && float64(bar.From) >= bounds[at+1] {
			at++
		}
		counts[at] += bar.Count
	}
	bars := &document.Bars{Caption: "Response times of " + timedWords(row, h.TotalCount())}
	for i, count := range counts {
		bars.Bars = append(bars.Bars, document.Bar{
			Name: barWords(bounds[i], bounds[i+1]), Length: float64(count),
			Figures: []string{number.Whole(count), number.Share(count, h.TotalCount())},
		})
	}
	return bars, nil
}

// timedWords is "138 OK calls, and lower bounds of 422 others", of all in a histogram of responses.
func timedWords(row *analysis.Row, all int64) string {
	censored := row.Censored()
	words := number.Count(all-censored, "OK call")
	if censored > 0 {
		words += ", and lower bounds of " + number.Count(censored, "other")
	}
	return words
}

// maxBars is the maximum number of bars on a page, which must fit the screen together with the other figures.
const maxBars = 11

// barSteps are the bounds of bars in a decade, from the finest. They are round, so that a bar can be said in words.
var barSteps = [][]float64{
	{1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.4, 2.7, 3, 3.3, 3.6, 4, 4.5, 5, 5.5, 6, 6.5, 7, 8, 9},
	{1, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 4, 5, 6, 7, 8},
	{1, 1.5, 2, 3, 5, 7}, {1, 2, 5}, {1, 3}, {1},
}

// barBounds returns the bounds of bars from the smallest to the largest value, as fine as maxBars allows.
func barBounds(least, most float64) []float64 {
	var bounds []float64
	for _, steps := range barSteps {
		if bounds = boundsBy(steps, max(least, 1), max(most, 1)); len(bounds) <= maxBars+1 {
			break
		}
	}
	return bounds
}

// boundsBy returns the steps around the values: the last that is not above least, and so on up to the first above most.
func boundsBy(steps []float64, least, most float64) []float64 {
	var bounds []float64
	for decade := math.Pow(10, math.Floor(math.Log10(least))); ; decade *= 10 {
		for _, step := range steps {
			bound := math.Round(decade*step*10) / 10
			if bound <= least {
				bounds = bounds[:0]
			}
			bounds = append(bounds, bound)
			if bound > most {
				return bounds
			}
		}
	}
}

// barWords is "200 – 500 µs", or "500 µs – 1.0 ms".
func barWords(from, to float64) string {
	words := func(ns float64) (figure, unit string) {
		scale := number.Nanoseconds.Scale(ns)
		return number.Short(math.Round(ns/scale.By*100) / 100), scale.Name
	}
	low, lowUnit := words(from)
	high, highUnit := words(to)
	if lowUnit == highUnit {
		return fmt.Sprintf("%s – %s %s", low, high, highUnit)
	}
	return fmt.Sprintf("%s %s – %s %s", low, lowUnit, high, highUnit)
}
