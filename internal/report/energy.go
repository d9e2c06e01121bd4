package report

import (
	"slices"

	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
)

const energyAbsent = "Energy is missing: this machine has no readable energy counter (RAPL)."

// energyScenarios come from a benchmark of phones, whose readers ask about battery use.
var energyScenarios = []string{"codec", "mobile"}

// asksEnergy reports whether a row is from such a scenario.
func asksEnergy(row *analysis.Row) bool {
	return len(row.Trials) > 0 && slices.ContainsFunc(energyScenarios, func(name string) bool {
		return row.Source.Scenario(name) == row.Key.Scenario
	})
}

// energyLines describe the energy used in such rows, or say that it is unknown.
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
		return []string{energyAbsent}
	}
}

// addEnergy appends a column of the energy of a call, or of a codec's operation, where a row of such a scenario has it.
func (v *view) addEnergy() {
	if !slices.ContainsFunc(v.rows, func(row *analysis.Row) bool { return asksEnergy(row) && knowsEnergy(row) }) {
		return
	}
	column := figureColumn{head: "energy", metric: analysis.EnergyPerCall}
	if naming.QuestionOf(v.rows) == naming.Coding {
		column.metric, column.spread = analysis.EnergyPerOperation, true
	}
	v.add(column)
}

func knowsEnergy(row *analysis.Row) bool {
	return has(analysis.EnergyPerCall)(row) || has(analysis.EnergyPerOperation)(row)
}
