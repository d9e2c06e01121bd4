package analysis

import (
	"math"
	"slices"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/record"
)

// failing are 1,000 calls at a rate, of which so many failed, and others were cut off after 10 s; the OK ones took 1 ms, 2 ms
// and so on.
func failing(t *testing.T, failed, cut int64) *Trial {
	t.Helper()
	return cutOffAfter(t, failed, cut, 10e9, true)
}

// cutOffAfter is failing where calls are cut off after so long, by a worker that may tell their bounds apart.
func cutOffAfter(t *testing.T, failed, cut, after int64, told bool) *Trial {
	t.Helper()
	const calls = 1000
	service, response, bounds := record.NewHistogram(), record.NewHistogram(), record.NewHistogram()
	for i := range calls - failed - cut {
		put(t, (i+1)*1e6, service, response)
	}
	for range cut {
		put(t, after, response, bounds)
	}
	trial := result.Trial{
		Spec: plan.Spec{Kind: "unary", Load: plan.LoadConstant, OfferedPerSec: 100},
		Clients: []result.Client{{Record: result.Record{
			ElapsedNs: 10e9, Arrivals: calls,
			Outcomes: []result.Outcome{
				{Code: result.CodeOK, Calls: calls - failed - cut}, {Code: "UNAVAILABLE", Calls: failed},
				{Code: result.CodeUnfinished, Calls: cut},
			},
			Histograms: map[string]string{result.HistResponse: encoded(t, response), result.HistService: encoded(t, service)},
		}}},
	}
	if told && cut > 0 {
		trial.Clients[0].Histograms[result.HistBound] = encoded(t, bounds)
	}
	m, err := figures(&Source{}, &trial)
	if err != nil {
		t.Fatal(err)
	}
	return m.trial
}

func TestACallThatFailedIsSlowerThanAllThatSucceeded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		trial                                 *Trial
		p50, p99, max, service, okP99, failed float64 // in ms, and a part
	}{
		"none":       {failing(t, 0, 0), 500, 990, 1000, 990, 990, 0},
		"few":        {failing(t, 5, 0), 500, 990, NotServed / 1e6, 990, 986, 0.005},
		"as many":    {failing(t, 10, 0), 500, 990, NotServed / 1e6, 990, 981, 0.01},
		"one more":   {failing(t, 11, 0), 500, NotServed / 1e6, NotServed / 1e6, NotServed / 1e6, 980, 0.011},
		"cut off":    {failing(t, 0, 11), 500, NotServed / 1e6, NotServed / 1e6, NotServed / 1e6, 10_000, 0.011},
		"both":       {failing(t, 6, 4), 500, 990, NotServed / 1e6, 990, 985, 0.01},
		"nearly all": {failing(t, 900, 0), NotServed / 1e6, NotServed / 1e6, NotServed / 1e6, NotServed / 1e6, 99, 0.9},
	} {
		for metric, want := range map[Metric]float64{
			ResponseP50OfAll: 1e6 * c.p50, ResponseP99OfAll: 1e6 * c.p99, ResponseMaxOfAll: 1e6 * c.max,
			ServiceP99OfAll: 1e6 * c.service, ResponseP99Ns: 1e6 * c.okP99, FailedRatio: c.failed,
		} {
			got, ok := c.trial.Value(metric)
			if off := got - want; !ok || off > want/1000 || off < -want/1000 {
				t.Errorf("%s: %s is %v, want %v", name, metric, got, want)
			}
		}
	}
}

// Lower bounds of calls without an answer make no percentile of those that were answered surer.
func TestALowerBoundIsNoSample(t *testing.T) {
	t.Parallel()
	trial := failing(t, 0, 900)
	if got := trial.Samples(ResponseP99Ns); got != 100 {
		t.Errorf("%d samples of 100 calls that were answered", got)
	}
	if got := (&Row{Trials: []*Trial{trial}}).TooFewCallsFor(); !slices.Contains(got, ResponseP99Ns) {
		t.Errorf("too few calls for %v, and 100 are too few for %s", got, ResponseP99Ns)
	}
}

// A call of a mix that always fails has no histogram, and no percentile that could be met.
func TestACallThatAlwaysFailsWasNotServed(t *testing.T) {
	t.Parallel()
	trial := failing(t, 1000, 0)
	for metric, known := range map[Metric]bool{
		ResponseP50OfAll: true, ResponseP99OfAll: true, ServiceP99OfAll: true, ResponseP99Ns: false,
	} {
		if got, ok := trial.Value(metric); ok != known || known && got != NotServed {
			t.Errorf("%s is %v, %v", metric, got, ok)
		}
	}
}

// What was cut off soon after it was due is no fast call.
func TestALowerBoundIsNoFastCall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		trial         *Trial
		p50, p95, p99 float64 // in ms
	}{
		"told apart": {cutOffAfter(t, 0, 40, 1e6/2, true), 500, 950, NotServed / 1e6},
		"both":       {cutOffAfter(t, 10, 30, 1e6/2, true), 500, 950, NotServed / 1e6},
		// An older worker's are.
		"not told apart":       {cutOffAfter(t, 0, 40, 1e6/2, false), 500, 950, NotServed / 1e6},
		"not told apart, late": {cutOffAfter(t, 0, 40, 10e9, false), 540, 10_000, NotServed / 1e6},
	} {
		for metric, want := range map[Metric]float64{
			ResponseP50OfAll: 1e6 * c.p50, ResponseP95OfAll: 1e6 * c.p95, ResponseP99OfAll: 1e6 * c.p99,
		} {
			got, ok := c.trial.Value(metric)
			if off := got - want; !ok || off > want/1000 || off < -want/1000 {
				t.Errorf("%s: %s is %v, want %v", name, metric, got, want)
			}
		}
	}
}

func TestPercentilesOfOKCallsAreJudgedByThoseOfAll(t *testing.T) {
	t.Parallel()
	for metric, want := range map[Metric]Metric{
		ResponseP50Ns: ResponseP50OfAll, ResponseP999Ns: ResponseP999OfAll, ResponseMaxNs: ResponseMaxOfAll,
		ServiceP99Ns: ServiceP99OfAll, ResponseP99OfAll: ResponseP99OfAll, CallsPerSec: CallsPerSec, ErrorP50Ns: ErrorP50Ns,
	} {
		if got := metric.Judged(); got != want {
			t.Errorf("%s is judged by %s, want %s", metric, got, want)
		}
	}
}

// With an even number of trials the median can lie between a time and none.
func TestAMedianIsATimeOrNone(t *testing.T) {
	t.Parallel()
	values := []float64{40e6, 41e6, NotServed, NotServed}
	if s := ResponseP99OfAll.Summarize(values); s.Median != NotServed || s.Lo != 40e6 || s.Hi != NotServed {
		t.Errorf("%+v", s)
	}
	if s := ResponseP99OfAll.Summarize(values[:3]); s.Median != 41e6 {
		t.Errorf("%+v", s)
	}
	if s := CallsPerSec.Summarize([]float64{0, 2 * NotServed}); s.Median != NotServed {
		t.Errorf("what no call has to do with: %+v", s)
	}
}

func TestARatioOfCallsThatWereNotServedHasNoEnd(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	good, bad := []float64{40e6, 50e6}, []float64{NotServed, NotServed}
	for name, c := range map[string]struct {
		ratio stat.Estimate
		a, b  []float64
		want  stat.Estimate
	}{
		"all served":  {stat.Estimate{Value: 2, Lo: 1, Hi: 3}, good, good, stat.Estimate{Value: 2, Lo: 1, Hi: 3}},
		"none of B":   {stat.Estimate{Value: 9e4, Lo: 8e4, Hi: 1e5}, good, bad, stat.Estimate{Value: inf, Lo: inf, Hi: inf}},
		"none of A":   {stat.Estimate{Value: 1e-5, Lo: 1e-6, Hi: 1e-4}, bad, good, stat.Estimate{}},
		"none at all": {stat.Estimate{Value: 1, Lo: 1, Hi: 1}, bad, bad, stat.Estimate{Value: 1, Lo: 1, Hi: 1}},
		"some of B": {stat.Estimate{Value: 1.1, Lo: 0.9, Hi: 300}, good, append(bad, good...),
			stat.Estimate{Value: 1.1, Lo: 0.9, Hi: inf}},
	} {
		if got := ResponseP99OfAll.Bound(c.ratio, c.a, c.b); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
