package truth_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"rpcbench/internal/check/truth"
)

const ms = time.Millisecond

// simulated are the responses of many calls, which the formulas must agree with.
func simulated(perSec float64, calls int, service func(*rand.Rand) time.Duration) []time.Duration {
	random := rand.New(rand.NewPCG(7, 7))
	times := make([]time.Duration, calls)
	for i := range times {
		times[i] = service(random)
	}
	return truth.Responses(truth.Arrivals(perSec, 3, calls), times, 0)
}

func exponential(mean time.Duration) func(*rand.Rand) time.Duration {
	return func(random *rand.Rand) time.Duration { return time.Duration(random.ExpFloat64() * float64(mean)) }
}

func wantClose(t *testing.T, what string, got, want time.Duration, tolerance float64) {
	t.Helper()
	if off := math.Abs(float64(got-want)) / float64(want); off > tolerance {
		t.Errorf("%s is %v, want %v within %g", what, got, want, tolerance)
	}
}

func TestFormulasAgreeWithSimulation(t *testing.T) {
	t.Parallel()
	const calls, mean = 2_000_000, 2 * ms
	for _, perSec := range []float64{100, 250, 350} {
		fixed := simulated(perSec, calls, func(*rand.Rand) time.Duration { return mean })
		random := simulated(perSec, calls, exponential(mean))
		for _, q := range []float64{.5, .9, .99} {
			wantClose(t, "M/D/1", truth.Quantile(fixed, q), truth.MD1(perSec, mean, q), .01)
			wantClose(t, "M/M/1", truth.Quantile(random, q), truth.MM1(perSec, mean, q), .015)
		}
	}
}

func TestClosedSlotsWaitForOneAnother(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 3))
	service := make([]time.Duration, 1_000_000)
	for i := range service {
		service[i] = exponential(2 * ms)(random)
	}
	for _, slots := range []int{1, 4, 32} {
		responses := truth.ClosedResponses(slots, service)
		for _, q := range []float64{.5, .99} {
			wantClose(t, "closed", truth.Quantile(responses, q), truth.Closed(slots, 2*ms, q), .01)
		}
	}
}

// Known values: of M/M/1 by hand; of M/D/1 the chance not to wait, 1−ρ, and Erlang's of 1909 within the first service
// time, P(W ≤ x) = (1−ρ)·e^{λx}; at a load of 0.99 the mean wait is ρ/(2(1−ρ)) service times.
func TestKnownQuantiles(t *testing.T) {
	t.Parallel()
	wantClose(t, "the median of M/M/1", truth.MM1(350, 2*ms, .5), 4_620_981*time.Nanosecond, 1e-6)
	if got := truth.MD1(350, 2*ms, .3); got != 2*ms {
		t.Errorf("three of ten calls don't wait at a load of 0.7, but their response is %v", got)
	}
	early := time.Duration(math.Log(.5/.3) / 350 * float64(time.Second))
	wantClose(t, "the median of M/D/1", truth.MD1(350, 2*ms, .5), 2*ms+early, 1e-6)
	mean := 0.0
	for i := range 2000 {
		mean += truth.MD1(495, 2*ms, (float64(i)+.5)/2000).Seconds() / 2000
	}
	wantClose(t, "the mean of M/D/1 at 0.99", time.Duration(mean*1e9), 2*ms+99*ms, .01)
}

func TestAPauseIsFeltByTheCallsInIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		q    float64
		want time.Duration
	}{{.5, 0}, {.8, 0}, {.9, 50 * ms}, {.99, 95 * ms}} {
		if got := truth.Pause(100*ms, 500*ms, c.q); (got - c.want).Abs() > time.Microsecond {
			t.Errorf("quantile %g is %v, want %v", c.q, got, c.want)
		}
	}
}

// A freeze of 1 s under 200 calls/s for 6 s: 180 calls wait for over 100 ms, and the p99, which 12 calls exceed, is some
// 0.94 s.
func TestAFreezeIsFeltByAllCallsDueInIt(t *testing.T) {
	t.Parallel()
	at := truth.Freeze{Least: time.Second, Most: time.Second, PerSec: 200, Calls: 1200}
	if got := at.Above(100 * ms); got != (truth.Range{Lo: 180, Hi: 180}) {
		t.Errorf("%v calls are slow", got)
	}
	p99 := at.Response(.99)
	wantClose(t, "the least p99", time.Duration(p99.Lo), 935*ms, 1e-6)
	wantClose(t, "the largest p99", time.Duration(p99.Hi), 940*ms, 1e-6)
	at.Each = ms
	if got := at.Above(100 * ms); got != (truth.Range{Lo: 180, Hi: 226}) {
		t.Errorf("%v calls are slow where each of the backlog takes 1 ms", got)
	}
	at.Most = 1100 * ms
	if got := at.Above(100 * ms); got != (truth.Range{Lo: 180, Hi: 251}) {
		t.Errorf("%v calls are slow where it may have lasted 1.1 s", got)
	}
	at.Calls = 200
	if got := at.Above(100 * ms); got != (truth.Range{Lo: 180, Hi: 200}) {
		t.Errorf("%v of 200 calls are slow", got)
	}
}

// If the calls of a backlog take as long as the time between two of them, it never ends: every call feels the freeze and may wait
// as long as the last one.
func TestABacklogThatNeverEndsIsFeltByEveryCall(t *testing.T) {
	t.Parallel()
	grows := truth.Freeze{Least: time.Second, Most: time.Second, PerSec: 200, Each: 5 * ms, Calls: 500}
	if got := grows.Above(100 * ms); got != (truth.Range{Lo: 180, Hi: 500}) {
		t.Errorf("%v calls are slow", got)
	}
	wantClose(t, "the largest p99", time.Duration(grows.Response(.99).Hi), 1005*ms, 1e-6)
}

func TestOffCountsFromTheNearerEnd(t *testing.T) {
	t.Parallel()
	r := truth.Range{Lo: 100, Hi: 200}
	for value, want := range map[float64]float64{90: -.1, 100: 0, 150: 0, 200: 0, 220: .1} {
		if got := r.Off(value); got != want {
			t.Errorf("%g is off by %g, want %g", value, got, want)
		}
	}
}

func TestExponentialTimesHaveTheirMean(t *testing.T) {
	t.Parallel()
	times := truth.Exponential(4*ms, 5, 10_000)
	var sum time.Duration
	for _, one := range times {
		sum += one
	}
	wantClose(t, "the mean", sum/10_000, 4*ms, .001)
	wantClose(t, "the median", truth.Quantile(times, .5), 2_772_589*time.Nanosecond, .001)
}
