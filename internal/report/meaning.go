package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// meanings says in sentences what the rows of a table mean together: the cost of a message and of an operation, the gain of
// batching at each distance, and where adding callers stops paying off.
func meanings(rows []*analysis.Row, maxLatency time.Duration) []string {
	var lines, open []string
	for _, fit := range analysis.BatchFits(rows) {
		name := naming.Among(fit.Rows[0], rows, naming.BatchHead)
		if needsTrials(fit) {
			open = append(open, name)
		}
		if words := batchMeaning(fit, maxLatency); words != "" {
			lines = append(lines, fmt.Sprintf("%s: %s.", name, words))
		}
	}
	if len(open) > 0 {
		lines = append(lines, fmt.Sprintf("One trial per batch size is too few to separate the cost of a message "+
			"from that of an operation (%s). Measure more (--trials 3).", strings.Join(open, "; ")))
	}
	lines = append(lines, distanceMeanings(rows)...)
	for _, fit := range analysis.ScalingFits(rows) {
		lines = append(lines, scalingMeaning(fit, naming.Among(fit.Rows[0], rows, naming.SweptHeads...)))
	}
	return lines
}

// batchMeaning is "" where there is nothing to say: two batches are a comparison, and no line is missed.
func batchMeaning(fit analysis.BatchFit, maxLatency time.Duration) string {
	var sentences []string
	switch {
	case fit.Err == nil && !needsTrials(fit):
		sentences = append(sentences, lineWords(fit))
	case fit.Err != nil && len(fit.Rows) >= stat.LinePoints:
		sentences = append(sentences, fmt.Sprintf("no line could be fitted to the time per message by batch size: %v", fit.Err))
	}
	if maxLatency > 0 {
		sentences = append(sentences, bestWords(fit, maxLatency))
	}
	return strings.Join(sentences, ". ")
}

// needsTrials reports whether a line is unknown because each batch was measured only once.
func needsTrials(fit analysis.BatchFit) bool {
	several := func(row *analysis.Row) bool { return len(row.Trials) > 1 }
	told := fit.Line.A.Lo > 0 && fit.Line.B.Lo > 0
	return fit.Err == nil && !told && !slices.ContainsFunc(fit.Rows, several)
}

// lineWords is "a message costs 105 µs (98–112) by itself, an operation adds 0.41 µs (0.40–0.42); half of the best rate,
// 2,439,024 ops/s, is reached at batch 256 (240–272)". If a value can't be distinguished from 0, only its upper end is given.
func lineWords(fit analysis.BatchFit) string {
	line, slots := fit.Line, fit.Rows[0].Spec.Slots()
	words := costWords(line.A, slots) + ", " + addsWords(line.B) + halfWords(line)
	if slots > 1 {
		words = fmt.Sprintf("with %d in flight, %s", slots, words)
	}
	if !line.Fits() {
		words += fmt.Sprintf(". The line fits badly: at batch %s the time is %s it", number.Grouped(line.X, 0), offWords(line.Misfit))
	}
	return words
}

func costWords(a stat.Estimate, slots int) string {
	switch {
	case a.Lo <= 0:
		return "the cost per message is not distinguishable from zero" + atMost(a)
	case slots > 1:
		return fmt.Sprintf("each message takes a share of %s", spanWords(a))
	default:
		return fmt.Sprintf("each message takes %s", spanWords(a))
	}
}

func addsWords(b stat.Estimate) string {
	if b.Lo <= 0 {
		return "the cost per operation is not distinguishable from zero" + atMost(b)
	}
	return "each operation adds " + spanWords(b)
}

// atMost is the end of an interval that reaches below 0.
func atMost(e stat.Estimate) string {
	if e.Hi <= 0 {
		return ""
	}
	return fmt.Sprintf(" (at most %s)", number.Duration(e.Hi))
}

// halfWidest is the maximum ratio of the ends of an interval of batches; wider intervals are useless.
const halfWidest = 10

func halfWords(line stat.Line) string {
	half, ok := line.Half()
	best := number.Grouped(1e9/line.B.Value, 0)
	switch {
	case line.B.Lo <= 0:
		return ", so the highest rate is unknown"
	case line.A.Lo <= 0:
		return ", so the gain of larger batches is unknown"
	case !ok || half.Lo <= 0 || half.Hi > halfWidest*half.Lo:
		return fmt.Sprintf("; the highest rate is %s ops/s, and the batch that reaches half of it is unknown", best)
	default:
		return fmt.Sprintf("; half of the highest rate, %s ops/s, is reached at batch %s (%s–%s)", best, rounded(half.Value),
			rounded(half.Lo), rounded(half.Hi))
	}
}

// bestWords names the best batch within a limit.
func bestWords(fit analysis.BatchFit, limit time.Duration) string {
	best := fit.BestUnder(limit)
	if best == nil {
		return fmt.Sprintf("No measured batch size keeps its p99 within %s", number.Duration(float64(limit)))
	}
	rate, _ := best.Summary(analysis.OperationsPerSec)
	p99, _ := best.Summary(analysis.ResponseP99Ns)
	words := fmt.Sprintf("With a p99 of at most %s, batch %s is the best, with %s ops/s at %s", number.Duration(float64(limit)),
		naming.Counted(best.Spec.Batch), number.Grouped(rate.Median, 0), number.Duration(p99.Median))
	if best == fit.Rows[len(fit.Rows)-1] {
		words += "; larger batches were not measured"
	}
	return words
}

// distanceMeanings says how much the largest batch gains over batches of 1 at each distance.
func distanceMeanings(rows []*analysis.Row) []string {
	var lines []string
	for _, fits := range byDistance(rows) {
		var gains []string
		batch := 0
		for _, fit := range fits {
			most := fit.Rows[len(fit.Rows)-1]
			if gain, ok := timesWords(analysis.BatchTimes, most); ok && (batch == 0 || batch == most.Spec.Batch) {
				batch = most.Spec.Batch
				gains = append(gains, gain+" on "+naming.LinkOf(most.Spec))
			}
		}
		if len(gains) > 1 {
			lines = append(lines, fmt.Sprintf("%s: speedup of batch %s: %s.",
				naming.Among(fits[0].Rows[0], rows, naming.BatchHead, naming.LinkHead), naming.Counted(batch), strings.Join(gains, ", ")))
		}
	}
	return lines
}

// byDistance puts those fits together that differ in their link only.
func byDistance(rows []*analysis.Row) [][]analysis.BatchFit {
	return analysis.ByKey(analysis.BatchFits(rows), func(fit analysis.BatchFit) analysis.Key {
		return fit.Rows[0].KeyWith(func(s *plan.Spec) { s.Batch, s.Link = 0, nil })
	})
}

// doublingPays is the least that twice as many callers should add to the rate.
const doublingPays = 0.1

// scalingMeaning says where adding callers stops to pay.
func scalingMeaning(fit analysis.ScalingFit, name string) string {
	name += ", more " + fit.Over
	if fit.Err != nil {
		return fmt.Sprintf("%s: the universal scalability law does not fit: %v.", name, fit.Err)
	}
	s, most := fit.Scaling, float64(fit.Rows[len(fit.Rows)-1].Spec.Slots())
	unit := rateUnit[fit.Rate]
	words := fmt.Sprintf("%s: %s", name, peakWords(s, most, unit))
	if n, ok := s.StopsPaying(doublingPays); ok && float64(n) <= most {
		words += fmt.Sprintf("; from %s on, doubling them adds less than %s", number.Count(n, "caller"),
			number.Percent(doublingPays, 0))
	}
	words += fmt.Sprintf(" (universal scalability law with λ %s %s, σ %s, κ %s).", number.Grouped(s.Lambda, 0), unit,
		number.None.Text(s.Sigma), number.None.Text(s.Kappa))
	if !s.Fits() {
		words += fmt.Sprintf(" The law fits badly: with %s callers the rate is %s it.", number.Grouped(s.X, 0), offWords(s.Misfit))
	}
	return words
}

// rateUnit is how the heads of tables spell the rates that are fitted.
var rateUnit = map[analysis.Metric]string{
	analysis.CallsPerSec: "calls/s", analysis.MessagesPerSec: "messages/s", analysis.OperationsPerSec: "ops/s",
}

func peakWords(s stat.Scaling, most float64, unit string) string {
	peak, ok := s.Peak()
	switch {
	case !ok && s.Sigma > 0 && s.Kappa == 0:
		return fmt.Sprintf("no peak shows, and the rate approaches %s %s", number.Grouped(s.Lambda/s.Sigma, 0), unit)
	case !ok:
		return "these trials do not tell whether the rate has a peak"
	case peak.Value > most:
		return fmt.Sprintf("the rate still grows at %s callers, the largest number measured; the estimated peak "+
			"is at about %s (95%% interval %s–%s)",
			number.Grouped(most, 0), rounded(peak.Value), rounded(peak.Lo), rounded(peak.Hi))
	default:
		return fmt.Sprintf("the rate peaks at about %s callers (95%% interval %s–%s) with %s %s", rounded(peak.Value), rounded(peak.Lo),
			rounded(peak.Hi), number.Grouped(s.Rate(peak.Value), 0), unit)
	}
}

// offWords is "14% above".
func offWords(m stat.Misfit) string {
	side := "above"
	if m.Relative < 0 {
		side = "below"
	}
	return number.Percent(math.Abs(m.Relative), 0) + " " + side
}

// spanWords is "105 µs (98–112)".
func spanWords(e stat.Estimate) string {
	printed := number.Nanoseconds.Format().At(e.Value)
	return fmt.Sprintf("%s (%s–%s)", printed.Text(e.Value), printed.Bare(e.Lo), printed.Bare(e.Hi))
}

// rounded prints an estimate of a number of things that can be counted; below 10 with one decimal.
func rounded(n float64) string {
	if n < 10 {
		return number.Grouped(n, 1)
	}
	return number.Grouped(n, 0)
}
