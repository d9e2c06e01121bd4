package progress

import (
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// load runs for 10 s after a warm-up of 2 s.
var load = plan.Spec{WarmupNs: 2e9, DurationNs: 10e9}

// drawn returns what a terminal of the given width shows last for the intervals.
func drawn(t *testing.T, width int, spec plan.Spec, phase string, intervals ...result.Interval) string {
	t.Helper()
	var out strings.Builder
	p := &Line{Out: &out, Terminal: true, Live: true, Width: func() int { return width }}
	for _, interval := range intervals {
		p.Passed(plan.Trial{Spec: spec}, phase, 0, interval)
		p.screen.flush()
	}
	_, line, _ := strings.Cut(out.String(), clearLine)
	return line
}

func TestTheLiveLineFitsItsTerminal(t *testing.T) {
	t.Parallel()
	busy := result.Interval{EndNs: 4e9, OK: 123_456 * 4, Errors: 1234, InFlight: 2048,
		Response: &result.Quantiles{Calls: 9, P50Ns: 1.234e6, P99Ns: 45.67e6}}
	for width, want := range map[int]string{
		60: "50% 6s left 123.5k/s p50 1.23ms p99 45.7ms 1234 err 2048 i…",
		80: "50% 6s left 123.5k/s p50 1.23ms p99 45.7ms 1234 err 2048 in flight",
		100: strings.Repeat("█", 6) + strings.Repeat("░", 6) +
			" 50%, 6s left, 123,456 calls/s, p50 1.23 ms, p99 45.7 ms, 1,234 errors, 2,048 in flight",
		200: strings.Repeat("█", 15) + strings.Repeat("░", 15) +
			" 50%, 6s left, 123,456 calls/s, p50 1.23 ms, p99 45.7 ms, 1,234 errors, 2,048 in flight",
	} {
		got := drawn(t, width, load, result.PhaseMeasured, busy)
		if n := len([]rune(got)); n >= width || !strings.HasPrefix(got, want) {
			t.Errorf("at %d columns: %q of %d, want %q", width, got, n, want)
		}
	}
	calm := result.Interval{EndNs: 1e9, OK: 2000, InFlight: 50, Response: &result.Quantiles{Calls: 9, P50Ns: 301e3, P99Ns: 4.1e6}}
	want := "25% 9s left 2000/s p50 301µs p99 4.10ms 0 err 50 in flight"
	if got := drawn(t, 60, load, result.PhaseMeasured, calm); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTheLiveLineSaysWhatIsLeft(t *testing.T) {
	t.Parallel()
	at := func(ns, ok int64) result.Interval {
		return result.Interval{EndNs: ns, OK: ok, Response: &result.Quantiles{}}
	}
	for _, test := range []struct {
		spec  plan.Spec
		phase string
		last  result.Interval
		want  string
	}{
		{load, result.PhaseWarmup, at(1e9, 10), "warm-up 8%, 11s left, "},
		{load, result.PhaseMeasured, at(10e9, 10), "100%, 0s left, "},
		{load, result.PhaseMeasured, at(14e9, 10), "100%, 0s left, "}, // the last calls
		{plan.Spec{Calls: 1000}, result.PhaseMeasured, at(5e9, 250), "25%, 15s left, "},
	} {
		if got := drawn(t, 200, test.spec, test.phase, test.last); !strings.Contains(got, " "+test.want) {
			t.Errorf("after %v: %q, want %q", time.Duration(test.last.EndNs), got, test.want)
		}
	}
}

// Ctrl-C ends a phase in the middle of a second: one call in its first millisecond would be a thousand a second.
func TestWhatIsLeftOfASecondHasNoRate(t *testing.T) {
	t.Parallel()
	whole := result.Interval{EndNs: 1e9, OK: 100, Response: &result.Quantiles{}}
	rest := result.Interval{StartNs: 1e9, EndNs: 1.001e9, OK: 1, Response: &result.Quantiles{}}
	got := drawn(t, 200, load, result.PhaseMeasured, whole, rest)
	if strings.Contains(got, clearLine) || !strings.Contains(got, " 100 calls/s") {
		t.Errorf("got %q, want the line of the whole second alone", got)
	}
}

func TestALineThatIsTooLongIsCut(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	p := &Line{Out: &out, Terminal: true, Width: func() int { return 40 }}
	p.Step(0, 3, strings.Repeat("long ", 20))
	p.screen.flush()
	if got := strings.TrimPrefix(out.String(), clearLine); len([]rune(got)) != 39 || !strings.HasSuffix(got, "…") {
		t.Errorf("got %q", got)
	}
}

// A line that wraps can't be taken away again: such names filled the terminal.
func TestALineOfWideCharactersIsCutWhereTheTerminalEnds(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	p := &Line{Out: &out, Terminal: true, Width: func() int { return 40 }}
	p.Step(0, 3, strings.Repeat("スタック", 20))
	p.screen.flush()
	got := strings.TrimPrefix(out.String(), clearLine)
	if width := columns(got); width > 39 || width < 37 || !strings.HasSuffix(got, "…") {
		t.Errorf("%q is %d columns wide", got, width)
	}
}
