package analysis

import (
	"math"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
)

// rowOf has a trial for each median response.
func rowOf(t *testing.T, stack string, ns ...int64) []result.Trial {
	t.Helper()
	var trials []result.Trial
	for i, n := range ns {
		trials = append(trials, trial(t, spec(stack), i+1, 1000, n))
	}
	return trials
}

// Every trial is good by itself, and their median stands for nothing.
func TestARowWhoseTrialsDifferIsUnstable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ns   []int64
		code Code
		why  string
	}{
		{[]int64{541, 81, 639}, CodeSpread,
			"the median response_p50 of 3 trials is 541 ns, and its interval goes from 81.0 ns to 639 ns, 103% of it (bound 30%)"},
		{[]int64{81, 541, 82, 542, 543, 540}, CodeTwoHumps,
			"2 of 6 trials have a response_p50 of about 81.5 ns, 4 one of about 542 ns, and none lies between"},
		{[]int64{541, 560, 530}, "", ""},
		{[]int64{541}, "", ""},
	} {
		row := onlyRow(t, build(t, file("a", rowOf(t, "grpc-go", c.ns...)...)))
		if c.code == "" {
			if row.Unstable() || row.Verdict() != VerdictOK {
				t.Errorf("%v: %v", c.ns, row.Doubts())
			}
			continue
		}
		d := row.Doubts()
		if !row.Unstable() || len(d) != 1 || d[0].Code != c.code || d[0].Trials != len(c.ns) || !strings.Contains(d[0].Why, c.why) {
			t.Errorf("%v: %+v", c.ns, d)
		}
	}
}

// UNSTABLE is said of the figure that tables show first.
func TestTheHeadlineIsWhatTablesShowFirst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		edit func(*plan.Spec)
		want Metric
	}{
		{"one caller", func(*plan.Spec) {}, ResponseP50Ns},
		{"many callers", func(s *plan.Spec) { s.InFlight = 50 }, CallsPerSec},
		{"streams", func(s *plan.Spec) { s.Kind, s.Messages = stack.KindStream, 10 }, MessagesPerSec},
		{"one ping-pong", func(s *plan.Spec) { s.Kind = stack.KindPingPong }, ResponseP50Ns},
		{"many ping-pongs", func(s *plan.Spec) { s.Kind, s.InFlight = stack.KindPingPong, 64 }, MessagesPerSec},
		{"batches of one caller", func(s *plan.Spec) { s.Batch = 10 }, OperationsPerSec},
		{"batches at a rate", func(s *plan.Spec) { s.Batch, s.Load, s.OfferedPerSec = 10, plan.LoadConstant, 9 }, ResponseP50Ns},
		{"a codec", func(s *plan.Spec) { s.Kind = stack.KindEncode }, NsPerOperation},
	} {
		row := &Row{Spec: spec("grpc-go")}
		c.edit(&row.Spec)
		if got := row.Headline(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestARatioToTheFloorHasAnInterval(t *testing.T) {
	t.Parallel()
	report := build(t, file("a", append(rowOf(t, "tcp", 100, 110, 90), rowOf(t, "grpc-go", 400, 420, 380)...)...))
	for _, row := range report.Rows {
		interval, ok := FloorTimes.Interval(row)
		if row.IsFloor() {
			if ok {
				t.Errorf("the floor's own: %+v", interval)
			}
			continue
		}
		if ratio, _ := FloorTimes.Of(row); !ok || interval.Value != ratio || math.Abs(interval.Lo-380./110) > 1e-9 ||
			math.Abs(interval.Hi-420./90) > 1e-9 {
			t.Errorf("%v, %+v %v", ratio, interval, ok)
		}
	}
}
