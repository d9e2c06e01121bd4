package report

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/result"
)

// requestFile is one run of a load with requests of the given size from a source.
func requestFile(t *testing.T, name, source string, bytes int) *result.File {
	t.Helper()
	file := &result.File{Name: name, Header: result.Header{
		Scenarios: []result.Scenario{{Name: "load", Question: "How fast?", Trials: 4}},
	}}
	for repetition := 1; repetition <= 4; repetition++ {
		p := reporttest.Points()[1]
		p.Spec.Method = &plan.Method{Name: "shop.v1.Shop/Get", Requests: source, RequestCount: 1,
			RequestBytesLeast: bytes, RequestBytesMost: bytes}
		p.Spec.RequestBytes, p.Spec.ResponseBytes, p.Spec.Payload = 0, 0, ""
		p.Spec.Target = "localhost:80"
		trial := reporttest.Invent(t, p, reporttest.Models[1], repetition)
		trial.ID, trial.Spec.Server = name+trial.ID, ""
		trial.Cases = []plan.Case{{Scenario: "load", Title: "shop.v1.Shop/Get"}}
		file.Trials = append(file.Trials, trial)
	}
	return file
}

func TestRequestsOfOtherSizesAreOtherRows(t *testing.T) {
	t.Parallel()
	files := []*result.File{requestFile(t, "q1.jsonl", "--data", 22), requestFile(t, "q2.jsonl", "--data", 100_000)}
	r, err := analysis.Build(files)
	if err != nil {
		t.Fatal(err)
	}
	text := string(printed(t, FormatText, r, Options{}))
	for _, want := range []string{`stack +request +p50`, `\ngrpc-go +22 B `, `\ngrpc-go +100 kB `, `median of 4 trials`} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	records := readCSV(t, r)
	sizes := slices.Index(records[0], "request_sizes")
	for i, want := range []string{"22 B", "100000 B"} {
		if got := records[i+1][sizes]; got != want {
			t.Errorf("row %d has requests of %q, want %q", i, got, want)
		}
	}
}

func TestRequestsOfOtherSizesOrSourcesAreNotCompared(t *testing.T) {
	t.Parallel()
	side := func(name, source string, bytes int) compare.Set {
		r, err := analysis.Build([]*result.File{requestFile(t, name, source, bytes)})
		if err != nil {
			t.Fatal(err)
		}
		return compare.FromReport(name, r, compare.Selection{})
	}
	small := side("a", "--data", 22)
	if _, err := compare.Of(0.05, small, side("b", "--data", 22)); err != nil {
		t.Errorf("the same requests: %v", err)
	}
	const want = "nothing was measured in both a and b: the points most alike are "
	for _, other := range []compare.Set{side("b", "--data", 100_000), side("b", "nothing", 0), side("b", "x.json", 22)} {
		if _, err := compare.Of(0.05, small, other); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
