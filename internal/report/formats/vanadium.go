package formats

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/report/note"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/record"
)

// writeVanadium prints each trial as Vanadium's client prints its run: the call, the elapsed time, and the histogram of the
// responses. Percentiles and failures, which that client lacks, follow. If there are several trials, a line before each names it.
func writeVanadium(w io.Writer, r *analysis.Report) error {
	out := &printer{w: w}
	alone := len(r.Rows) == 1 && len(r.Rows[0].Trials)+len(r.Rows[0].Failed) == 1
	first := true
	for _, row := range r.Rows {
		for _, trial := range append(slices.Clip(row.Trials), row.Failed...) {
			if !first {
				out.printf("\n")
			}
			if first = false; !alone {
				out.printf("%s, trial %d\n", goName(row), trial.Repetition)
			}
			if err := writeVanadiumTrial(out, trial); err != nil {
				return err
			}
		}
	}
	return out.err
}

func writeVanadiumTrial(out *printer, trial *analysis.Trial) error {
	out.printf("%s\n", strings.Join(vanadiumFlags(trial), "  "))
	response, err := responseOf(trial)
	if err != nil {
		return err
	}
	elapsed := time.Duration(trial.ElapsedNs)
	if note.Cold(trial) && response != nil { // as there, the first call has its connection in it
		response = note.WithConnection(response, trial.First)
		elapsed += note.FirstTotal(trial.First) - time.Duration(trial.First.CallNs)
	}
	out.printf("elapsed time: %s\n", elapsed)
	if err := WriteHistogram(out, "", response); err != nil {
		return err
	}
	if trial.First != nil {
		out.printf("First call with its connection: %s\n", note.FirstCall(trial.First))
	}
	writePercentiles(out, trial.Spec, response)
	bounds, err := lowerBounds(&analysis.Row{Trials: []*analysis.Trial{trial}})
	if err != nil {
		return err
	}
	if bounds != "" {
		out.printf("These are of the OK calls%s\n", bounds)
	}
	writeBeside(out, trial)
	writeFailures(out, trial)
	return out.err
}

// responseOf returns the trial's histogram, nil where it has none.
func responseOf(trial *analysis.Trial) (*hdrhistogram.Histogram, error) {
	encoded, ok := trial.Histograms[result.HistResponse]
	if !ok {
		return nil, nil
	}
	return result.DecodeHistogram(encoded)
}

// vanadiumFlags describes the call in the flags of Vanadium's client, followed by what that client can't call.
func vanadiumFlags(trial *analysis.Trial) []string {
	spec := trial.Spec
	flags := []string{
		fmt.Sprintf("iterations: %d", trial.Arrivals),
		fmt.Sprintf("chunk_count: %d", spec.Messages),
		fmt.Sprintf("payload_size: %d", spec.RequestBytes),
	}
	if spec.Kind != stack.KindUnary && spec.Kind != stack.KindStream {
		flags = append(flags, "kind: "+spec.Kind)
	}
	if spec.ResponseBytes != spec.RequestBytes {
		flags = append(flags, fmt.Sprintf("response_size: %d", spec.ResponseBytes))
	}
	if spec.Slots() > 1 {
		flags = append(flags, fmt.Sprintf("connections: %d  in_flight: %d", spec.Connections, spec.InFlight))
	}
	return flags
}

// writePercentiles says how the load was generated, which determines when latency begins.
func writePercentiles(out *printer, spec plan.Spec, response *hdrhistogram.Histogram) {
	if response == nil || response.TotalCount() == 0 {
		return
	}
	b := newBuckets(response)
	load := "closed loop"
	if spec.Load != plan.LoadClosed {
		load = naming.Arrivals(spec) + ", measured from when a call was due"
	}
	out.printf("Percentiles (unit: %s; %s)\n", b.unit.name, load)
	var figures []string
	for _, p := range []struct {
		name     string
		quantile float64
	}{{"p50", .5}, {"p90", .9}, {"p99", .99}, {"p99.9", .999}, {"max", 1}} {
		ns := float64(record.Quantile(response, p.quantile))
		// The histogram knows a value only within a bar, and Max has already given the upper end of the last one.
		figures = append(figures, fmt.Sprintf("%s: %.2f", p.name, min(ns/float64(b.unit.ns), b.most)))
	}
	out.printf("%s\n", strings.Join(figures, "  "))
}

// writeBeside counts the calls that were not measured.
func writeBeside(out *printer, trial *analysis.Trial) {
	if trial.Spec.Background == nil || trial.Background == nil {
		return
	}
	out.printf("background calls, %s: %s OK, %d failed\n", naming.Beside(trial.Spec),
		number.Count(trial.Background.OK, "call"), trial.Background.Errors)
}

func writeFailures(out *printer, trial *analysis.Trial) {
	for _, outcome := range trial.Outcomes {
		if outcome.Code == result.CodeOK || outcome.Calls == 0 {
			continue
		}
		line := fmt.Sprintf("%s: %s", outcome.Code, number.Count(outcome.Calls, "call"))
		if outcome.Example != "" {
			line += ", for example: " + note.OneLine(outcome.Example)
		}
		out.printf("%s\n", line)
	}
	if trial.Status == result.StatusFailed {
		out.printf("FAILED: %s\n", note.OneLine(trial.Failure))
	}
	for _, warning := range trial.Warnings {
		out.printf("warning: %s\n", note.OneLine(warning.Text))
	}
}
