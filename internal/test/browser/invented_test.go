package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/capacity"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
	"rpcbench/internal/test/canarytest"
)

// openRates is an open load at several rates.
func openRates(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "open.jsonl", Header: result.Header{Scenarios: []result.Scenario{
		{Name: "openloop", Question: "What is the latency at a fixed arrival rate?"}}}}
	for _, rate := range []float64{500, 1000, 2000, 4000} {
		for _, model := range reporttest.Models[1:3] {
			scene := reporttest.Points()[5]
			scene.Spec.OfferedPerSec, scene.PerSec, scene.P50Ns = rate, rate, scene.P50Ns*(1+rate/2000)
			trial := reporttest.Invent(t, scene, model, 2)
			trial.ID, trial.Cases[0].Scenario = fmt.Sprint(rate, model.Name), "openloop"
			file.Trials = append(file.Trials, trial)
		}
	}
	return reporttest.Built(t, file)
}

// severalServers is each stack as the client of each, in two trials.
func severalServers(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "servers.jsonl"}
	for _, model := range reporttest.Models[1:3] {
		for i, server := range reporttest.Models[1:3] {
			for repetition := 1; repetition <= 2; repetition++ {
				scene := reporttest.Points()[1]
				scene.P50Ns *= float64(i + 1)
				trial := reporttest.Invent(t, scene, model, repetition)
				trial.ID, trial.Spec.Server = fmt.Sprint(trial.ID, server.Name), server.Name
				file.Trials = append(file.Trials, trial)
			}
		}
	}
	return reporttest.Built(t, file)
}

// oneLoad is a load of a server that ran already, with windows and the percentiles of each second, in so many trials.
func oneLoad(t *testing.T, trials int) *analysis.Report {
	t.Helper()
	var changes []func(*result.Trial)
	for repetition := 1; repetition <= trials; repetition++ {
		changes = append(changes, func(trial *result.Trial) { loadOf(t, trial, repetition) })
	}
	return reporttest.OpenLoads(t, changes...)
}

// loadOf makes one of it. The later ones are slower.
func loadOf(t *testing.T, trial *result.Trial, repetition int) {
	t.Helper()
	trial.Repetition = repetition
	trial.Spec.Target, trial.Servers, trial.Floor = "127.0.0.1:50051", nil, false
	record := &trial.Clients[0].Record
	for i := range record.Intervals {
		if i%10 == 9 {
			p50 := int64(100_000*repetition + 1000*i)
			record.Intervals[i].Response = &result.Quantiles{Calls: 250, P50Ns: p50, P90Ns: 2 * p50, P99Ns: 3 * p50, MaxNs: 9 * p50}
			h := hdrhistogram.New(1, int64(time.Hour), 3)
			for _, n := range []int64{1, 2, 9} {
				if err := h.RecordValues(p50*n, 100/n); err != nil {
					t.Fatal(err)
				}
			}
			encoded, err := result.EncodeHistogram(h)
			if err != nil {
				t.Fatal(err)
			}
			record.Windows = append(record.Windows, result.Window{StartNs: record.Intervals[i-9].StartNs,
				EndNs: record.Intervals[i].EndNs, Response: encoded})
		}
	}
	trial.Clients[0].Parts = used(4, 2e6)
	trial.Hosts = []result.HostUse{{ElapsedNs: 5e8, Parts: disturbed(4)}}
}

// longLoad is an hour, of which one second was slow, and had calls that failed.
func longLoad(t *testing.T) *analysis.Report {
	t.Helper()
	return reporttest.OpenLoads(t, func(trial *result.Trial) {
		record := &trial.Clients[0].Record
		record.Intervals = nil
		for second := range int64(3600) {
			failed := int64(0)
			response := &result.Quantiles{Calls: 100, P50Ns: 1e5, P90Ns: 2e5, P99Ns: 3e5, MaxNs: 1e6}
			if second == 5 {
				response.MaxNs, failed = 9e9, 500
			}
			record.Intervals = append(record.Intervals, result.Interval{StartNs: second * 1e9, EndNs: (second + 1) * 1e9, OK: 100,
				Errors: failed, Response: response})
		}
	})
}

// used is what a process used in parts of 125 ms: half a processor, and pauses in every second part.
func used(parts int, pauseNs int64) (uses []result.Use) {
	for i := range int64(parts) {
		uses = append(uses, result.Use{StartNs: i * 125e6, EndNs: (i + 1) * 125e6, CPUNs: 62_500_000, GCPauseNs: new(i % 2 * pauseNs),
			HeapBytes: new((8 + i) << 20)})
	}
	return uses
}

// disturbed is a machine with a long hiccup in its second part, and steal.
func disturbed(parts int) (all []result.HostPart) {
	for i := range int64(parts) {
		part := result.HostPart{StartNs: i * 125e6, EndNs: (i + 1) * 125e6, HiccupMaxNs: 80e3, BusyNs: new(int64(100e6)),
			StealNs: new(i * 10e6)}
		if i == 1 {
			part.HiccupMaxNs = 40e6
		}
		all = append(all, part)
	}
	return all
}

// clients are two on machines of their own, and their server on a third.
func clients(t *testing.T) *result.File {
	t.Helper()
	file := &result.File{Name: "clients.jsonl"}
	for repetition := 1; repetition <= 3; repetition++ {
		trial := reporttest.Invent(t, reporttest.Points()[1], reporttest.Models[1], repetition)
		trial.Spec.ClientHosts, trial.Spec.Connections = "db1, db2", 2
		second := trial.Clients[0]
		second.Histograms = map[string]string{result.HistResponse: reporttest.Bell(t, 190e3)}
		second.BegunNs, second.Host, trial.Clients[0].Host = 7e6, "db2", "db1"
		second.Parts, trial.Clients[0].Parts = used(4, 0), used(4, 2e6)
		trial.Clients = append(trial.Clients, second)
		trial.Servers[0].Parts, trial.Servers[0].Host = used(4, 5e6), "srv"
		for _, host := range []string{"db1", "db2", "srv"} {
			trial.Hosts = append(trial.Hosts, result.HostUse{Host: host, ElapsedNs: 5e8, Hiccups: result.Hiccups{Count: 50, MaxNs: 40e6},
				Parts: disturbed(4)})
		}
		file.Trials = append(file.Trials, trial)
	}
	return file
}

// apart has a row for each client.
func apart(t *testing.T, file *result.File) *analysis.Report {
	t.Helper()
	r, err := analysis.BuildByClient([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// capacities is a file of capacity: rates that were searched, confirmed by three trials each, and parts of it.
func capacities(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "capacity.jsonl"}
	add := func(scenario string, trials int, rates ...float64) {
		for _, rate := range rates {
			for repetition := 1; repetition <= trials; repetition++ {
				scene := reporttest.Points()[5]
				scene.Spec.OfferedPerSec, scene.PerSec, scene.P50Ns = rate, rate, scene.P50Ns*(1+rate/2000)
				trial := reporttest.Invent(t, scene, reporttest.Models[1], repetition)
				trial.ID, trial.Cases = fmt.Sprint(scenario, rate, repetition), []plan.Case{{Scenario: scenario, Title: scenario}}
				trial.Started = reporttest.Created.Add(time.Duration(len(file.Trials)) * time.Minute)
				file.Trials = append(file.Trials, trial)
			}
		}
	}
	add(capacity.ScenarioSearch, 1, 700, 1400, 2800, 2000)
	add(capacity.ScenarioCapacity, 3, 1900, 2000)
	add(capacity.ScenarioLoad, 1, 380, 950, 1520, 2090, 2470)
	return reporttest.Built(t, file)
}

// twoServers is a file of ab: the trials of both servers, whose calls differ by a tenth.
func twoServers(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "ab.jsonl", Header: result.Header{AB: &result.AB{
		A: result.Program{Command: []string{"./old"}}, B: result.Program{Command: []string{"./new"}},
		Metrics: []string{"response_p99_ns"}, SameRatio: 0.05,
	}}}
	for pair := 1; pair <= 6; pair++ {
		for i, side := range []pairs.Side{pairs.A, pairs.B} {
			model := reporttest.Models[1]
			model.Factor *= (1 + 0.1*float64(i)) * (1 + 0.002*float64(pair))
			trial := reporttest.Invent(t, reporttest.Points()[1], model, 2)
			trial.ID, trial.Repetition = fmt.Sprint(side, pair), pair
			trial.Cases = []plan.Case{{Scenario: string(side), Title: side.Title()}}
			file.Trials = append(file.Trials, trial)
		}
	}
	return reporttest.Built(t, file)
}

// hostile has what a page would run in as many strings as a report bears.
func hostile(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "their.jsonl", Header: result.Header{Format: result.Format, Version: result.Version,
		Created: reporttest.Created, Scenarios: []result.Scenario{{Name: "quick"}}}}
	for repetition, model := range []reporttest.StackModel{reporttest.Models[0], reporttest.Models[1], reporttest.Models[1]} {
		file.Trials = append(file.Trials, reporttest.Invent(t, reporttest.Points()[5], model, repetition+1))
	}
	file.Trials[2].Status, file.Trials[2].Failure = result.StatusFailed, "it ended"
	accepted := func(changed *result.File) bool {
		r, err := analysis.Build([]*result.File{changed})
		return err == nil && len(r.Rows) >= 2
	}
	return reporttest.Built(t, canarytest.Most(t, file, canarytest.Markup, accepted))
}

// Thousand is a run of a thousand trials: twenty of each of fifty rows.
func Thousand(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "thousand.jsonl"}
	for size := range 10 {
		for stack := range 5 {
			for repetition := 1; repetition <= 20; repetition++ {
				model := reporttest.Models[1]
				model.Name = fmt.Sprintf("stack-%d", stack)
				scene := reporttest.Points()[1]
				scene.Spec.RequestBytes = 100 << size
				trial := reporttest.Invent(t, scene, model, repetition%5)
				trial.ID, trial.Repetition = fmt.Sprint(size, stack, repetition), repetition
				file.Trials = append(file.Trials, trial)
			}
		}
	}
	return reporttest.Built(t, file)
}

// manyRows is a run of five hundred rows: five stacks at ten sizes, and each with ten numbers of calls in flight.
func manyRows(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "rows.jsonl"}
	for size := range 10 {
		for callers := range 10 {
			for stack := range 5 {
				model := reporttest.Models[1]
				model.Name, model.Factor = fmt.Sprintf("stack-%d", stack), model.Factor*(1+0.2*float64(stack))
				scene := reporttest.Points()[1]
				scene.Spec.RequestBytes, scene.Spec.InFlight = 100<<size, 1+callers
				scene.P50Ns *= 1 + float64(callers)
				trial := reporttest.Invent(t, scene, model, 2)
				trial.ID = fmt.Sprint(size, callers, stack)
				file.Trials = append(file.Trials, trial)
			}
		}
	}
	return reporttest.Built(t, file)
}

// foreignNames are names as long as results may have, of other scripts and directions, and of what HTML interprets.
var foreignNames = []string{
	strings.Repeat("stack-without-an-end-", 8), "מחסנית מהירה", "スタックのなまえ", "🚀 rocket 👩\u200d🚀", "<b>bold</b> & \"quoted\"",
}

// longNames is a run whose every name is foreign or long.
func longNames(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: strings.Repeat("very-long-file-name-", 8) + ".jsonl", Header: result.Header{
		Created: reporttest.Created, Hosts: []result.Host{{Name: strings.Repeat("host", 30), CPU: "אבג", OS: "linux"}},
		Scenarios: []result.Scenario{{Name: "names", Question: strings.Repeat("How long is a long question? ", 8)}}}}
	for _, at := range []int{1, 5} {
		for _, label := range []string{"", strings.Repeat("label-", 20), "תווית"} {
			for _, name := range foreignNames {
				for repetition := 1; repetition <= 3; repetition++ {
					model := reporttest.Models[1]
					model.Name = name
					trial := reporttest.Invent(t, reporttest.Points()[at], model, repetition)
					trial.ID, trial.Spec.Label = trial.ID+label, label
					trial.Cases[0] = plan.Case{Scenario: "names", Title: fmt.Sprint(at, strings.Repeat("Title", 40))}
					file.Trials = append(file.Trials, trial)
				}
			}
		}
	}
	return reporttest.Built(t, file)
}
