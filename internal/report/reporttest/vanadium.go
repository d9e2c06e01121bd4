package reporttest

import (
	"sync"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/published"
	"rpcbench/internal/results/result"
)

var echoSizes = []int{1, 10, 100, 1000, 10_000, 100_000}

// EchoPoints are the 52 cases of the scenario echo.
func EchoPoints() []Scene {
	var cases []Scene
	add := func(title string, p50Ns float64, change func(*plan.Spec)) {
		p := Scene{Title: title, Spec: Points()[1].Spec, P50Ns: p50Ns, PerSec: 1e9 / p50Ns, CPUNs: p50Ns / 2}
		change(&p.Spec)
		cases = append(cases, p)
	}
	for _, size := range echoSizes {
		sized := func(s *plan.Spec) { s.RequestBytes, s.ResponseBytes = size, size }
		add("Echo", 20e3, sized)
		for _, messages := range []int{1, 10, 100, 1000} {
			add("Streams", 30e3*float64(messages), func(s *plan.Spec) {
				sized(s)
				s.Kind, s.Messages = "stream", messages
			})
		}
		add("Per chunk", 200e3, func(s *plan.Spec) {
			sized(s)
			s.Kind, s.InFlight, s.Streams = "ping_pong", 64, 1
		})
	}
	for _, size := range []int{10, 1000} {
		for _, messages := range []int{100, 1000} {
			for _, chunk := range echoSizes[1:5] {
				beside := plan.Background{Kind: "stream", RequestBytes: chunk, ResponseBytes: chunk, Messages: messages}
				add("Beside", 300e3, func(s *plan.Spec) {
					s.RequestBytes, s.ResponseBytes, s.Background = size, size, &beside
				})
			}
		}
	}
	return cases
}

var (
	echoOnce   sync.Once
	echoReport *analysis.Report
)

// EchoFixture is a run of two trials. It is made once and must not be modified.
func EchoFixture(t *testing.T) *analysis.Report {
	t.Helper()
	echoOnce.Do(func() { echoReport = EchoRun(t, 2, nil) })
	return echoReport
}

// FindReference returns published figures by their name.
func FindReference(t *testing.T, name string) *published.Reference {
	t.Helper()
	ref, err := published.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// EchoRun is a run of echo over the floor and grpc-go, with the given number of trials.
func EchoRun(t *testing.T, trials int, change func(*result.Trial)) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "echo.jsonl", Header: result.Header{
		Created: Created, Seed: 1, Binary: result.Binary{Version: "v0.1.0", Go: "go1.26.8"},
		Hosts: []result.Host{{Name: "bench", OS: "linux", Arch: "amd64", CPU: "Example CPU @ 3.00GHz", Processors: 2}},
		Scenarios: []result.Scenario{{Name: "echo", Question: "What does an echo cost?", Trials: trials,
			Cases: []string{"Echo", "Streams", "Per chunk", "Beside"}}},
	}}
	for i, p := range EchoPoints() {
		for _, model := range Models[:2] {
			if p.Spec.Background != nil && model.Name == "tcp" {
				continue
			}
			for repetition := 1; repetition <= trials; repetition++ {
				trial := Invent(t, p, model, repetition)
				trial.ID += string(rune('a' + i))
				trial.Cases[0].Scenario = "echo"
				allocated, zero := trial.Clients[0].Arrivals*2048, int64(0)
				trial.Clients[0].Begin.AllocatedBytes, trial.Clients[0].End.AllocatedBytes = &zero, &allocated
				if change != nil {
					change(&trial)
				}
				file.Trials = append(file.Trials, trial)
			}
		}
	}
	return Built(t, file)
}
