package naming

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// Caption describes a table's figures: the question, the load, and the statistic.
func Caption(table *analysis.Table) string {
	if QuestionOf(table.Rows) == Coding {
		return fmt.Sprintf("%s · %s", table.Title, Statistic(table.Rows))
	}
	return fmt.Sprintf("%s, %s · %s", table.Title, loadWords(table.Rows), Statistic(table.Rows))
}

// loadWords names the load: the one that all rows share, or its kind.
func loadWords(rows []*analysis.Row) string {
	var loads []string
	closed := 0
	for _, row := range rows {
		if load := Arrivals(row.Spec); !slices.Contains(loads, load) {
			loads = append(loads, load)
		}
		if row.Spec.Closed() {
			closed++
		}
	}
	switch {
	case len(loads) == 1:
		return loads[0]
	case closed == len(rows):
		return plan.LoadClosed
	case closed > 0:
		return "closed and open"
	default:
		return "open"
	}
}

// Detail describes what all rows of a table have in common, and what an open load's latency counts from.
func Detail(rows []*analysis.Row, common []string) string {
	if QuestionOf(rows) == Open {
		common = append([]string{"response is measured from when a call was due"}, common...)
	}
	return strings.Join(common, " · ")
}

// Arrivals names the load of a point.
func Arrivals(spec plan.Spec) string {
	switch {
	case spec.Closed() && spec.Schedule != nil:
		return fmt.Sprintf("%s, calls in flight follow the ramp %s", spec.Load, spec.Schedule)
	case spec.Closed():
		return spec.Load
	case spec.Schedule != nil:
		return fmt.Sprintf("%s arrivals, ramp %s", spec.Load, spec.Schedule)
	case spec.Load == plan.LoadPoisson:
		return fmt.Sprintf("Poisson arrivals at %s calls/s", offered(spec))
	default:
		return fmt.Sprintf("%s %s calls/s", spec.Load, offered(spec))
	}
}

// Statistic names the number of trials and the spread: "median of 3 trials, min–max".
func Statistic(rows []*analysis.Row) string {
	least, most := 0, 0
	for _, row := range rows {
		n := len(row.Trials)
		if n > 0 && (least == 0 || n < least) {
			least = n
		}
		most = max(most, n)
	}
	trials := number.Grouped(float64(most), 0) + " trials"
	switch {
	case most == 0:
		return "no trial succeeded"
	case most == 1:
		return "1 trial, no spread"
	case least < most:
		trials = fmt.Sprintf("%d–%s", least, trials)
	}
	return "median of " + trials + ", " + Spread(least, most)
}

// Spread names the spread of rows with between least and most trials.
func Spread(least, most int) string {
	const interval = "95% confidence interval of the median"
	switch {
	case most < stat.ConfidenceTrials:
		return "min–max"
	case least >= stat.ConfidenceTrials:
		return interval
	default:
		return fmt.Sprintf("min–max with fewer than %d trials, otherwise %s", stat.ConfidenceTrials, interval)
	}
}

// Row returns what distinguishes a row of a table from the others.
func Row(rows []*analysis.Row, varying []document.Column, i int) string {
	name := []string{rows[i].Spec.Stack}
	for _, axis := range varying {
		if value := axis.Cells[i].Text; value != "" {
			name = append(name, axis.Head+" "+value)
		}
	}
	return strings.Join(name, ", ")
}
