package report

import (
	"fmt"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// costRun is an invented run of two stacks and the floor at two constant rates.
func costRun(t *testing.T, change func(*result.Trial)) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "cost.jsonl", Header: result.Header{Hosts: []result.Host{{Name: "bench", Processors: 2}}}}
	at := reporttest.Points()[5]
	at.Title, at.Spec.Load = "1 kB echo", plan.LoadConstant
	for _, perSec := range []float64{1000, 4000} {
		at.PerSec, at.Spec.OfferedPerSec = perSec, perSec
		for _, model := range reporttest.Models[:3] {
			for repetition := 1; repetition <= 3; repetition++ {
				trial := reporttest.Invent(t, at, model, repetition)
				trial.ID = fmt.Sprintf("%s at %.0f", trial.ID, perSec)
				switched(&trial.Clients[0].Side, trial.Clients[0].Arrivals, 3)
				switched(&trial.Servers[0], trial.Clients[0].Arrivals, 2)
				change(&trial)
				file.Trials = append(file.Trials, trial)
			}
		}
	}
	return reporttest.Built(t, file)
}

// switched sets the given number of context switches per call, half of them voluntary.
func switched(s *result.Side, calls, perCall int64) {
	half := calls * perCall / 2
	s.Begin.VoluntarySwitches, s.Begin.InvoluntarySwitches = new(int64), new(int64)
	s.End.VoluntarySwitches, s.End.InvoluntarySwitches = &half, &half
}

func TestWhatACallCostsIsSealed(t *testing.T) {
	t.Parallel()
	reporttest.Golden(t, "cost.txt", printed(t, FormatText, costRun(t, func(*result.Trial) {}), Options{}))
	joules := 0.25
	reporttest.Golden(t, "cost-energy.md", printed(t, FormatMarkdown, costRun(t, func(t *result.Trial) {
		t.Hosts = []result.HostUse{{EnergyJoules: &joules}}
		t.Clients[0].End.VoluntarySwitches, t.Servers[0].End.VoluntarySwitches = nil, nil
	}), Options{}))
}

func TestOnlyStacksAtTheSameConstantRateAreSetSideBySide(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*result.Trial)
		want   bool
	}{
		"constant": {func(*result.Trial) {}, true},
		"Poisson":  {func(t *result.Trial) { t.Spec.Load = plan.LoadPoisson }, false},
		"closed":   {func(t *result.Trial) { t.Spec.Load, t.Spec.OfferedPerSec = plan.LoadClosed, 0 }, false},
		"a rate each": {func(t *result.Trial) {
			if t.Spec.Stack == "grpc-go" {
				t.Spec.OfferedPerSec++
			}
		}, false},
		"one stack": {func(t *result.Trial) {
			if t.Spec.Stack == "connect-go" {
				t.Spec.Stack, t.Spec.Options = "grpc-go", map[string]string{"a": "b"}
			}
		}, false},
		"beside a background": {func(t *result.Trial) { t.Spec.Background = &plan.Background{Kind: "unary"} }, false},
	} {
		text := string(printed(t, FormatText, costRun(t, test.change), Options{}))
		if got := strings.Contains(text, "Cost per call: 1 kB echo"); got != test.want {
			t.Errorf("%s: a table of costs is %v", name, got)
		}
	}
}
