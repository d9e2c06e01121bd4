package analysis

import (
	"testing"
)

func TestAReportWithoutScenariosHasTheRowsOfTheOthers(t *testing.T) {
	t.Parallel()
	both, searched, confirmed := &Row{}, &Row{}, &Row{}
	r := &Report{Rows: []*Row{searched, both, confirmed}, Tables: []*Table{
		{Scenario: "search", Rows: []*Row{searched, both}}, {Scenario: "capacity", Rows: []*Row{both, confirmed}},
	}}
	left := r.Without([]string{"search", "probe"})
	if len(left.Tables) != 1 || left.Tables[0] != r.Tables[1] {
		t.Errorf("tables %v", left.Tables)
	}
	if len(left.Rows) != 2 || left.Rows[0] != both || left.Rows[1] != confirmed {
		t.Errorf("rows %v", left.Rows)
	}
	if len(r.Tables) != 2 || len(r.Rows) != 3 {
		t.Error("the report itself has changed")
	}
	for _, none := range [][]string{nil, {"probe"}, {"search", "capacity"}} {
		if r.Without(none) != r {
			t.Errorf("without %v it is another report", none)
		}
	}
}
