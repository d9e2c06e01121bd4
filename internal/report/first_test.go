package report

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// firstRun has a row for each rate, of so many trials, over a connection of each security. First calls took 1 ms, 2 ms and so on.
func firstRun(t *testing.T, rates []float64, trials int, securities ...string) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "f.jsonl"}
	for _, security := range securities {
		n := int64(0)
		for _, rate := range rates {
			for repetition := 1; repetition <= trials; repetition++ {
				p := points()[5]
				p.spec.Target, p.spec.OfferedPerSec, p.spec.Security = "localhost:80", rate, security
				trial := invent(t, p, models[1], repetition)
				trial.ID = fmt.Sprint(security, rate, repetition)
				n++
				trial.Clients[0].First = &result.FirstCall{ConnectNs: n * 1e6}
				file.Trials = append(file.Trials, trial)
			}
		}
	}
	r, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFirstCallsOfOneSetUpShareALine(t *testing.T) {
	t.Parallel()
	const one = "grpc-go: the first call, including its connection, took 1.00 ms: connect 1.00 ms."
	const many = "the first call, including its connection, took 3.50 ms (median of 6 trials, 1.00 ms to 6.00 ms)."
	for _, test := range []struct {
		run  *analysis.Report
		want []string
	}{
		{firstRun(t, []float64{144}, 1, "plaintext"), []string{one}},
		{firstRun(t, []float64{144, 200, 300}, 2, "plaintext"), []string{"grpc-go: " + many}},
		{firstRun(t, []float64{144, 200, 300}, 2, "plaintext", "tls"),
			[]string{"grpc-go, security plaintext: " + many, "grpc-go, security tls: " + many}},
	} {
		if diff := cmp.Diff(test.want, firstLines(test.run.Rows)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestOutcomesNameTheirRows(t *testing.T) {
	t.Parallel()
	r := firstRun(t, []float64{144, 200}, 1, "plaintext")
	for _, row := range r.Rows {
		row.Spec.Method, row.Trials[0].Spec.Method = &plan.Method{Name: "a.B/C"}, &plan.Method{Name: "a.B/C"}
	}
	var names []string
	for _, c := range outcomeTable(r.Rows).Columns[0].Cells {
		names = append(names, c.Text)
	}
	if want := []string{"grpc-go, offered/s 144", "grpc-go, offered/s 200"}; !slices.Equal(names, want) {
		t.Errorf("rows %q, want %q", names, want)
	}
}
