package report

import (
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/report/document"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
)

// cellsOf returns a table's cells under a head.
func cellsOf(t *testing.T, v *document.Table, group, head string) []string {
	t.Helper()
	for _, c := range v.Columns {
		if c.Group == group && c.Head == head {
			var cells []string
			for _, cell := range c.Cells {
				cells = append(cells, cell.Text)
			}
			return cells
		}
	}
	t.Fatalf("no column %s %s", group, head)
	return nil
}

func TestATableFromLoopbackToAnOceanHasUnitsInItsCells(t *testing.T) {
	t.Parallel()
	tables := reporttest.BatchRun(t).Tables
	i := slices.IndexFunc(tables, func(table *analysis.Table) bool { return table.Scenario == "distance" })
	v := mainTable(tables[i])
	p50 := cellsOf(t, v, "call", "p50")
	if p50[0] != "24.1 µs" || !slices.Contains(p50, "524 µs") || !slices.Contains(p50, "300 ms") {
		t.Errorf("%q", p50)
	}
	if rates := cellsOf(t, v, "", "ops/s"); rates[0] != "41,502" || !slices.Contains(rates, "3.33") {
		t.Errorf("%q", rates)
	}
	near := mainTable(tables[0])
	for _, c := range near.Columns {
		if c.Group == "call" || strings.HasPrefix(c.Group, "call ") {
			if c.Group != "call µs" {
				t.Errorf("a table over loopback has the group %q", c.Group)
			}
		}
	}
}

func TestRatiosToAnotherRowOfAStackHaveThreeDigits(t *testing.T) {
	t.Parallel()
	v := mainTable(reporttest.BatchRun(t).Tables[0])
	if got := cellsOf(t, v, "", "× batch 1"); got[0] != "1.00" || got[3] != "9.66" || got[6] != "71.9" || got[9] != "202" {
		t.Errorf("%q", got)
	}
}
