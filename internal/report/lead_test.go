package report

import (
	"slices"
	"testing"

	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

func TestTheFirstSentenceAnswersTheQuestion(t *testing.T) {
	t.Parallel()
	title := func(r *analysis.Report, title string) []string {
		i := slices.IndexFunc(r.Tables, func(table *analysis.Table) bool { return table.Title == title })
		return leads(r.Tables[i].Rows)
	}
	quick, batch := reporttest.Quick(t), reporttest.BatchRun(t)
	one := reporttest.OpenLoads(t, func(*result.Trial) {})
	for name, test := range map[string]struct{ got, want []string }{
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
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("%s: got %q, want %q", name, test.got, test.want)
		}
	}
}

func TestStacksWhoseSpreadsOverlapAreNotRanked(t *testing.T) {
	t.Parallel()
	file := &result.File{Name: "close.jsonl"}
	for i, factor := range []float64{4, 4.1} {
		for repetition := 1; repetition <= 3; repetition++ {
			model := reporttest.Models[1+i]
			model.Factor = factor
			file.Trials = append(file.Trials, reporttest.Invent(t, reporttest.Points()[1], model, repetition))
		}
	}
	want := []string{"grpc-go and connect-go are not clearly apart in median response time: " +
		"88.4 µs (85.8–91.1) and 90.6 µs (87.9–93.4)."}
	if got := leads(reporttest.Built(t, file).Rows); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
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
