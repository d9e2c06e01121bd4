package analysis

import (
	"testing"

	"rpcbench/internal/plan"
)

func TestABareSocketIsTheFloorOnlyWhereItWasPlannedAsOne(t *testing.T) {
	t.Parallel()
	asked := trial(t, spec("tcp"), 1, 10, 100)
	asked.Floor = false
	report := build(t, file("a", asked, trial(t, spec("grpc-go"), 1, 10, 400)))
	for _, row := range report.Rows {
		if _, ok := FloorTimes.Of(row); ok || row.IsFloor() {
			t.Errorf("%s: is the floor: %v, has a ratio: %v", row.Spec.Stack, row.IsFloor(), ok)
		}
	}
}

func TestJVMOptionsAreNoneOfTheFloors(t *testing.T) {
	t.Parallel()
	tuned := spec("grpc-go")
	tuned.JVMOptions = "-Xmx2g"
	report := build(t, file("a", trial(t, tuned, 1, 10, 400), trial(t, spec("tcp"), 1, 10, 100)))
	if ratio, ok := FloorTimes.Of(report.Rows[1]); !ok || ratio != 4 {
		t.Errorf("ratio %v (present: %v), want 4", ratio, ok)
	}
}

func TestCasesWithTheSameRowsAreOneTable(t *testing.T) {
	t.Parallel()
	one, other := trial(t, spec("grpc-go"), 1, 10, 100), trial(t, spec("connect-go"), 1, 10, 100)
	both := []plan.Case{{Scenario: "quick", Title: "constant"}, {Scenario: "quick", Title: "Poisson"}}
	one.Cases, other.Cases = both, append([]plan.Case{{Scenario: "quick", Title: "third"}}, both...)
	f := file("a", one, other)
	f.Header.Scenarios[0].Cases = []string{"constant", "Poisson", "third"}
	tables := build(t, f).Tables
	if len(tables) != 2 || tables[0].Title != "constant" || len(tables[0].Also) != 1 || tables[0].Also[0] != "Poisson" ||
		tables[1].Title != "third" || tables[1].Also != nil {
		t.Errorf("tables %+v, %+v", tables[0], tables[1])
	}
}
