package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/compare"
	"rpcbench/internal/stat"
)

// meanings says in sentences what the rows of a table mean together: what a message and an operation cost, what batching
// gains at each distance, and where adding callers stops to pay.
func meanings(rows []*compare.Row, maxLatency time.Duration) []string {
	var lines []string
	for _, fit := range compare.BatchFits(rows) {
		if words := batchMeaning(fit, maxLatency); words != "" {
			lines = append(lines, fmt.Sprintf("%s: %s.", nameAmong(fit.Rows[0], rows, batchHead), words))
		}
	}
	lines = append(lines, distanceMeanings(rows)...)
	for _, fit := range compare.ScalingFits(rows) {
		lines = append(lines, scalingMeaning(fit, nameAmong(fit.Rows[0], rows, sweptHeads...)))
	}
	return lines
}

// nameAmong names a row by its stack and by what rows differ in, the named axes left out.
func nameAmong(row *compare.Row, rows []*compare.Row, without ...string) string {
	parts := []string{row.Key.Stack}
	if row.IsFloor() {
		parts[0] += " (floor)"
	}
	for _, a := range allAxes {
		if slices.Contains(without, a.head) || len(a.values(rows)) < 2 {
			continue
		}
		if value := a.of(row.Key); value != "" {
			parts = append(parts, a.head+" "+value)
		}
	}
	return strings.Join(parts, ", ")
}

// batchMeaning is "" where there is nothing to say: two batches are a comparison, and no line is missed.
func batchMeaning(fit compare.BatchFit, maxLatency time.Duration) string {
	var sentences []string
	switch {
	case fit.Err == nil:
		sentences = append(sentences, lineWords(fit))
	case len(fit.Rows) >= stat.LinePoints:
		sentences = append(sentences, fmt.Sprintf("no line of time per message over batches: %v", fit.Err))
	}
	if maxLatency > 0 {
		sentences = append(sentences, bestWords(fit, maxLatency))
	}
	return strings.Join(sentences, ". ")
}

// lineWords is "a message costs 105 µs (98–112) by itself, an operation adds 0.41 µs (0.40–0.42); half of the best rate,
// 2,439,024 operations/s, is reached at batch 256 (240–272)".
func lineWords(fit compare.BatchFit) string {
	line := fit.Line
	words := "a message costs "
	if slots := fit.Rows[0].Key.Slots(); slots > 1 {
		words = fmt.Sprintf("with %d in flight, a message costs a share of ", slots)
	}
	words += fmt.Sprintf("%s by itself, an operation adds %s", spanWords(line.A), spanWords(line.B))
	half, ok := line.Half()
	switch {
	case ok:
		words += fmt.Sprintf("; half of the best rate, %s operations/s, is reached at batch %s (%s–%s)",
			grouped(1e9/line.B.Value, 0), rounded(half.Value), rounded(half.Lo), rounded(half.Hi))
	case line.B.Lo <= 0:
		words += "; what it adds can't be told from nothing, so that no best rate is in sight"
	default:
		words += "; what a message costs by itself can't be told from nothing, so that larger batches gain little"
	}
	if !line.Fits() {
		words += fmt.Sprintf(". The line is a bad fit: at batch %s the time is %s it", grouped(line.X, 0), offWords(line.Misfit))
	}
	return words
}

// bestWords names the best batch within a limit.
func bestWords(fit compare.BatchFit, limit time.Duration) string {
	best := fit.BestUnder(limit)
	if best == nil {
		return fmt.Sprintf("No batch that was measured keeps its p99 within %v", limit)
	}
	rate, _ := best.Summary(compare.OperationsPerSec)
	p99, _ := best.Summary(compare.ResponseP99Ns)
	words := fmt.Sprintf("Within a p99 of %v batch %s is the best, with %s operations/s at %s", limit,
		counted(best.Key.Batch), grouped(rate.Median, 0), span(p99.Median))
	if best == fit.Rows[len(fit.Rows)-1] {
		words += "; larger ones were not measured"
	}
	return words
}

// distanceMeanings says what the largest batch gains over batches of 1 at each distance.
func distanceMeanings(rows []*compare.Row) []string {
	var lines []string
	for _, fits := range byDistance(rows) {
		var gains []string
		batch := 0
		for _, fit := range fits {
			most := fit.Rows[len(fit.Rows)-1]
			if gain, ok := most.BatchSpeedup(); ok && (batch == 0 || batch == most.Key.Batch) {
				batch = most.Key.Batch
				gains = append(gains, fmt.Sprintf("%s× over %s", grouped(gain, significant(gain)), linkOf(most.Key)))
			}
		}
		if len(gains) > 1 {
			lines = append(lines, fmt.Sprintf("%s: batch %s gains %s.",
				nameAmong(fits[0].Rows[0], rows, batchHead, linkHead), counted(batch), strings.Join(gains, ", ")))
		}
	}
	return lines
}

// byDistance puts those fits together that differ in their link only.
func byDistance(rows []*compare.Row) [][]compare.BatchFit {
	var groups [][]compare.BatchFit
	var keys []compare.Key
	for _, fit := range compare.BatchFits(rows) {
		key := fit.Rows[0].Key
		key.Batch, key.Link, key.LinkRTTNs = 0, "", 0
		i := slices.Index(keys, key)
		if i < 0 {
			i = len(keys)
			keys, groups = append(keys, key), append(groups, nil)
		}
		groups[i] = append(groups[i], fit)
	}
	return groups
}

// sweptHeads are the axes that a sweep of callers runs along.
var sweptHeads = []string{"shape", "streams"}

// doublingPays is the least that twice as many callers should add to the rate.
const doublingPays = 0.1

// scalingMeaning says where adding callers stops to pay.
func scalingMeaning(fit compare.ScalingFit, name string) string {
	name += ", more " + fit.Over
	if fit.Err != nil {
		return fmt.Sprintf("%s: no universal scalability law: %v.", name, fit.Err)
	}
	s, most := fit.Scaling, float64(fit.Rows[len(fit.Rows)-1].Key.Slots())
	words := fmt.Sprintf("%s: %s", name, peakWords(s, most))
	if n, ok := s.StopsPaying(doublingPays); ok && float64(n) <= most {
		words += fmt.Sprintf("; from %s callers on, twice as many add less than %.0f%%", grouped(float64(n), 0), 100*doublingPays)
	}
	words += fmt.Sprintf(" (universal scalability law with λ %s calls/s, σ %s, κ %s).", grouped(s.Lambda, 0),
		coefficient(s.Sigma), coefficient(s.Kappa))
	if !s.Fits() {
		words += fmt.Sprintf(" The law is a bad fit: with %s callers the rate is %s it.", grouped(s.X, 0), offWords(s.Misfit))
	}
	return words
}

func peakWords(s stat.Scaling, most float64) string {
	peak, ok := s.Peak()
	switch {
	case !ok:
		return fmt.Sprintf("the rate has no peak and nears %s calls/s", grouped(s.Lambda/s.Sigma, 0))
	case peak > most:
		return fmt.Sprintf("the rate still grows at %s callers, the most that were measured; the peak would be at about %s",
			grouped(most, 0), rounded(peak))
	default:
		return fmt.Sprintf("the rate peaks at about %s callers with %s calls/s", rounded(peak), grouped(s.Rate(peak), 0))
	}
}

// offWords is "14% above".
func offWords(m stat.Misfit) string {
	side := "above"
	if m.Relative < 0 {
		side = "below"
	}
	return fmt.Sprintf("%.0f%% %s", 100*math.Abs(m.Relative), side)
}

// spanWords is "105 µs (98.1–112)".
func spanWords(e stat.Estimate) string {
	unit := unitOf(e.Value)
	value := func(ns float64) string { return grouped(ns/unit.by, lone(math.Abs(e.Value)/unit.by)) }
	return fmt.Sprintf("%s %s (%s–%s)", value(e.Value), unit.unit, value(e.Lo), value(e.Hi))
}

// span is "105 µs".
func span(ns float64) string {
	unit := unitOf(ns)
	return grouped(ns/unit.by, lone(ns/unit.by)) + " " + unit.unit
}

func unitOf(ns float64) scale {
	switch size := math.Abs(ns); {
	case size >= milliseconds.by:
		return milliseconds
	case size >= 100:
		return microseconds
	default:
		return scale{"ns", 1}
	}
}

// rounded prints a number of things that can be counted; below 10 with one decimal, because it is an estimate.
func rounded(n float64) string {
	if n < 10 {
		return grouped(n, 1)
	}
	return grouped(n, 0)
}

// coefficient prints three digits, and 0 as such.
func coefficient(value float64) string {
	if value == 0 {
		return "0"
	}
	return grouped(value, lone(value))
}
