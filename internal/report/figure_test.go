package report

import (
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
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

// unevenBatches are batches of 1, 10 and 100 of the floor and of a stack, of whose batches of 1 one trial took twice as long.
func unevenBatches(t *testing.T) []*analysis.Row {
	t.Helper()
	file := &result.File{Name: "batch.jsonl", Header: reporttest.Quick(t).Sources[0].Header}
	for _, model := range reporttest.BatchModels[:2] {
		for repetition := 1; repetition <= 3; repetition++ {
			for _, n := range []int{1, 10, 100} {
				s := reporttest.Points()[3].Spec
				s.Kind, s.Messages, s.Batch, s.Streams, s.InFlight, s.Connections = "ping_pong", 0, n, 1, 1, 1
				made := model
				if n == 1 && repetition == 1 && model.Name == "grpc-go" {
					made.Factor *= 2
				}
				one := reporttest.InventBatch(t, s, made, repetition, "batch", "Batches")
				one.Cases = []plan.Case{{Scenario: "batch", Title: "Batches"}}
				file.Trials = append(file.Trials, one)
			}
		}
	}
	return reporttest.Built(t, file).Rows
}

func TestEveryRatioOfATableHasItsIntervalAndAMarkWhereARowOfItIsUnstable(t *testing.T) {
	t.Parallel()
	rows := unevenBatches(t)
	v := newView(rows, "", "", figuresOf(rows)).table()
	for head, want := range map[string][]string{ // of the floor and of the stack, for batches of 1, 10 and 100
		"× batch 1":  {"1.00", "1.00?", "9.66 9.28–10.05", "9.85? 9.47–19.31", "71.9 69.1–74.9", "73.4? 70.5–143.9"},
		"efficiency": {"1.00", "1.00?", "0.97 0.93–1.01", "0.99? 0.95–1.93", "0.72 0.69–0.75", "0.73? 0.71–1.44"},
		"× floor":    {"1.0", "4.4? 4.2–8.6", "1.0", "4.3 4.1–4.5", "1.0", "4.3 4.1–4.5"},
	} {
		i := slices.IndexFunc(v.Columns, func(c document.Column) bool { return c.Head == head })
		var got []string
		for _, c := range v.Columns[i].Cells {
			got = append(got, strings.TrimSpace(c.Text+" "+c.Spread))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", head, got, want)
		}
	}
	const gain = "73.4× (70.5–143.9, UNSTABLE)"
	if lead := leads(rows); len(lead) != 1 || !strings.Contains(lead[0], gain+" with grpc-go") {
		t.Errorf("got %q, want %s", lead, gain)
	}
}
