package note

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
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

// Both servers of ab listen at one address.
func TestFirstCallsOfTheServersOfABHaveALineEach(t *testing.T) {
	t.Parallel()
	run := reporttest.FirstRun(t, []float64{144, 200, 300, 400}, 1, "plaintext")
	run.Sources[0].Header.AB = &result.AB{}
	for i, side := range []pairs.Side{pairs.First, pairs.Second, pairs.A, pairs.B} {
		run.Rows[i].Trials[0].Cases = []plan.Case{{Scenario: string(side)}}
	}
	want := []string{
		"grpc-go of A: the first call, including its connection, took 1.00 ms: connect 1.00 ms.",
		"grpc-go of A: the first call, including its connection, took 2.00 ms: connect 2.00 ms.",
		"grpc-go of A: the first call, including its connection, took 3.00 ms: connect 3.00 ms.",
		"grpc-go of B: the first call, including its connection, took 4.00 ms: connect 4.00 ms.",
	}
	if diff := cmp.Diff(want, FirstLines(run.Rows)); diff != "" {
		t.Error(diff)
	}
}
