package answer

import (
	"context"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/capacity"
	"rpcbench/internal/test/coursetest"
)

// found is a course whose search found 1,000 calls/s, with 1,050 failing, and that has confirmed it unless told otherwise.
func found(t *testing.T, confirmed bool) Course {
	t.Helper()
	c := &capacity.Course{
		Base:   plan.Trial{Spec: plan.Spec{Stack: "grpc-go", Server: "grpc-go", DurationNs: 10e9}},
		Trials: 1, Requirements: coursetest.Requirements(t, "response_p99<5ms"),
		Settings: capacity.Settings{Guess: 1000, Least: 1, Most: 1e6, Precision: 0.06, Trials: 1},
		Reasons:  map[float64]string{1050: "response_p99 was 7.1 ms"}, Client: map[float64]string{},
		Rows: map[float64]*analysis.Row{}, Shares: map[float64]*analysis.Row{},
	}
	for _, o := range []struct {
		phase  capacity.Phase
		perSec float64
		met    bool
	}{
		{capacity.Search, 1000, true}, {capacity.Search, 1050, false}, {capacity.Search, 1050, false}, {capacity.Search, 1000, true},
	} {
		c.Outcomes = append(c.Outcomes, capacity.Outcome{Step: capacity.Step{Phase: o.phase, PerSec: o.perSec}, Met: o.met})
	}
	if confirmed {
		c.Outcomes = append(c.Outcomes, capacity.Outcome{Step: capacity.Step{Phase: capacity.Confirm, PerSec: 1000}, Met: true},
			capacity.Outcome{Step: capacity.Step{Phase: capacity.Confirm, PerSec: 1050}})
		c.Rows[1000] = coursetest.Row(t, coursetest.Trial(t, 0, time.Second, 500*time.Millisecond))
		c.Shares[0.8] = coursetest.Row(t, coursetest.Trial(t, 0, 0, 0))
	}
	return Course{c}
}

// said is an answer as text.
func (c Course) said() string { return strings.Join(c.Answer(), "\n") }

func TestTheAnswerSaysWhatIsKnown(t *testing.T) {
	t.Parallel()
	whole := found(t, true)
	if got, want := whole.said(), "grpc-go sustains 1,000 calls/s with response_p99<5ms, confirmed in 1 trial of 10s; "+
		"at 1,050 it does not: response_p99 was 7.1 ms.\n"+
		"The capacity is between 1,000 and 1,050 calls/s, by 1 trial of each rate; --trials 6 gives 97%.\n"+
		"Confirming trials that met the requirements, by rate: 1 of 1 at 1,000, 0 of 1 at 1,050. In the search: 1,000 met, "+
		"1,050 not, 1,050 not, 1,000 met.\n"+
		"Latency below it: p50 4.00 ms and p99 4.00 ms at 80%.\n"+
		"A core of the server sustains 2,000 calls/s: at this rate the server uses 0.50 cores. "+
		"Client and server share the machine's processors, so this is what they sustain together."; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	whole.Client[1050] = "the client used 1.90 of 2 processors (bound 90%)"
	whole.Added = []capacity.Added{{PerSec: 980, Clients: 2, Why: "the client used 0.97 of 1 processor"}}
	want := "At 980 calls/s the client was the limit (the client used 0.97 of 1 processor), so the search went on with 2 " +
		"clients.\nThe client was the limit: the client used 1.90 of 2 processors (bound 90%). More clients on the same processors "
	if got := whole.said(); !strings.Contains(got, want) {
		t.Errorf("%s, want %s in it", got, want)
	}
	short := found(t, false)
	short.Ending = capacity.TimeUp
	want = "grpc-go sustained 1,000 calls/s with response_p99<5ms in short trials, which is not confirmed, " +
		"because the time was up: go on with --resume, raise --time, or use shorter trials.\n" +
		"In the search: 1,000 met, 1,050 not, 1,050 not, 1,000 met."
	if got := short.said(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	want = "which is not confirmed, because it was interrupted.\n"
	interrupted := found(t, false)
	interrupted.Stopped(context.Canceled)
	if got := interrupted.said(); !strings.Contains(got, want) {
		t.Errorf("%s, want %s in it", got, want)
	}
}

func TestANoisyHostLeavesOpenWhetherARateMeetsTheRequirements(t *testing.T) {
	t.Parallel()
	c := found(t, false)
	c.Settings.Least, c.Excuses = 1000, map[float64]string{}
	for i := range c.Outcomes {
		c.Outcomes[i].Met = false
	}
	c.Reasons[1000] = "response_p99 was 6 ms"
	want := "grpc-go does not meet response_p99<5ms at any rate: at 1,000 calls/s, the lowest that was tried, response_p99 was 6 ms."
	if got := c.said(); !strings.HasPrefix(got, want) || c.Decision() != NotMet {
		t.Errorf("%s: %s\nwant %s", c.Decision(), got, want)
	}
	c.Excuses[1000] = "an idle thread woke up to 5 ms late"
	want = "The capacity of grpc-go with response_p99<5ms is inconclusive: no rate met it, down to 1,000 calls/s, where " +
		"response_p99 was 6 ms, but the host was noisy then: an idle thread woke up to 5 ms late. Measure again with nothing else " +
		"running, or require less."
	if got := c.said(); !strings.HasPrefix(got, want) || c.Decision() != Inconclusive {
		t.Errorf("%s: %s\nwant %s", c.Decision(), got, want)
	}
}

// Nothing is known above a rate that is carried where a rate failed in short trials only, or where none was tried.
func TestAnAnswerSaysWhatIsKnownOfHigherRates(t *testing.T) {
	t.Parallel()
	c := found(t, true)
	c.Outcomes[len(c.Outcomes)-1].Met = true // the long trial at 1,050
	if got, want := c.said(), "confirmed in 1 trial of 10s; no higher rate was tried."; !strings.Contains(got, want) {
		t.Errorf("%s, want %s in it", got, want)
	}
	for _, met := range []bool{true, false} {
		step := capacity.Step{Phase: capacity.Confirm, PerSec: 1100}
		c.Outcomes = append(c.Outcomes, capacity.Outcome{Step: step, Met: met})
	}
	if got, want := c.said(), "no higher rate is known to be too high."; !strings.Contains(got, want) {
		t.Errorf("%s, want %s in it", got, want)
	}
	c.Outcomes = append([]capacity.Outcome{{Step: capacity.Step{Phase: capacity.Search, PerSec: 2000}}}, c.Outcomes...)
	c.Reasons[2000] = "response_p99 was 9 ms"
	if got, want := c.said(), "; at 2,000 it does not: response_p99 was 9 ms."; !strings.Contains(got, want) {
		t.Errorf("%s, want %s in it", got, want)
	}
}

// Of the trials at 1,050, one more meets the requirement, on a noisy host.
func TestAnAnswerSaysWhereTrialsContradictEachOther(t *testing.T) {
	t.Parallel()
	c := found(t, true)
	c.Trials, c.Settings.Trials, c.Noisy = 3, 3, 1
	for _, step := range []struct {
		perSec float64
		met    bool
	}{{1000, true}, {1000, true}, {1050, true}, {1100, false}, {1100, false}, {1100, false}} {
		c.Outcomes = append(c.Outcomes, capacity.Outcome{
			Step: capacity.Step{Phase: capacity.Confirm, PerSec: step.perSec}, Met: step.met,
		})
	}
	got := c.said()
	for _, want := range []string{
		"The capacity is between 1,000 and 1,100 calls/s, by 3 trials of each rate (75% confidence if trials are " +
			"independent); --trials 6 gives 97%.",
		"3 of 3 at 1,000, 1 of 2 at 1,050, 0 of 3 at 1,100.", "Trials contradict each other at 1,050 calls/s: ",
		"The host was noisy in 1 of 8 confirming trials.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s, want %s in it", got, want)
		}
	}
}

// A trial at a part of the capacity has 4 ms.
func TestAnAnswerThatItsOwnTrialsContradictSaysSo(t *testing.T) {
	t.Parallel()
	past := found(t, true)
	past.Shares[1.1] = coursetest.Row(t, coursetest.Trial(t, 0, 0, 0))
	past.Shares[1.3] = coursetest.Row(t, coursetest.Trial(t, 0, 0, 0))
	want := "but at 130% of it all requirements were met. The server or the machine "
	if got := past.said(); !strings.Contains(got, want) || !strings.HasPrefix(got, "The capacity of ") ||
		!strings.Contains(got, " is inconclusive: ") || strings.Contains(got, "The capacity is ") ||
		strings.Contains(got, "grpc-go sustains ") {
		t.Errorf("%s, want %s in it, and no capacity", got, want)
	}
	below := found(t, true)
	below.Requirements = coursetest.Requirements(t, "response_p99<3ms")
	want = "but at 80% of this rate response_p99 was 4.002 ms. The server or the machine "
	if got := below.said(); !strings.Contains(got, want) {
		t.Errorf("%s, want %s in it", got, want)
	}
}
