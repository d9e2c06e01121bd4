package report

import (
	"slices"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// energyScenarios come from a benchmark of phones, whose reader asks what a battery would lose.
var energyScenarios = []string{"codec", "mobile"}

// asksEnergy tells whether a row is of such a scenario.
func asksEnergy(row *analysis.Row) bool {
	return len(row.Trials) > 0 && slices.ContainsFunc(energyScenarios, func(name string) bool {
		return row.Source.Scenario(name) == row.Key.Scenario
	})
}

// energyLines say what the energy of such rows is, or that nothing told it.
func energyLines(rows []*analysis.Row) []string {
	rows = slices.DeleteFunc(slices.Clone(rows), func(row *analysis.Row) bool { return !asksEnergy(row) })
	switch {
	case len(rows) == 0:
		return nil
	case slices.ContainsFunc(rows, knowsEnergy):
		return []string{"Energy is what all processor packages used in the measured phase, other processes and " +
			"idle power included, divided by the OK calls or operations. A slower stack therefore has a larger " +
			"share of idle power."}
	default:
		return []string{"Energy is missing: this machine has no readable energy counter (RAPL)."}
	}
}

// addEnergy appends a column of the energy of a call, or of a codec's operation, where a row of such a scenario has it.
func (v *view) addEnergy() {
	if !slices.ContainsFunc(v.rows, func(row *analysis.Row) bool { return asksEnergy(row) && knowsEnergy(row) }) {
		return
	}
	joules, unit := energyPerCall, scale{"µJ/call", 1e-6}
	if questionOf(v.rows) == coding {
		joules, unit = energyPerOperation, scale{"nJ/op", 1e-9}
	}
	var summaries []*stat.Summary
	var medians []float64
	for _, row := range v.rows {
		s := joules(row)
		summaries = append(summaries, s)
		if s != nil {
			medians = append(medians, s.Median)
		}
	}
	printed := format{unit: unit, digits: decimals(scaledBy(medians, unit))}
	c := column{head: "energy " + unit.unit, right: true, drop: 1}
	for _, s := range summaries {
		c.cells = append(c.cells, printed.cell(s, false))
	}
	v.columns = append(v.columns, c)
}

func knowsEnergy(row *analysis.Row) bool {
	return energyPerCall(row) != nil || energyPerOperation(row) != nil
}

func energyPerCall(row *analysis.Row) *stat.Summary { return summaryOf(row, analysis.EnergyPerCall) }

// energyPerOperation is over the trials, each of which had its own number of operations; nil where none tells.
func energyPerOperation(row *analysis.Row) *stat.Summary {
	var sample []float64
	for _, trial := range row.Trials {
		if operations := trial.Operations(); operations > 0 && trial.Host != nil && trial.Host.EnergyJoules != nil {
			sample = append(sample, *trial.Host.EnergyJoules/float64(operations))
		}
	}
	if len(sample) == 0 {
		return nil
	}
	s := stat.Summarize(sample)
	return &s
}
