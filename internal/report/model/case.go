package model

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/pairs"
)

// An along is a possible axis of a case: a number of the point, and the columns that show it.
type along struct {
	axis  Axis
	of    func(plan.Spec) float64 // 0 is none
	heads []string
}

// alongs are tried in this order; of those with as many values the first is taken.
var alongs = []along{
	{Axis{"operations per message", ""}, func(s plan.Spec) float64 { return float64(s.Batch) }, []string{naming.BatchHead}},
	{Axis{"offered calls per second", "/s"}, func(s plan.Spec) float64 { return s.OfferedPerSec },
		[]string{"offered/s", "arrivals"}},
	{Axis{"request size", "B"}, func(s plan.Spec) float64 { return float64(s.RequestBytes) }, []string{"payload"}},
	{Axis{"response size", "B"}, func(s plan.Spec) float64 { return float64(s.ResponseBytes) }, []string{"payload"}},
	{Axis{"callers: calls in flight on all connections", ""}, callers, naming.SweptHeads},
	{Axis{"messages per call", ""}, func(s plan.Spec) float64 { return float64(s.Messages) }, []string{"messages"}},
}

// callers returns the number of callers of a closed load.
func callers(s plan.Spec) float64 {
	if !s.Closed() || s.Coding() {
		return 0
	}
	return float64(s.Slots())
}

// minValues is the minimum number of values for an axis; fewer are shown side by side.
const minValues = 3

func (b *builder) addCase(table *analysis.Table) {
	headline := slices.Index(b.metrics, naming.HeadlineOf(table.Rows))
	c := Case{Title: Text(table.Title), Headline: max(headline, 0), Spread: spreadOf(table.Rows)}
	chosen := chosenAlong(table.Rows)
	var without []string
	if chosen != nil {
		c.Axis, without = &chosen.axis, chosen.heads
	}
	names, several := pointsOf(table.Rows, without), severalServers(table.Rows)
	for i, row := range table.Rows {
		place := Place{Row: b.rows[row], Point: Text(names[i])}
		if several && !row.IsFloor() {
			place.Server = Text(row.Spec.Against())
		}
		if server := pairs.ServerOf(table.Scenario, table.Title); server != "" {
			place.Server = Text(server) // both are called alike
		}
		if chosen != nil {
			place.X = new(chosen.of(row.Spec))
		}
		c.Rows, c.Open = append(c.Rows, place), c.Open || !row.Spec.Closed()
	}
	b.report.Cases = append(b.report.Cases, c)
}

// severalServers reports whether a stack of rows was measured with more than one server. If so, the server is part of the
// names of lanes and lines.
func severalServers(rows []*analysis.Row) bool {
	served := map[string]string{}
	for _, row := range rows {
		if server, seen := served[row.Spec.Stack]; seen && server != row.Spec.Against() {
			return true
		}
		served[row.Spec.Stack] = row.Spec.Against()
	}
	return false
}

// pointsOf returns what distinguishes each row from others of its stack and server, such as its client.
func pointsOf(rows []*analysis.Row, without []string) []string {
	without = append(slices.Clone(without), "server")
	names, name := make([]string, len(rows)), naming.Namer(rows, without...)
	for i, row := range rows {
		names[i] = strings.TrimPrefix(strings.TrimPrefix(name(row), naming.Stack(row)), ", ")
		if number, host := row.Client(); number > 0 {
			names[i] = naming.JoinPresent([]string{names[i], fmt.Sprint("client ", number), host}, ", ")
		}
	}
	return names
}

// spreadOf says what the ends of spreads are.
func spreadOf(rows []*analysis.Row) string {
	_, spread, _ := strings.Cut(naming.Statistic(rows), ", ")
	return spread
}

// chosenAlong returns the axis with the most values, at least minValues. It returns nil if there is none, or if rows would
// share a place on it.
func chosenAlong(rows []*analysis.Row) *along {
	var chosen *along
	most := minValues - 1
	for i := range alongs {
		values := map[float64]bool{}
		for _, row := range rows {
			values[alongs[i].of(row.Spec)] = true
		}
		if len(values) > most && !values[0] && !shared(rows, &alongs[i]) {
			chosen, most = &alongs[i], len(values)
		}
	}
	return chosen
}

// shared reports whether two rows of one stack and point would have the same place on the axis.
func shared(rows []*analysis.Row, a *along) bool {
	type place struct {
		name string
		x    float64
	}
	seen, name := map[place]bool{}, naming.Namer(rows, a.heads...)
	for _, row := range rows {
		p := place{name(row), a.of(row.Spec)}
		if seen[p] {
			return true
		}
		seen[p] = true
	}
	return false
}
