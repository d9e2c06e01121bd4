package analysis

import "slices"

// Without returns the report without the tables of scenarios, and without the rows that are in no other table. It is the report
// itself if no table would be left.
func (r *Report) Without(scenarios []string) *Report {
	left := slices.DeleteFunc(slices.Clone(r.Tables), func(t *Table) bool { return slices.Contains(scenarios, t.Scenario) })
	if len(left) == 0 || len(left) == len(r.Tables) {
		return r
	}
	shown := func(row *Row) bool {
		return slices.ContainsFunc(left, func(t *Table) bool { return slices.Contains(t.Rows, row) })
	}
	without := *r
	without.Tables = left
	without.Rows = slices.DeleteFunc(slices.Clone(r.Rows), func(row *Row) bool { return !shown(row) })
	return &without
}
