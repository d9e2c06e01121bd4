package report

import (
	"fmt"
	"slices"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
)

// costFigures are the resources that a call uses.
var costFigures = []figureColumn{
	{group: "CPU/call", head: "client", metric: analysis.ClientCPUPerCall, spread: true},
	{group: "CPU/call", head: "proxy", metric: analysis.ProxyCPUPerCall, spread: true},
	{group: "CPU/call", head: "server", metric: analysis.ServerCPUPerCall, spread: true},
	{group: "wire B/call", head: "out", metric: analysis.WireOutPerCall},
	{group: "wire B/call", head: "in", metric: analysis.WireInPerCall},
	{group: "switches/call", head: "client", metric: analysis.ClientSwitchesPerCall},
	{group: "switches/call", head: "proxy", metric: analysis.ProxySwitchesPerCall},
	{group: "switches/call", head: "server", metric: analysis.ServerSwitchesPerCall},
	{head: "energy", metric: analysis.EnergyPerCall},
}

// allocationFigures have a separate table, because CSV lacks them, so none may be dropped for lack of width.
var allocationFigures = []figureColumn{
	{group: "allocs/call", head: "client", metric: analysis.ClientAllocsPerCall, spread: true},
	{group: "allocs/call", head: "server", metric: analysis.ServerAllocsPerCall, spread: true},
	{group: "allocated B/call", head: "client", metric: analysis.ClientAllocatedPerCall},
	{group: "allocated B/call", head: "server", metric: analysis.ServerAllocatedPerCall},
}

var allocated = []analysis.Metric{analysis.ClientAllocsPerCall, analysis.ServerAllocsPerCall, analysis.ClientAllocatedPerCall,
	analysis.ServerAllocatedPerCall}

// costAbsent says why no row has a figure of its kind.
var costAbsent = []struct {
	of  []analysis.Metric
	why string
}{
	{[]analysis.Metric{analysis.ClientSwitchesPerCall, analysis.ServerSwitchesPerCall},
		"Context switches are missing: neither side's operating system reports them."},
	{allocated, "Allocations are missing: no runtime counts them."},
	{[]analysis.Metric{analysis.EnergyPerCall}, energyAbsent},
}

// atEqualRate reports whether a table offers several stacks the same constant rate. Then their costs per call can be compared,
// because costs that depend on time are divided by the same number of calls.
func atEqualRate(rows []*analysis.Row) bool {
	paced := func(r *analysis.Row) bool {
		return r.Spec.Load == plan.LoadConstant && r.Spec.Background == nil && len(r.Trials) > 0
	}
	rows = slices.DeleteFunc(slices.Clone(rows), (*analysis.Row).IsFloor)
	if slices.ContainsFunc(rows, func(r *analysis.Row) bool { return !paced(r) }) {
		return false
	}
	for i := 1; i < len(rows); i++ {
		if rows[i].SamePoint(rows[i-1]) && rows[i].Spec.Stack != rows[i-1].Spec.Stack {
			return true
		}
	}
	return false
}

// costTables returns the cost of a call in a table's rows and, if the runtime reports them, its allocations.
func costTables(table *analysis.Table) []*document.Table {
	named := func(asked string) string {
		return fmt.Sprintf("%s: %s · %s", asked, table.Title, naming.Statistic(table.Rows))
	}
	cost := newView(table.Rows, named("Cost per call"),
		"all stacks were offered the same rate; the client's CPU includes the instrument's", costFigures)
	cost.Columns = append(cost.Columns, verdictColumn(table.Rows))
	for _, absent := range costAbsent {
		if !hasAny(table.Rows, absent.of) {
			cost.Notes = append(cost.Notes, absent.why)
		}
	}
	tables := []*document.Table{cost.table()}
	if hasAny(table.Rows, allocated) {
		tables = append(tables, newView(table.Rows, named("Allocations per call"), "", allocationFigures).table())
	}
	return tables
}

// hasAny reports whether a row has one of the metrics.
func hasAny(rows []*analysis.Row, metrics []analysis.Metric) bool {
	return slices.ContainsFunc(metrics, func(m analysis.Metric) bool { return slices.ContainsFunc(rows, has(m)) })
}
