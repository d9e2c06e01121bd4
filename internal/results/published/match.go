package published

import (
	"fmt"
	"slices"
	"strconv"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// units are what figures are published in: the metric of a row that is the same thing, and what it is divided by.
//
// A time per call is the mean of the calls' own time, as go test has it whose clock stands still between calls. A time
// per message is a share of the elapsed time.
var units = map[string]struct {
	metric analysis.Metric
	by     float64
}{
	"µs/call":    {analysis.ResponseMeanNs, 1e3},
	"ms/call":    {analysis.ResponseMeanNs, 1e6},
	"µs/message": {analysis.ElapsedPerMessage, 1e3},
	"ms/message": {analysis.ElapsedPerMessage, 1e6},
	"calls/s":    {analysis.CallsPerSec, 1},
	"messages/s": {analysis.MessagesPerSec, 1},
	"MB/s":       {analysis.PayloadMBPerSec, 1},
	"ms p50":     {analysis.ResponseP50Ns, 1e6},
	"ms p90":     {analysis.ResponseP90Ns, 1e6},
	"ms p95":     {analysis.ResponseP95Ns, 1e6},
	"ms p99":     {analysis.ResponseP99Ns, 1e6},
	"ms p99.9":   {analysis.ResponseP999Ns, 1e6},
	"ms max":     {analysis.ResponseMaxNs, 1e6},
	"MiB/s":      {analysis.OperationPlainMBPerSec, 1.048576}, // of a codec, by the size before gzip
	// of batches
	"operations/s": {analysis.OperationsPerSec, 1},
}

// A Counterpart is a figure and the rows that measured the same case here, at least one.
type Counterpart struct {
	Figure *Figure
	Rows   []*analysis.Row
}

// Match returns the figures of a table that have a counterpart among the rows, in the table's order. Rows without a
// trial that succeeded are none.
func (t *Table) Match(rows []*analysis.Row) []Counterpart {
	var found []Counterpart
	for i := range t.Figures {
		figure := &t.Figures[i]
		c := Counterpart{Figure: figure}
		for _, row := range rows {
			if _, ok := figure.Measured(row); ok && figure.Matches(row) {
				c.Rows = append(c.Rows, row)
			}
		}
		if len(c.Rows) > 0 {
			found = append(found, c)
		}
	}
	return found
}

// Matches reports whether a row is the figure's case.
func (f *Figure) Matches(row *analysis.Row) bool {
	if f.Lacks != "" {
		return false
	}
	for _, field := range row.Fields() {
		if want, ok := f.Case[field.Name]; ok && !slices.Contains(texts(want), text(field.Value)) {
			return false
		}
	}
	return f.usual(row.Spec)
}

// always are columns that may hold anything: who carries the calls, and where.
var always = []string{"client_cpus", "server_cpus", "client_hosts", "server_hosts", "deadline_ns", "label"}

// usual reports whether the columns that the case doesn't name have their usual values.
func (f *Figure) usual(s point.Spec) bool {
	usual := s.Usual()
	for _, column := range point.Columns() {
		_, named := f.Case[column.Name]
		if named || column.Carrier && column.Name != "compression" || slices.Contains(always, column.Name) ||
			slices.Contains(f.free, column.Name) {
			continue
		}
		if want := column.Text(usual); want != column.Text(s) && want != point.All {
			return false
		}
	}
	return true
}

// freeCase has the columns of a list, to be checked.
func freeCase(names []string) Case {
	c := Case{}
	for _, name := range names {
		c[name] = nil
	}
	return c
}

// Measured returns the row's value in the figure's unit, or false if it has none.
func (f *Figure) Measured(row *analysis.Row) (stat.Summary, bool) {
	unit, ok := units[f.Unit]
	if !ok {
		return stat.Summary{}, false
	}
	s, ok := row.Summary(unit.metric)
	s.Median, s.Lo, s.Hi = s.Median/unit.by, s.Lo/unit.by, s.Hi/unit.by
	return s, ok
}

// text makes values of YAML and of a key comparable.
func text(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}

// texts are the values of YAML that will do: one, or those of a list.
func texts(value any) []string {
	list, ok := value.([]any)
	if !ok {
		return []string{text(value)}
	}
	var values []string
	for _, one := range list {
		values = append(values, text(one))
	}
	return values
}

// check refuses a column that no key has, because it could never distinguish rows.
func (c Case) check(figure string) error {
	known := analysis.ColumnNames()
	for name := range c {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%s: unknown column %q%s", figure, name, hint.Of(name, known))
		}
	}
	return nil
}
