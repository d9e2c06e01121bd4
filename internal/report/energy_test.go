package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// energyRun is an invented run of three trials of a call and of three of an encoding, of a machine that tells so many
// joules of each trial, or nothing.
func energyRun(t *testing.T, joules *float64, scenario string) []*analysis.Row {
	t.Helper()
	file := &result.File{Name: "energy.jsonl"}
	for repetition := 1; repetition <= 3; repetition++ {
		file.Trials = append(file.Trials, reporttest.Invent(t, reporttest.Points()[0], reporttest.Models[0], repetition),
			reporttest.InventCodec(t, reporttest.CodecModels[0], "encode", "small", 18, repetition))
	}
	for i := range file.Trials {
		trial := &file.Trials[i]
		trial.Cases = []plan.Case{{Scenario: scenario, Title: trial.Spec.Kind}}
		trial.Hosts = []result.HostUse{{EnergyJoules: joules}}
		trial.Clients[0].Outcomes = []result.Outcome{{Code: result.CodeOK, Calls: 1000}}
	}
	r, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return r.Rows
}

// columnsOf are the heads and cells that a row gets.
func columnsOf(row *analysis.Row) [][2]string {
	v := &view{rows: []*analysis.Row{row}}
	v.addEnergy()
	var columns [][2]string
	for _, c := range v.Columns {
		columns = append(columns, [2]string{c.Head, c.Cells[0].Text})
	}
	return columns
}

func TestEnergyIsOfACallOrOfAnOperation(t *testing.T) {
	t.Parallel()
	joules := 2.0
	var got [][2]string
	for _, row := range energyRun(t, &joules, "mobile") {
		got = append(got, columnsOf(row)...)
	}
	// 2 J by 1,000 calls of 20 ms with, in the trial in the middle, per operation of 59.8 ns; and by 1,000 calls.
	want := [][2]string{{"energy nJ/op", "5.98"}, {"energy µJ/call", "2,000"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEnergyThatNothingTellsIsALine(t *testing.T) {
	t.Parallel()
	joules := 2.0
	for _, test := range []struct {
		joules   *float64
		scenario string
		want     string
		columns  int
	}{
		{nil, "mobile", "Energy is missing: this machine has no readable energy counter (RAPL).", 0},
		{nil, "codec", "Energy is missing: this machine has no readable energy counter (RAPL).", 0},
		{nil, "latency", "", 0},
		{&joules, "latency", "", 0},
		{&joules, "mobile", "Energy is what all processor packages used in the measured phase, other processes " +
			"and idle power included, divided by the OK calls or operations. A slower stack therefore has a " +
			"larger share of idle power.", 2},
	} {
		rows := energyRun(t, test.joules, test.scenario)
		var want []string
		if test.want != "" {
			want = []string{test.want}
		}
		if diff := cmp.Diff(want, energyLines(rows)); diff != "" {
			t.Errorf("%s: %s", test.scenario, diff)
		}
		columns := 0
		for _, row := range rows {
			columns += len(columnsOf(row))
		}
		if columns != test.columns {
			t.Errorf("%s: %d columns of energy, want %d", test.scenario, columns, test.columns)
		}
	}
}
