package naming

import (
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
)

// What distinguishes rows is found once for all of them: the time to name them grows with their number, not with its square.
func TestRowsAreNamedInTimeOfTheirNumber(t *testing.T) { //nolint:paralleltest // it changes the axes
	asked := 0
	axes := AllAxes
	t.Cleanup(func() { AllAxes = axes })
	AllAxes = []axis{{head: "payload", of: func(s plan.Spec) string {
		asked++
		return payloadSize(s)
	}}}
	rows := make([]*analysis.Row, 1000)
	for i := range rows {
		rows[i] = &analysis.Row{Spec: plan.Spec{Stack: "tcp", RequestBytes: i % 2, ResponseBytes: i % 2}}
	}
	name := Namer(rows)
	for i, row := range rows {
		if got, want := name(row), []string{"tcp, payload 0 B", "tcp, payload 1 B"}[i%2]; got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	if most := 2 * len(rows); asked > most {
		t.Errorf("%d rows were looked at %d times, want at most %d", len(rows), asked, most)
	}
}
