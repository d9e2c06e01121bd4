package require_test

import (
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/require"
	"rpcbench/internal/results/result"
)

// rows are two stacks with p99s of 4 ms and 6 ms, of 1,000 calls each, of which the second has 2 that failed.
func rows(t *testing.T) []*analysis.Row {
	t.Helper()
	var trials []result.Trial
	for i, stack := range []string{"fast", "slow"} {
		h := hdrhistogram.New(1, int64(time.Hour), 3)
		if err := h.RecordValues(int64(4+2*i)<<20, 1000); err != nil {
			t.Fatal(err)
		}
		encoded, err := result.EncodeHistogram(h)
		if err != nil {
			t.Fatal(err)
		}
		trials = append(trials, result.Trial{ID: stack, Repetition: 1, Status: result.StatusOK,
			Spec:  plan.Spec{Stack: stack, Server: stack, Kind: "unary", Connections: 1, InFlight: 1, Load: plan.LoadClosed},
			Cases: []plan.Case{{Scenario: "quick", Title: "echo"}},
			Clients: []result.Client{{Record: result.Record{ElapsedNs: 1e9, Arrivals: 1000,
				Outcomes:   []result.Outcome{{Code: "OK", Calls: int64(1000 - 2*i)}, {Code: "INTERNAL", Calls: int64(2 * i)}},
				Histograms: map[string]string{"response": encoded},
			}}},
		})
	}
	report, err := analysis.Build([]*result.File{{Name: "a", Trials: trials}})
	if err != nil {
		t.Fatal(err)
	}
	return report.Rows
}

func TestTheWorstRowDecides(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		ok    bool
		stack string
		value string
	}{
		"response_p99<5ms":            {false, "slow", "6.296 ms"},
		"response_p99_ns < 7000000ns": {true, "slow", "6.296 ms"},
		"response_p99<=6.5ms":         {true, "slow", "6.296 ms"},
		"response_p99>=5000us":        {false, "fast", "4.198 ms"},
		"calls_per_sec>999":           {false, "slow", "998"},
		"calls_per_sec>990/s":         {true, "slow", "998"},
		"errors==0":                   {false, "slow", "2"},
		"errors<1%":                   {true, "slow", "0.200%"},
		"errors<0.1%":                 {false, "slow", "0.200%"},
		"errors:INTERNAL<1%":          {true, "slow", "0.200%"},
		"errors:internal,5xx <= 1":    {false, "slow", "2"},
		"errors:UNAVAILABLE==0":       {true, "fast", "0"},
		"errors:HTTP_500,UNSENT<0.1%": {true, "fast", "0%"},
		"error_rate:INTERNAL<1%":      {true, "slow", "0.200%"},
		"calls==1000":                 {true, "fast", "1,000"},
	} {
		r, err := require.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Check(rows(t))
		if err != nil {
			t.Fatal(err)
		}
		if got.Holds() != want.ok || (got.Outcome == require.Met) != want.ok || got.Row.Spec.Stack != want.stack ||
			got.Text() != want.value {
			t.Errorf("%s: %v, %s, %s; want %+v", text, got.Outcome, got.Row.Spec.Stack, got.Text(), want)
		}
	}
}

func TestARowThatFailedMeetsNothing(t *testing.T) {
	t.Parallel()
	all := rows(t)
	all[0].Failed, all[0].Trials = all[0].Trials, nil
	r, err := require.Parse("errors<1000")
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Check(all)
	if err != nil || got.Outcome != require.NotMet || got.Holds() || !got.Failed || got.Text() != "failed" {
		t.Errorf("%+v %v", got, err)
	}
}

// Calls of trials that failed are in no figure, so what the others meet the row does not meet for sure.
func TestARowOfWhichTrialsFailedMeetsNothingForSure(t *testing.T) {
	t.Parallel()
	all := rows(t)
	for text, want := range map[string]require.Outcome{"calls>0": require.Inconclusive, "calls==0": require.NotMet} {
		r, err := require.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		all[0].Failed = all[0].Trials[:1]
		got, err := r.Check(all[:1])
		const why = "1 of 2 trials failed, and are in no figure"
		if err != nil || got.Outcome != want || want == require.Inconclusive && got.Why != why {
			t.Errorf("%s: %+v %v", text, got, err)
		}
	}
}

func TestARequirementThatCannotBeReadSaysWhatWasMeant(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"response_p99":         "has no operator (<, <=, >, >=, ==); an example is response_p99<5ms",
		"respons_p99<5ms":      `unknown figure "respons_p99"; did you mean "response_p99"?`,
		"latncy<5ms":           `unknown figure "latncy": use a column of --format csv, such as response_p99`,
		"p(99)<500":            `unknown figure "p(99)"; did you mean p99<500ms?`,
		"p(99.9) <= 1.5":       `unknown figure "p(99.9)"; did you mean p99.9<=1.5ms?`,
		"med<20":               `unknown figure "med"; did you mean p50<20ms?`,
		"http_req_failed<1%":   `unknown figure "http_req_failed"; did you mean errors<1%?`,
		"http_req_failed<0.01": `unknown figure "http_req_failed"; did you mean errors<1%?`,
		"p(42)<500":            `unknown figure "p(42)": use a column of --format csv, such as response_p99`,
		"throughptu>5":         `unknown figure "throughptu"; did you mean "throughput"?`,
		"foo<5ms":              `unknown figure "foo": use a column of --format csv, such as response_p99, calls_per_sec or errors`,
		"errors:UNAVALABLE<1%": `unknown code "UNAVALABLE"; did you mean "UNAVAILABLE"?`,
		"errors:OK<1":          `unknown code "OK": use one of gRPC's, such as UNAVAILABLE, a status of HTTP, such as 503 or 5xx`,
		"errors:INTERNAL,<1":   `unknown code ""`,
		"errors:99<1":          `unknown code "99"`,
		"errors:5xx<1ms":       "a number, or a percentage of all calls, such as 0 or 0.1%",
		"response_p99<5": `"5" is not a value of response_p99, which is a time with its unit, such as ` +
			"250µs, 5ms or 1.5s",
		"response_p99<5kB":      "a time with its unit",
		"error_rate<0.01":       "0.01 is less than a call: a part of all calls is written 1%",
		"errors:5xx<.001":       ".001 is less than a call: a part of all calls is written 0.1%",
		"errors<x%":             "a number, or a percentage of all calls, such as 0 or 0.1%",
		"calls_per_sec>5ms":     "which is a number",
		"calls_per_sec>NaN":     "which is a number",
		"errors<NaN%":           "a number, or a percentage of all calls, such as 0 or 0.1%",
		"errors<Inf":            "a number, or a percentage of all calls, such as 0 or 0.1%",
		"response_p99<-5ms":     "a time with its unit",
		"calls_per_sec>-1":      "which is a number",
		"errors<101%":           "a number, or a percentage of all calls, such as 0 or 0.1%",
		"errors<-1%":            "a number, or a percentage of all calls, such as 0 or 0.1%",
		"wire_out_per_call<1ms": "which is a number of bytes, such as 500, 2kB or 1MB",
	} {
		if _, err := require.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	r, err := require.Parse("wake_p99<1ms")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Check(rows(t)); err == nil || !strings.Contains(err.Error(), "no row has wake_p99_ns") {
		t.Errorf("%v", err)
	}
	if r, err = require.Parse("errors:5xx==0"); err != nil { // gRPC has none: it would always be met
		t.Fatal(err)
	}
	if _, err := r.Check(rows(t)); err == nil || !strings.Contains(err.Error(), "no row has errors:5xx") {
		t.Errorf("%v", err)
	}
}

// Of 1,000 calls 40 failed: those are slower than the 960 others, so that the p96 is the last that is bounded.
func TestCallsThatFailedMeetNoBound(t *testing.T) {
	t.Parallel()
	all := rows(t)
	failing := all[1].Trials[0]
	outcomes := []result.Outcome{{Code: "OK", Calls: 960}, {Code: "UNAVAILABLE", Calls: 30}, {Code: "UNFINISHED", Calls: 10}}
	file := &result.File{Name: "b", Trials: []result.Trial{*failing.Trial}}
	file.Trials[0].Clients = []result.Client{{Record: failing.Record}}
	file.Trials[0].Clients[0].Outcomes = outcomes
	report, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"response_p50<7ms": "6.296 ms", "response_p95<7ms": "6.296 ms", "response_p95_of_all<7ms": "6.296 ms",
		"response_p99<1s": "∞ (4% of calls failed)", "response_p99_of_all<1s": "∞ (4% of calls failed)",
		"response_max<1000s": "∞ (4% of calls failed)", "failed_ratio<0.05": "0.04000",
	} {
		r, err := require.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Check(report.Rows)
		if err != nil || got.Text() != want || (got.Outcome == require.Met) != !strings.HasPrefix(want, "∞") {
			t.Errorf("%s: %v %s %v, want %s", text, got.Outcome, got.Text(), err, want)
		}
	}
}

func TestTheNamesOfOtherToolsAreUnderstood(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"p99<5ms": "response_p99", "p99.9<5ms": "response_p999", "p75<5ms": "response_p75",
		"p99.99<5ms": "response_p9999", "p9999<5ms": "response_p9999", "max<1s": "response_max", "rps>=100": "calls_per_sec",
		"error_rate<1%": "errors", "error-rate<1%": "errors", "avg<5ms": "response_mean", "latency_p99<5ms": "response_p99",
	} {
		r, err := require.Parse(text)
		if err != nil || r.Figure() != want || r.String() != text {
			t.Errorf("%s: %v of %s, %v; want %s", text, r, r.Figure(), err, want)
		}
	}
}

// What is counted over a row is no metric, and a name that is near it is not taken for it.
func TestAnUnknownMetricIsNamedAmongMetrics(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"errors":     "errors is not a figure of single trials",
		"error_rate": "errors is not a figure of single trials",
		"respons_p9": `unknown figure "respons_p9"; did you mean "response_p90"`,
		"callz":      `unknown figure "callz": use a column of --format csv, such as response_p99 or calls_per_sec`,
		"eror_rate":  `unknown figure "eror_rate": use a column of --format csv, such as response_p99 or calls_per_sec`,
	} {
		if _, err := require.Metric(name); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
