package note

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
)

func TestFirstCallsOfOneSetUpShareALine(t *testing.T) {
	t.Parallel()
	const one = "grpc-go: the first call, including its connection, took 1.00 ms: connect 1.00 ms."
	const many = "the first call, including its connection, took 3.50 ms (median of 6 trials, 1.00 ms to 6.00 ms)."
	for _, test := range []struct {
		run  *analysis.Report
		want []string
	}{
		{reporttest.FirstRun(t, []float64{144}, 1, "plaintext"), []string{one}},
		{reporttest.FirstRun(t, []float64{144, 200, 300}, 2, "plaintext"), []string{"grpc-go: " + many}},
		{reporttest.FirstRun(t, []float64{144, 200, 300}, 2, "plaintext", "tls"),
			[]string{"grpc-go, security plaintext: " + many, "grpc-go, security tls: " + many}},
	} {
		if diff := cmp.Diff(test.want, FirstLines(test.run.Rows)); diff != "" {
			t.Error(diff)
		}
	}
}
