package progress

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
)

// A status describes one second of a trial.
type status struct {
	phase    string
	done     float64 // part of the trial
	left     time.Duration
	perSec   float64
	latency  *result.Quantiles // nil where no call was OK
	errors   int64
	inFlight int64
	clients  int
}

// status describes the progress of a trial and its last second. As in a report, only OK calls count; in a second without any
// there is no latency.
func (p *Line) status(spec plan.Spec, phase string, interval result.Interval) status {
	s := status{
		phase: phase, errors: p.second.errors, inFlight: p.second.usualInFlight(), clients: spec.ClientCount(),
		perSec: float64(p.second.ok) * 1e9 / float64(interval.EndNs-p.second.from),
	}
	if q := interval.Response; q != nil && q.Calls > 0 {
		s.latency = q
	}
	warmup, measured := max(spec.WarmupNs, spec.WarmupMostNs), spec.DurationNs
	elapsed := interval.EndNs
	if spec.Calls > 0 {
		measured = estimate(elapsed, p.calls, spec.Calls)
	}
	if phase == result.PhaseMeasured {
		elapsed += warmup
	}
	all := cmp.Or(warmup+measured, 1)
	s.done = min(float64(elapsed)/float64(all), 1)
	s.left = time.Duration(max(all-elapsed, 0)) + p.later
	return s
}

// estimate extrapolates the time of all calls from that of the finished ones.
func estimate(elapsed, calls, all int64) int64 {
	return int64(math.Round(float64(elapsed) * float64(all) / float64(max(calls, 1))))
}

// fitting formats the status within a width: in words, with a bar if there is room, otherwise abbreviated.
func (s status) fitting(width int) string {
	words := s.words()
	const least, most, apart = 5, 30, 1
	if room := width - columns(words) - apart; room >= least {
		return bar(s.done, min(room, most)) + " " + words
	}
	if columns(words) <= width {
		return words
	}
	return s.short()
}

// words are "60%, 4s left, 10,243 calls/s, p50 1.20 ms, p99 4.10 ms, 0 errors, 50 in flight".
func (s status) words() string {
	parts := []string{
		number.Percent(s.done, 0), number.About(s.left.Round(time.Second)) + " left", number.None.Text(s.perSec) + " calls/s",
	}
	if s.phase == result.PhaseWarmup {
		parts[0] = "warm-up " + parts[0]
	}
	if q := s.latency; q != nil {
		parts = append(parts, "p50 "+number.Duration(float64(q.P50Ns)), "p99 "+number.Duration(float64(q.P99Ns)))
	}
	parts = append(parts, number.Count(s.errors, "error"), number.Whole(s.inFlight)+" in flight")
	if s.clients > 1 {
		parts = append(parts, fmt.Sprintf("latency and calls in flight of client 1 of %d", s.clients))
	}
	return strings.Join(parts, ", ")
}

// short is "60% 4s left 10.2k/s p50 1.2ms p99 4.1ms 0 err 50 in flight".
func (s status) short() string {
	parts := []string{number.Percent(s.done, 0), number.About(s.left.Round(time.Second)) + " left", few(s.perSec) + "/s"}
	if q := s.latency; q != nil {
		tight := func(ns int64) string { return strings.ReplaceAll(number.Duration(float64(ns)), " ", "") }
		parts = append(parts, "p50 "+tight(q.P50Ns), "p99 "+tight(q.P99Ns))
	}
	return strings.Join(append(parts, few(float64(s.errors))+" err", few(float64(s.inFlight))+" in flight"), " ")
}

// few prints a number in at most five characters: "950", "10.2k".
func few(n float64) string {
	switch {
	case n < 9999.5:
		return fmt.Sprintf("%.0f", n)
	case n < 999_950:
		return fmt.Sprintf("%.1fk", n/1e3)
	default:
		return fmt.Sprintf("%.1fM", n/1e6)
	}
}

// bar draws how much of something is done.
func bar(done float64, width int) string {
	full := int(math.Round(done * float64(width)))
	return strings.Repeat("█", full) + strings.Repeat("░", width-full)
}

// columns is the width of a text on a terminal, where a character may take two columns, or none.
func columns(s string) int { return text.StringWidthWithoutEscSequences(s) }

// cut returns as much of a text as a terminal shows in one line.
func cut(s string, width int) string {
	if columns(s) <= width {
		return s
	}
	taken := 1 // by the ellipsis
	for i, r := range s {
		if taken += text.RuneWidth(r); taken > width {
			return s[:i] + "…"
		}
	}
	return s
}
