package report

import (
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

func TestWhatCannotBeToldFromNothingHasNoInterval(t *testing.T) {
	t.Parallel()
	told := stat.Estimate{Value: 105e3, Lo: 98e3, Hi: 112e3}
	const open = "can't be told from nothing"
	unclear := stat.Estimate{Value: 40e3, Lo: -37e3, Hi: 117.8e3}
	for want, words := range map[string]string{
		"a message costs 105 µs (98–112) by itself":                    costWords(told, 1),
		"a message costs a share of 105 µs (98–112) by itself":         costWords(told, 8),
		"what a message costs by itself " + open + " (at most 118 µs)": costWords(unclear, 1),
		"what an operation adds " + open:                               addsWords(stat.Estimate{Value: -3, Lo: -5, Hi: -1}),
		"what an operation adds " + open + " (at most 5.00 ns)":        addsWords(stat.Estimate{Value: 1, Lo: -3, Hi: 5}),
	} {
		if words != want {
			t.Errorf("%q, want %q", words, want)
		}
	}
}

// doubtful is a fit over batches of 1, 10 and 100 with so many trials, in which noise hides what a message costs.
func doubtful(t *testing.T, trials int, noise []float64) []*analysis.Row {
	t.Helper()
	file := &result.File{Name: "batch.jsonl", Header: fixture(t).Sources[0].Header}
	for repetition := 1; repetition <= trials; repetition++ {
		for i, n := range []int{1, 10, 100} {
			s := points()[3].spec
			s.Kind, s.Messages, s.Batch, s.Streams, s.InFlight, s.Connections = "ping_pong", 0, n, 1, 1, 1
			one := inventBatch(t, s, batchModels[1], repetition, "batch", "Batches")
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
	if len(lines) != 1 || !strings.Contains(lines[0], "can't be told from one trial of each batch (grpc-go): measure more") {
		t.Errorf("%q", lines)
	}
	lines = meanings(doubtful(t, 3, []float64{1, 1.4, 1}), 0)
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "grpc-go: what a message costs by itself can't be told from nothing") {
		t.Errorf("%q", lines)
	}
	exact := meanings(doubtful(t, 1, []float64{1, 1, 1}), 0)
	if len(exact) != 1 || !strings.Contains(exact[0], "a message costs 101 µs") {
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
	if words := halfWords(line); !strings.HasSuffix(words, "at which batch half of it is reached can't be told") {
		t.Errorf("%q", words)
	}
}
