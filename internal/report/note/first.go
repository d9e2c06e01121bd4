package note

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/record"
)

// FirstTotal is what the first call took with its connection.
func FirstTotal(f *result.FirstCall) time.Duration {
	return time.Duration(f.ResolveNs + f.ConnectNs + f.TLSNs + f.ProtocolNs + f.CallNs)
}

// FirstCall takes the first call apart: "3.10 ms: name 20.0 µs, connect 130 µs, TLS 1.20 ms, protocol 750 µs, call 1.00 ms".
// A part that there was none of is left out.
func FirstCall(f *result.FirstCall) string {
	var parts []string
	for _, part := range []struct {
		name string
		ns   int64
	}{
		{"name", f.ResolveNs}, {"connect", f.ConnectNs}, {"TLS", f.TLSNs}, {"protocol", f.ProtocolNs}, {"call", f.CallNs},
	} {
		if part.ns > 0 {
			parts = append(parts, part.name+" "+number.Duration(float64(part.ns)))
		}
	}
	return fmt.Sprintf("%s: %s", number.Duration(float64(FirstTotal(f))), strings.Join(parts, ", "))
}

// firstTrials is how many trials of what was set up alike have a line each.
const firstTrials = 3

// FirstLines says of trials against a server that ran already what the first call of all took: of a few one by one, of
// more how long in all. The others have a server as fresh as the client, whose set-up is measured by first_call.
func FirstLines(rows []*analysis.Row) []string {
	var alike []*analysis.Row // a stand-in for all rows that begin alike
	firsts := map[analysis.Key][]*result.FirstCall{}
	for _, row := range rows {
		spec := beginning(row.Spec)
		for _, trial := range row.Trials {
			if trial.Spec.Target == "" || trial.First == nil {
				continue
			}
			key := analysis.KeyOf(serverOf(trial), spec)
			if firsts[key] == nil {
				alike = append(alike, &analysis.Row{Key: key, Spec: spec})
			}
			firsts[key] = append(firsts[key], trial.First)
		}
	}
	varying, _ := naming.Axes(alike)
	var lines []string
	for i, row := range alike {
		name, firsts := naming.Row(alike, varying, i)+row.Key.Scenario, firsts[row.Key]
		if len(firsts) > firstTrials {
			lines = append(lines, manyFirsts(name, firsts))
			continue
		}
		for _, first := range firsts {
			lines = append(lines, fmt.Sprintf("%s: the first call, including its connection, took %s.", name, FirstCall(first)))
		}
	}
	return lines
}

// serverOf names the server of a trial of ab, which starts one of two at the same address: " of A". It is empty for other trials.
func serverOf(trial *analysis.Trial) string {
	switch {
	case trial.Source == nil || trial.Source.Header.AB == nil:
		return ""
	case slices.ContainsFunc(trial.Cases, func(c plan.Case) bool { return pairs.Side(c.Scenario).IsB() }):
		return " of B"
	default:
		return " of A"
	}
}

// beginning is a point without the load, which begins after the first call.
func beginning(s plan.Spec) plan.Spec {
	s.Load, s.OfferedPerSec, s.Schedule = "", 0, nil
	s.Connections, s.InFlight, s.Streams = 0, 0, 0
	return s
}

func manyFirsts(name string, firsts []*result.FirstCall) string {
	return fmt.Sprintf("%s: the first call, including its connection, took %s.", name, FirstCalls(firsts))
}

// FirstCalls is "3.10 ms (median of 5 trials, 2.90 ms to 3.40 ms)".
func FirstCalls(firsts []*result.FirstCall) string {
	times := make([]float64, len(firsts))
	for i, first := range firsts {
		times[i] = float64(FirstTotal(first))
	}
	s := stat.Summarize(times)
	return fmt.Sprintf("%s (median of %s, %s to %s)", number.Duration(s.Median), number.Count(s.N, "trial"),
		number.Duration(slices.Min(times)), number.Duration(slices.Max(times)))
}

// Cold reports whether the measured phase began with the first call of all, on a connection that was opened before it.
func Cold(trial *analysis.Trial) bool {
	return trial.First != nil && !trial.First.InCall && max(trial.Spec.WarmupNs, trial.Spec.WarmupMostNs) == 0
}

// WithConnection returns the histogram with the connection's time added to the first call. The call is the first sample
// at or above what its Caller took, which the sample exceeds by a clock's reading.
func WithConnection(h *hdrhistogram.Histogram, f *result.FirstCall) *hdrhistogram.Histogram {
	changed, found := record.NewHistogram(), false
	for _, bar := range h.Distribution() {
		count := bar.Count
		if !found && count > 0 && bar.To >= f.CallNs {
			found = true
			count--
		}
		_ = changed.RecordValues(bar.From, count) // in range: it was in h
	}
	if !found {
		return h // the first call failed
	}
	_ = changed.RecordValue(int64(min(FirstTotal(f), time.Hour)))
	return changed
}
