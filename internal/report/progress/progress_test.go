package progress

import (
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/test/canarytest"
)

// The second's last look may fall on the next step of a ramp, or behind the last call.
func TestTheLiveLineHasTheCallsInFlightOfItsSecond(t *testing.T) {
	t.Parallel()
	for _, last := range []int64{0, 5, 21} {
		var out strings.Builder
		p := &Line{Out: &out, Terminal: true, Live: true}
		for i := range int64(10) {
			interval := result.Interval{StartNs: i * 1e8, EndNs: (i + 1) * 1e8, OK: 7, InFlight: 11}
			if i == 9 {
				interval.InFlight, interval.Response = last, &result.Quantiles{}
			}
			p.Passed(plan.Trial{}, result.PhaseMeasured, 0, interval)
		}
		p.screen.flush()
		if got := out.String(); !strings.Contains(got, ", 70.0 calls/s, ") || !strings.HasSuffix(got, ", 11 in flight") {
			t.Errorf("with %d in flight at its end the line is %q, want 11", last, got)
		}
	}
}

// In a narrow terminal the name of the trial gives way, not the time that is left.
func TestANarrowLineHasTheTimeLeft(t *testing.T) {
	t.Parallel()
	for width, want := range map[int]string{
		50:  "[1/2] grpc-go unary 1000 B 1x1 closed …, 20s left",
		200: "[1/2] grpc-go unary 1000 B 1x1 closed server deadline 0s, 20s left",
		25:  "[1/2] grpc-go…, 20s left",
	} {
		var out strings.Builder
		p := &Line{Out: &out, Terminal: true, Width: func() int { return width }}
		spec := plan.Spec{Stack: "grpc-go", Kind: "unary", RequestBytes: 1000, ResponseBytes: 1000, Connections: 1, InFlight: 1,
			Load: plan.LoadClosed, DurationNs: 10e9}
		p.Begun([]plan.Trial{{Spec: spec}, {Spec: spec}}, 0)
		p.screen.flush()
		if got := strings.TrimPrefix(out.String(), clearLine); got != want {
			t.Errorf("at %d columns: %q, want %q", width, got, want)
		}
	}
}

// A failure may repeat text of a worker's Fault or of a server.
func TestNoStringOfATrialReachesATerminalAsItIs(t *testing.T) {
	t.Parallel()
	canarytest.Each(t, &result.Trial{Status: result.StatusFailed}, canarytest.Text, func(t *testing.T, trial *result.Trial) {
		var out strings.Builder
		line := &Line{Out: &out, Terminal: true, Live: true}
		planned := plan.Trial{ID: trial.ID, Spec: trial.Spec}
		for _, show := range []func(){
			func() { line.Begun([]plan.Trial{planned}, 0) },
			func() {
				line.Passed(planned, result.PhaseMeasured, 0, result.Interval{EndNs: 1e9, Response: &result.Quantiles{}})
			},
			func() { line.Ended(*trial) },
			func() { line.Announce(canarytest.Text) },
			func() { line.Begun([]plan.Trial{planned}, 0) },
			func() { line.Step(0, 1, canarytest.Text) },
		} {
			show()
			line.screen.flush() // the next would be drawn in its place
		}
		canarytest.NotHidden(t, "the line", strings.ReplaceAll(out.String(), clearLine, ""))
	})
}

// A server may send 4 kB with each error. The results have all of it.
func TestALongReasonIsShortened(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	line := &Line{Out: &out}
	const begin, reason = "trial t1 failed (", "every call failed: UNKNOWN: two lines ééé"
	line.Ended(result.Trial{
		ID: "t1", Status: result.StatusFailed, Failure: "every call failed: UNKNOWN: two\n\tlines " + strings.Repeat("é", 4000),
	})
	line.screen.flush()
	_, said, _ := strings.Cut(out.String(), "): ") // behind the Spec
	if !strings.HasPrefix(out.String(), begin) || !strings.HasPrefix(said, reason) || !strings.HasSuffix(said, "é…\n") {
		t.Errorf("%q", out.String())
	}
	if n := len([]rune(said)); n != maxFailure+len([]rune("…\n")) {
		t.Errorf("the reason has %d characters: %q", n, said)
	}
}

// Calls that fail are errors and no rate, and a second in which none was OK has no latency.
func TestTheLiveLineOfAServerThatStandsStillHasNoLatency(t *testing.T) {
	t.Parallel()
	for want, interval := range map[string]result.Interval{
		"0 calls/s, 20 errors, 50 in flight": {Errors: 20, Response: &result.Quantiles{}},
		"5.00 calls/s, p50 1.00 ms, p99 3.00 ms, 20 errors, 50 in flight": {
			OK: 5, Errors: 20, Response: &result.Quantiles{Calls: 5, P50Ns: 1e6, P90Ns: 2e6, P99Ns: 3e6, MaxNs: 4e6},
		},
	} {
		var out strings.Builder
		p := &Line{Out: &out, Terminal: true, Live: true}
		interval.EndNs, interval.InFlight = 1e9, 50
		p.Passed(plan.Trial{}, result.PhaseMeasured, 0, interval)
		want = clearLine + strings.Repeat("█", 30) + " 100%, 0s left, " + want
		if p.screen.flush(); out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	}
}

// stuck is a terminal that blocks until it is released.
type stuck struct {
	text          strings.Builder
	writing, goes chan struct{}
}

func (s *stuck) Write(b []byte) (int, error) {
	select {
	case s.writing <- struct{}{}:
	default:
	}
	<-s.goes
	return s.text.Write(b)
}

func TestNobodyWaitsForATerminalThatStandsStill(t *testing.T) {
	t.Parallel()
	out := &stuck{writing: make(chan struct{}, 1), goes: make(chan struct{})}
	p := &Line{Out: out, Terminal: true, Live: true}
	trials := []plan.Trial{{ID: "a"}, {ID: "b"}}
	p.Begun(trials, 0)
	<-out.writing
	for range 100 {
		p.Passed(trials[0], result.PhaseMeasured, 0, result.Interval{EndNs: 1e9, Response: &result.Quantiles{}})
		p.Ended(result.Trial{ID: "a", Status: result.StatusFailed, Failure: "it broke", LastWords: strings.Repeat("x", 20<<10)})
	}
	p.Begun(trials, 1)
	close(out.goes)
	p.Clear()
	text := out.text.String()
	if n := len(text); n < maxNotes-(21<<10) || n > maxNotes+(1<<10) || !strings.Contains(text, "trial a failed") {
		t.Errorf("%d bytes are written, want about the %d of notes that are kept", n, maxNotes)
	}
	if !strings.HasPrefix(text, clearLine+"[1/2]") || strings.Contains(text, "calls/s") || !strings.HasSuffix(text, clearLine) {
		t.Errorf("it begins with %q and ends with %q", text[:80], text[len(text)-80:])
	}
}
