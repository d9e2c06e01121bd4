package report

import (
	"fmt"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/note"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

// pageFacts are the figures of a page that are no distribution.
func pageFacts(row *analysis.Row) document.Facts {
	var facts document.Facts
	for _, fact := range []document.Facts{
		namedFact("Calls", callLines(row)),
		namedFact("Rate", joined(rateParts(row))),
		namedFact("First call", firstOf(row)),
		namedFact("Bytes", joined(byteParts(row))),
		namedFact("CPU", joined(cpuParts(row))),
	} {
		facts = append(facts, fact...)
	}
	return facts
}

// joined makes one line of parts, or none of nothing.
func joined(parts []string) []string {
	if len(parts) == 0 {
		return nil
	}
	return []string{strings.Join(parts, ", ")}
}

// callLines returns the number of calls and how they ended: each code once, with the text of its first call.
func callLines(row *analysis.Row) []string {
	if row.Calls == 0 {
		return nil
	}
	all := number.Whole(row.Calls) + measuredFor(row)
	switch {
	case row.Errors() > 0:
	case len(row.Trials) == 0:
		return []string{all} // of what failed, all that is known to have gone well is no praise
	default:
		return []string{all + ", all OK"}
	}
	lines := []string{all}
	ok := result.Outcome{Code: result.CodeOK, Calls: row.Calls - row.Errors()}
	for _, outcome := range append([]result.Outcome{ok}, row.Outcomes...) {
		line := fmt.Sprintf("%s %s (%s)", outcome.Code, number.Whole(outcome.Calls), number.Share(outcome.Calls, row.Calls))
		if said := note.Said(outcome); said != "" {
			line += ": " + said
		}
		lines = append(lines, line)
	}
	return lines
}

// measuredFor returns how long calls were due, over all trials.
func measuredFor(row *analysis.Row) string {
	var ns int64
	for _, trial := range row.Trials {
		ns += max(trial.WindowNs, 0)
	}
	if ns == 0 {
		return ""
	}
	return " in " + number.Duration(float64(ns))
}

// rateParts returns the offered rate, if any, and the achieved one.
func rateParts(row *analysis.Row) []string {
	var parts []string
	if !row.Spec.Closed() {
		if offered, ok := offeredOf(row); ok {
			parts = append(parts, "offered "+number.None.Text(offered)+" calls/s")
		}
	}
	achieved := figureWords(row, analysis.CallsPerSec, number.None.Format(), " calls/s")
	if achieved != "" && row.Errors() > 0 {
		achieved += " OK"
	}
	switch {
	case achieved != "" && len(parts) > 0:
		parts = append(parts, "achieved "+achieved)
	case achieved != "":
		parts = append(parts, achieved)
	}
	for _, more := range []struct {
		metric analysis.Metric
		unit   string
	}{
		{analysis.MessagesPerSec, " messages/s"}, {analysis.OperationsPerSec, " operations/s"},
	} {
		if words := figureWords(row, more.metric, number.None.Format(), more.unit); words != "" {
			parts = append(parts, words)
		}
	}
	if payload, ok := row.Summary(analysis.PayloadMBPerSec); ok {
		parts = append(parts, payloadWords(payload))
	}
	return parts
}

// payloadWords is a rate in MB/s in a unit of its size.
func payloadWords(s stat.Summary) string {
	const bytes = 1e6
	s.Median, s.Lo, s.Hi = s.Median*bytes, s.Lo*bytes, s.Hi*bytes
	return summaryWords(s, number.Bytes.Format(), "/s of payload")
}

// offeredOf is the mean rate at which calls were due: that of the schedule where the rate changes.
func offeredOf(row *analysis.Row) (float64, bool) {
	if row.Spec.Schedule == nil {
		return row.Spec.OfferedPerSec, row.Spec.OfferedPerSec > 0
	}
	var rates []float64
	for _, trial := range row.Trials {
		if trial.WindowNs > 0 {
			rates = append(rates, float64(trial.Arrivals)*1e9/float64(trial.WindowNs))
		}
	}
	if len(rates) == 0 {
		return 0, false
	}
	return stat.Summarize(rates).Median, true
}

// figureWords is a figure with its unit, and its spread over trials; "" where it is absent.
func figureWords(row *analysis.Row, m analysis.Metric, printed number.Format, unit string) string {
	s, ok := row.Summary(m)
	if !ok {
		return ""
	}
	return summaryWords(s, printed, unit)
}

// summaryWords is figureWords for a known summary.
func summaryWords(s stat.Summary, printed number.Format, unit string) string {
	words := printed.Text(s.Median) + unit
	if spread := cell.Between(s, printed); spread != "" {
		words += " (" + spread + ")"
	}
	return words
}

func firstOf(row *analysis.Row) []string {
	var firsts []*result.FirstCall
	for _, trial := range row.Trials {
		if trial.Spec.Target != "" && trial.First != nil {
			firsts = append(firsts, trial.First)
		}
	}
	switch {
	case len(firsts) == 0:
		return nil
	case len(firsts) > 1:
		return []string{note.FirstCalls(firsts)}
	default:
		return []string{note.FirstCall(firsts[0])}
	}
}

// served is what costs are divided by: OK calls, which is said where others failed.
func served(row *analysis.Row) string {
	if row.FailedRatio() > 0 {
		return "OK call"
	}
	return "call"
}

// byteParts returns the bytes on the wire per call and per second.
func byteParts(row *analysis.Row) []string {
	var parts []string
	for _, way := range []struct {
		metric analysis.Metric
		name   string
	}{{analysis.WireOutPerCall, "out"}, {analysis.WireInPerCall, "in"}} {
		if s, ok := row.Summary(way.metric); ok {
			parts = append(parts, fmt.Sprintf("%s B/%s %s (%s/s)", number.None.Text(s.Median), served(row), way.name,
				number.Bytes.Text(perSec(row, way.metric))))
		}
	}
	return parts
}

// perSec returns the median over trials of what OK calls used in a second of the whole phase, in which all of them ended: its
// window may end before they do.
func perSec(row *analysis.Row, perCall analysis.Metric) float64 {
	var values []float64
	for _, trial := range row.Trials {
		if one, ok := trial.Value(perCall); ok && trial.ElapsedNs > 0 {
			values = append(values, one*float64(trial.OK)/(float64(trial.ElapsedNs)/1e9))
		}
	}
	if len(values) == 0 {
		return 0
	}
	return stat.Summarize(values).Median
}

// cpuParts returns the processor time per call of each side, as far as it is known.
func cpuParts(row *analysis.Row) []string {
	var parts []string
	for _, side := range []struct {
		metric analysis.Metric
		name   string
	}{{analysis.ClientCPUPerCall, "client"}, {analysis.ProxyCPUPerCall, "proxy"}, {analysis.ServerCPUPerCall, "server"}} {
		s, ok := row.Summary(side.metric)
		if !ok {
			continue
		}
		words := fmt.Sprintf("%s %s/%s", side.name, number.Duration(s.Median), served(row))
		if pacer, ok := row.Summary(analysis.ClientPacerPerCall); ok && side.metric == analysis.ClientCPUPerCall {
			words += fmt.Sprintf(" (pacer %s)", number.Duration(pacer.Median))
		}
		parts = append(parts, fmt.Sprintf("%s, %s processors", words, number.None.Text(perSec(row, side.metric)/1e9)))
	}
	if s, ok := row.Summary(analysis.EnergyPerCall); ok {
		parts = append(parts, "energy "+number.Joules.Text(s.Median)+"/"+served(row))
	}
	return parts
}
