package report

import (
	"strconv"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/report/note"
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
	v := &view{Table: document.Table{Caption: "Calls of the mix",
		Detail: "share: of all calls; weight: the share that was asked for"}}
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
	texts(document.Column{Head: "weight", Right: true}, mixedCall.weight)
	for _, f := range []figureColumn{
		callRate, {head: "p50", metric: analysis.ResponseP50Ns, spread: true},
		{head: "p99", metric: analysis.ResponseP99Ns},
	} {
		v.add(f)
	}
	texts(document.Column{Head: "errors", Right: true}, func(c mixedCall) string { return number.Whole(c.Errors()) })
	for _, c := range calls {
		if len(c.Outcomes) > 0 {
			v.Notes = append(v.Notes, c.Spec.MixedCall()+": "+c.codes()+".")
		}
	}
	return []*document.Table{v.table()}
}

// share is the part of all calls, "69.8%".
func (c mixedCall) share() string {
	if c.whole.Calls == 0 {
		return cell.Absent
	}
	return number.Share(c.Calls, c.whole.Calls)
}

// weight is the share that was asked for.
func (c mixedCall) weight() string {
	return strconv.FormatFloat(100*c.Spec.Method.Share(c.Spec.Method.Which-1), 'g', 4, 64) + "%"
}

// codes are the codes of the calls that were not OK: "2 NOT_FOUND (no such item), 1 UNSENT".
func (c mixedCall) codes() string {
	var codes []string
	for _, o := range c.Outcomes {
		text := number.Whole(o.Calls) + " " + o.Code
		if said := note.Said(o); said != "" {
			text += " (" + said + ")"
		}
		codes = append(codes, text)
	}
	return strings.Join(codes, ", ")
}
