package report

import (
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

func TestWhatCannotBeToldFromNothingHasNoInterval(t *testing.T) {
	t.Parallel()
	told := stat.Estimate{Value: 105e3, Lo: 98e3, Hi: 112e3}
	const open = "is not distinguishable from zero"
	unclear := stat.Estimate{Value: 40e3, Lo: -37e3, Hi: 117.8e3}
	for want, words := range map[string]string{
		"each message takes 105 µs (98–112)":                    costWords(told, 1),
		"each message takes a share of 105 µs (98–112)":         costWords(told, 8),
		"the cost per message " + open + " (at most 118 µs)":    costWords(unclear, 1),
		"the cost per operation " + open:                        addsWords(stat.Estimate{Value: -3, Lo: -5, Hi: -1}),
		"the cost per operation " + open + " (at most 5.00 ns)": addsWords(stat.Estimate{Value: 1, Lo: -3, Hi: 5}),
	} {
		if words != want {
			t.Errorf("%q, want %q", words, want)
		}
	}
}

// doubtful is a fit over batches of 1, 10 and 100 in which noise hides the cost of a message.
func doubtful(t *testing.T, trials int, noise []float64) []*analysis.Row {
	t.Helper()
	file := &result.File{Name: "batch.jsonl", Header: reporttest.Quick(t).Sources[0].Header}
	for repetition := 1; repetition <= trials; repetition++ {
		for i, n := range []int{1, 10, 100} {
			s := reporttest.Points()[3].Spec
			s.Kind, s.Messages, s.Batch, s.Streams, s.InFlight, s.Connections = "ping_pong", 0, n, 1, 1, 1
			one := reporttest.InventBatch(t, s, reporttest.BatchModels[1], repetition, "batch", "Batches")
			one.Clients[0].ElapsedNs = int64(float64(one.Clients[0].ElapsedNs) * noise[i])
			one.Cases = []plan.Case{{Scenario: "batch", Title: "Batches"}}
			file.Trials = append(file.Trials, one)
		}
	}
	r, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return r.Rows
}

func TestOneTrialOfEachBatchIsSaidOnceToBeTooFew(t *testing.T) {
	t.Parallel()
	lines := meanings(doubtful(t, 1, []float64{1, 1.4, 1}), 0)
	if len(lines) != 1 || !strings.Contains(lines[0], "One trial per batch size is too few to separate the cost of a "+
		"message from that of an operation (grpc-go). Measure") {
		t.Errorf("%q", lines)
	}
	lines = meanings(doubtful(t, 3, []float64{1, 1.4, 1}), 0)
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "grpc-go: the cost per message is not distinguishable from zero") {
		t.Errorf("%q", lines)
	}
	exact := meanings(doubtful(t, 1, []float64{1, 1, 1}), 0)
	if len(exact) != 1 || !strings.Contains(exact[0], "each message takes 101 µs") {
		t.Errorf("%q", exact)
	}
}

func TestAnIntervalOfBatchesThatHelpsNobodyIsNotPrinted(t *testing.T) {
	t.Parallel()
	points := []stat.Point{
		{X: 1, Values: []float64{60, 140, 100}}, {X: 10, Values: []float64{90, 160, 125}}, {X: 100, Values: []float64{200, 500, 350}},
	}
	line, err := stat.FitLine(points)
	if err != nil {
		t.Fatal(err)
	}
	if half, ok := line.Half(); !ok || half.Lo > 0 && half.Hi <= halfWidest*half.Lo {
		t.Fatalf("%+v is narrow (%v)", half, ok)
	}
	if words := halfWords(line); !strings.HasSuffix(words, "the batch that reaches half of it is unknown") {
		t.Errorf("%q", words)
	}
}
