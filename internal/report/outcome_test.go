package report

import (
	"slices"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
)

func TestOutcomesNameTheirRows(t *testing.T) {
	t.Parallel()
	r := reporttest.FirstRun(t, []float64{144, 200}, 1, "plaintext")
	for _, row := range r.Rows {
		row.Spec.Method, row.Trials[0].Spec.Method = &plan.Method{Name: "a.B/C"}, &plan.Method{Name: "a.B/C"}
	}
	var names []string
	for _, c := range outcomeTable(r.Rows).Columns[0].Cells {
		names = append(names, c.Text)
	}
	if want := []string{"grpc-go, offered/s 144", "grpc-go, offered/s 200"}; !slices.Equal(names, want) {
		t.Errorf("rows %q, want %q", names, want)
	}
}
