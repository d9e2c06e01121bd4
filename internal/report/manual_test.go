package report

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
)

// TestTheManualsTablesAreWhatIsDeclared holds the tables of docs/reports.md to the declarations; -update writes them anew.
func TestTheManualsTablesAreWhatIsDeclared(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "reports.md")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	for head, table := range map[string]string{
		"| column | what it is, unit | empty for |\n":  keyTable(),
		"| column | unit | what it is | empty for |\n": figureTable(), "| metric | unit | what it is |\n": metricTable(),
	} {
		before, rest, found := strings.Cut(text, head)
		old, after, ends := strings.Cut(rest, "\n\n")
		if !found || !ends {
			t.Fatalf("%s has no table %s", path, head)
		}
		if diff := gocmp.Diff(old+"\n", table); diff != "" && !*reporttest.Update {
			t.Errorf("%s (-is +should be; go test ./internal/report -update):\n%s", path, diff)
		}
		text = before + head + table + "\n" + after
	}
	if *reporttest.Update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// keyTable has the key columns.
func keyTable() string {
	var table strings.Builder
	table.WriteString("|---|---|---|\n| `scenario` | its name | — |\n")
	for _, c := range point.Columns() {
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", c.Name, c.Is, cmp.Or(c.Absent, "—"))
	}
	return table.String()
}

// figureTable has the columns of CSV behind the key.
func figureTable() string {
	var table strings.Builder
	table.WriteString("|---|---|---|---|\n")
	row := func(name, unit, is, absent string) {
		fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", name, unit, is, cmp.Or(absent, "—"))
	}
	columnRow := func(c rowColumn) { row("`"+c.name+"`", "", c.is, c.absent) }
	for _, c := range leading {
		columnRow(c)
	}
	for _, d := range analysis.Declarations() {
		if name, unit := string(d.Metric), string(d.Kind.Unit()); d.Has(analysis.InCSV) {
			row("`"+name+"`", unit, d.Is, d.Absent)
			if d.Has(analysis.Spread) {
				row("`"+name+"_lo`, `"+name+"_hi`", unit, "the ends of its spread", "as "+name)
			}
		}
		if d.Metric == analysis.WireInPerOperation {
			columnRow(countedAt)
		}
	}
	for _, c := range trailing {
		columnRow(c)
	}
	for _, c := range pairColumns {
		row("`"+c.name+"`", "", c.is, c.absent)
	}
	return table.String()
}

// metricTable has the metrics that CSV has no column for.
func metricTable() string {
	var table strings.Builder
	table.WriteString("|---|---|---|\n")
	for _, d := range analysis.Declarations() {
		if !d.Has(analysis.InCSV) {
			fmt.Fprintf(&table, "| `%s` | %s | %s |\n", d.Metric, d.Kind.Unit(), d.Is)
		}
	}
	return table.String()
}
