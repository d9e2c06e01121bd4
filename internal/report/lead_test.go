package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/record"
)

func TestTheFirstSentenceAnswersTheQuestion(t *testing.T) {
	t.Parallel()
	title := func(r *analysis.Report, title string) []string {
		i := slices.IndexFunc(r.Tables, func(table *analysis.Table) bool { return table.Title == title })
		return leads(r.Tables[i].Rows)
	}
	quick, batch := reporttest.Quick(t), reporttest.BatchRun(t)
	one := reporttest.OpenLoads(t, func(*result.Trial) {})
	add := func(codes ...string) *analysis.Report {
		return reporttest.OpenLoads(t, func(trial *result.Trial) {
			c := &trial.Clients[0]
			ok := c.Arrivals
			for _, code := range codes {
				c.Outcomes = append(c.Outcomes, result.Outcome{Code: code, Calls: ok})
				c.Arrivals += ok
			}
		})
	}
	few := reporttest.OpenLoads(t, func(trial *result.Trial) {
		trial.Clients[0].Outcomes[0].Calls, trial.Clients[0].Arrivals = 20, 20
		trial.Clients[0].Histograms = map[string]string{result.HistResponse: encoded(t, 20)}
	})
	alone := func(change func(*result.Trial)) []string {
		trial := reporttest.Invent(t, reporttest.Points()[2], reporttest.Models[1], 1)
		change(&trial)
		return leads(reporttest.Built(t, &result.File{Name: "alone.jsonl", Trials: []result.Trial{trial}}).Rows)
	}
	codecs := func() []string {
		file := &result.File{Name: "codec.jsonl"}
		for i, codec := range []string{"json", "protobuf"} {
			for repetition := 1; repetition <= 3; repetition++ {
				trial := reporttest.InventCodec(t, reporttest.CodecModels[i], "encode", "small", 18, repetition)
				trial.Spec.Codec = codec
				file.Trials = append(file.Trials, trial)
			}
		}
		return leads(reporttest.Built(t, file).Rows)
	}
	for name, test := range map[string]struct{ got, want []string }{
		"a codec faster than protobuf": {codecs(), []string{"codec-go (codec json) has the lowest time per operation, 63.5 ns " +
			"(62.2–64.8), 0.613× (0.589–0.638) that of protobuf; codec-go (codec protobuf) follows with 104 ns."}},
		"latency": {title(quick, "1 kB echo, one caller"), []string{
			"grpc-go has the lowest median response time, 95.1 µs (92.2–97.9), 4.30× (4.05–4.57) the floor; " +
				"connect-go follows with 130 µs."}},
		"rate": {title(quick, "1 kB echo, 64 callers"), []string{
			"grpc-go has the highest rate of calls, 48,836/s (47,414–50,346), where the floor has 4.30× (4.05–4.57) as many; " +
				"connect-go follows with 35,592/s. Verdict: ERRORS."}},
		"batches": {title(batch, "Batches on one stream"), []string{
			"Batches of 1,000 operations carry more operations per second than single ones: 202× (195–211) with connect-go, " +
				"1,424,299 ops/s; 202× (195–211) with grpc-go, 1,954,270 ops/s."}},
		"one load": {leads(one.Rows), []string{"Half of the calls were answered within 146 µs, 99% within 278 µs, at 2,000 calls/s. " +
			"Verdict: CLIENT_BOUND."}},
		"one load with errors": {leads(add("NOT_FOUND").Rows), []string{"50.00% of the calls failed. Half of the others were " +
			"answered within 146 µs, 99% within 278 µs, at 2,000 calls/s. Verdict: ERRORS."}},
		"one load with calls that were not sent": {leads(add(result.CodeUnsent).Rows), []string{
			"50.00% of the calls were never sent or answered. Half of the calls took at least 146 µs, 1% at least 278 µs, " +
				"at 2,000 calls/s. Verdict: CENSORED."}},
		"one load with both": {leads(add(result.CodeUnfinished, "NOT_FOUND").Rows), []string{
			"33.33% of the calls failed, and 33.33% were never sent or answered. Half of those that did not fail took at least " +
				"146 µs, 1% at least 278 µs, at 2,000 calls/s. Verdict: CENSORED."}},
		"closed, with calls that were not answered": {alone(func(trial *result.Trial) {
			c := &trial.Clients[0]
			c.Outcomes = append(c.Outcomes, result.Outcome{Code: result.CodeUnfinished, Calls: 3 * c.Arrivals})
			c.Arrivals *= 4
		}), []string{"75.00% of the calls were never sent or answered. Calls were answered at a rate of 50,346/s, and half of the " +
			"calls took at least 1.26 ms, 1% at least 2.39 ms. Verdict: CENSORED."}},
		"one load of few calls": {leads(few.Rows), []string{
			"Half of the calls were answered within 100 µs, at 40.0 calls/s. Verdict: TOO_FEW_SAMPLES."}},
		"one stream of a server": {func() []string {
			trial := reporttest.Invent(t, reporttest.Points()[3], reporttest.Models[1], 1)
			trial.Spec.Target = "localhost:50051"
			return leads(reporttest.Built(t, &result.File{Name: "alone.jsonl", Trials: []result.Trial{trial}}).Rows)
		}(), []string{"localhost:50051 carries messages at a rate of 372,000/s."}},
		"one stack": {alone(func(*result.Trial) {}), []string{
			"Calls were answered at a rate of 50,346/s, half of them within 1.26 ms, 99% within 2.39 ms."}},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("%s: got %q, want %q", name, test.got, test.want)
		}
	}
}

// All are named whose spread overlaps that of the best, and others not.
func TestStacksWhoseSpreadsOverlapAreNotRanked(t *testing.T) {
	t.Parallel()
	file := &result.File{Name: "close.jsonl"}
	for i, factor := range []float64{4, 4.1, 4.2, 4.21, 8} {
		for repetition := 1; repetition <= 3; repetition++ {
			model := reporttest.Models[1+min(i, 2)]
			model.Factor = factor
			if i > 2 {
				model.Name = fmt.Sprint("stack", i)
			}
			file.Trials = append(file.Trials, reporttest.Invent(t, reporttest.Points()[1], model, repetition))
		}
	}
	want := []string{"grpc-go, connect-go, http-json-go and 1 more are not clearly apart in median response time: " +
		"88.4 µs (85.8–91.1), 90.6 µs (87.9–93.4) and 92.9 µs (90.0–95.6)."}
	if got := leads(reporttest.Built(t, file).Rows); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The sentence is about what the chart shows, also of a point where another metric is first, and not about a percentile of too
// few calls.
func TestTheFirstSentenceIsAboutWhatTheChartShows(t *testing.T) {
	t.Parallel()
	lead := func(calls int64, scenes ...int) []string {
		file := &result.File{Name: "f.jsonl"}
		for _, scene := range scenes {
			p := reporttest.Points()[scene]
			p.Title = "one"
			for repetition := 1; repetition <= 3; repetition++ {
				for _, model := range reporttest.Models[1:3] {
					trial := reporttest.Invent(t, p, model, repetition)
					if calls > 0 {
						trial.Clients[0].Histograms[result.HistResponse] = encoded(t, calls)
					}
					file.Trials = append(file.Trials, trial)
				}
			}
		}
		return leads(reporttest.Built(t, file).Rows)
	}
	for name, test := range map[string]struct {
		got  []string
		want string
	}{
		"one caller and many":       {lead(0, 1, 2), "grpc-go has the highest rate of calls, "},
		"a p99 of enough calls":     {lead(368, 5), "not clearly apart in p99 response time"},
		"a p99 of too few calls":    {lead(367, 5), "not clearly apart in median response time"},
		"one caller without others": {lead(0, 1), "grpc-go has the lowest median response time, "},
	} {
		for _, line := range test.got {
			if !strings.Contains(line, test.want) {
				t.Errorf("%s: got %q, want %q", name, line, test.want)
			}
		}
	}
}

// A percentile among calls that were never sent or answered is a lower bound, and that of calls that did not fail leaves others
// out: who has it is not the fastest.
func TestWhoseCallsWereNotServedHasNotTheLowestTime(t *testing.T) {
	t.Parallel()
	ranked := func(share int64, codes ...string) []string {
		file := &result.File{Name: "open.jsonl"}
		for repetition := 1; repetition <= 3; repetition++ {
			for i, model := range reporttest.Models[1:3] {
				trial := reporttest.Invent(t, reporttest.Points()[5], model, repetition)
				c := &trial.Clients[0]
				if code := codes[i]; code != "" {
					lost := c.Arrivals / share
					c.Outcomes = append(c.Outcomes, result.Outcome{Code: code, Calls: lost})
					c.Arrivals += lost
				}
				file.Trials = append(file.Trials, trial)
			}
		}
		return leads(reporttest.Built(t, file).Rows)
	}
	const never, failed = "(50.00% of the calls were never sent or answered)", "(50.00% of the calls failed)"
	for name, test := range map[string]struct {
		share int64
		codes []string
		want  string
	}{
		"neither": {1, []string{"", ""}, "grpc-go has the lowest p99 response time, 286 µs (278–295); connect-go follows with " +
			"392 µs. " +
			"Verdict: CLIENT_BOUND."},
		"the faster was not answered": {1, []string{result.CodeUnsent, ""},
			"connect-go has the lowest p99 response time, 392 µs (381–404); grpc-go follows with at least 286 µs " + never + ". " +
				"Verdict: CENSORED."},
		"the faster failed": {1, []string{"UNAVAILABLE", ""},
			"connect-go has the lowest p99 response time, 392 µs (381–404); grpc-go follows with 286 µs " + failed + ". " +
				"Verdict: ERRORS."},
		"few of the faster's were not answered": {500, []string{result.CodeUnsent, ""},
			"grpc-go and connect-go can't be ranked by p99 response time: at least 286 µs (278–295) (0.20% of the calls were never " +
				"sent or answered) and 392 µs (381–404). Verdict: CENSORED."},
		"neither was answered": {1, []string{result.CodeUnsent, result.CodeUnfinished},
			"grpc-go and connect-go are not clearly apart in p99 response time: at least 286 µs (278–295) " + never +
				" and at least 392 µs (381–404) " + never + ". Verdict: CENSORED."},
	} {
		if got := ranked(test.share, test.codes...); !slices.Equal(got, []string{test.want}) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

func TestTheServerIsNamedWhereOthersServeToo(t *testing.T) {
	t.Parallel()
	file := &result.File{Name: "servers.jsonl"}
	for i, server := range []string{"grpc-go", "connect-go"} {
		for repetition := 1; repetition <= 3; repetition++ {
			model := reporttest.Models[1]
			model.Factor += float64(i)
			trial := reporttest.Invent(t, reporttest.Points()[1], model, repetition)
			trial.Spec.Server = server
			trial.ID += server
			file.Trials = append(file.Trials, trial)
		}
	}
	want := []string{"grpc-go has the lowest median response time, 95.0 µs (92.2–97.9); " +
		"grpc-go (server connect-go) follows with 117 µs."}
	if got := leads(reporttest.Built(t, file).Rows); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// encoded is a histogram of so many calls of 100 µs.
func encoded(t *testing.T, calls int64) string {
	t.Helper()
	h := record.NewHistogram()
	if err := h.RecordValues(100e3, calls); err != nil {
		t.Fatal(err)
	}
	text, err := result.EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A verdict of one load says once what was missing, and advises what the load was given: a duration, or a number of calls.
func TestTheAdviceIsWhatTheLoadWasGiven(t *testing.T) {
	t.Parallel()
	advice := func(change func(*plan.Spec)) []string {
		r := reporttest.OpenLoads(t, func(trial *result.Trial) {
			trial.Clients[0].Outcomes[0].Calls, trial.Clients[0].Arrivals = 20, 20
			trial.Clients[0].Histograms = map[string]string{result.HistResponse: encoded(t, 20)}
			trial.Spec.Server, trial.Spec.Target = "", "there:80"
			change(&trial.Spec)
		})
		row := r.Rows[0]
		i := slices.IndexFunc(row.Doubts(), func(d analysis.Doubt) bool { return d.Verdict == analysis.VerdictTooFewSamples })
		return append([]string{doubtSentence(row, row.Doubts()[i])}, verdictMeaning(analysis.VerdictNotJudged, r.Rows))
	}
	const few = "TOO_FEW_SAMPLES: 20 calls, and p99 needs at least 368 calls. "
	const unknown = "NOT_JUDGED: there were too few calls, or they varied too much, to see whether the speed was steady. The " +
		"figures may be right; nothing shows it. "
	want := []string{few + "Measure longer (--duration), or read only lower percentiles.", unknown + "Measure longer (--duration)."}
	if got := advice(func(*plan.Spec) {}); !slices.Equal(got, want) {
		t.Errorf("a duration: got %q", got)
	}
	want = []string{few + "Make more calls (--calls), or read only lower percentiles.", unknown + "Make more calls (--calls)."}
	if got := advice(func(s *plan.Spec) { s.DurationNs, s.Calls = 0, 20 }); !slices.Equal(got, want) {
		t.Errorf("a number of calls: got %q", got)
	}
}
