package report

import (
	"fmt"
	"strconv"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
)

// A mixedCall is a line of the table of a mix: one of its calls, in one row.
type mixedCall struct {
	*analysis.Row

	whole *analysis.Row
	named string // the row, in its first line
}

// mixedTables are none where no row has a mix.
func mixedTables(rows []*analysis.Row) []*document.Table {
	var calls []mixedCall
	varying, _ := naming.Axes(rows)
	for i, row := range rows {
		name := naming.Row(rows, varying, i)
		for _, one := range row.Mixed {
			calls = append(calls, mixedCall{one, row, name})
			name = ""
		}
	}
	if len(calls) == 0 {
		return nil
	}
	v := &view{Table: document.Table{Caption: "Calls of the mix", Detail: "share of all calls; asked: that of the weight"}}
	for _, c := range calls {
		v.rows = append(v.rows, c.Row)
	}
	texts := func(c document.Column, of func(mixedCall) string) {
		v.Columns = append(v.Columns, document.TextOf(c, calls, of))
	}
	texts(document.Column{Head: "stack", Key: true}, func(c mixedCall) string { return c.named })
	texts(document.Column{Head: "call", Key: true}, func(c mixedCall) string { return c.Spec.MixedCall() })
	texts(document.Column{Head: "calls", Right: true}, func(c mixedCall) string { return number.Whole(c.Calls) })
	texts(document.Column{Head: "share", Right: true}, mixedCall.share)
	texts(document.Column{Head: "asked", Right: true}, mixedCall.asked)
	for _, f := range []figureColumn{
		callRate, {head: "p50", metric: analysis.ResponseP50Ns, spread: true}, {head: "p99", metric: analysis.ResponseP99Ns},
	} {
		v.add(f)
	}
	texts(document.Column{Head: "errors", Right: true}, mixedCall.failures)
	t := v.table()
	for _, c := range calls {
		if len(c.Outcomes) > 0 && c.Outcomes[0].Example != "" {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: the first %s.", c.Spec.MixedCall(), c.Outcomes[0].Example))
		}
	}
	return []*document.Table{t}
}

// share is the part of all calls, "69.8%".
func (c mixedCall) share() string {
	if c.whole.Calls == 0 {
		return cell.Absent
	}
	return number.Share(c.Calls, c.whole.Calls)
}

// asked is the share by weight.
func (c mixedCall) asked() string {
	return strconv.FormatFloat(100*c.Spec.Method.Share(c.Spec.Method.Which-1), 'g', 4, 64) + "%"
}

// failures is the number of calls that were not OK, with their codes: "3 (NOT_FOUND 2, UNSENT 1)".
func (c mixedCall) failures() string {
	var codes []string
	for _, o := range c.Outcomes {
		codes = append(codes, o.Code+" "+number.Whole(o.Calls))
	}
	if len(codes) == 0 {
		return "0"
	}
	return number.Whole(c.Errors()) + " (" + strings.Join(codes, ", ") + ")"
}
