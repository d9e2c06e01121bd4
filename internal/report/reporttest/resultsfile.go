package reporttest

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// ResultsFile writes five trials of an echo by grpc-go into a results file in a folder, and returns its name. They were measured
// on the given host and day after Created, and take factor times as long; the day changes them by half a percent.
func ResultsFile(t *testing.T, folder, host string, day int, factor float64, changes ...func(*result.Trial)) string {
	t.Helper()
	created := Created.AddDate(0, 0, day)
	name := filepath.Join(folder, fmt.Sprintf("%s-%03d.jsonl", host, day))
	writer, err := result.Create(name, result.Header{Created: created, Seed: 1,
		Binary: result.Binary{Version: "0.1.0", Commit: "0123abcd", Go: "go1.26.8"},
		Hosts: []result.Host{{Name: host, OS: "linux", Arch: "amd64", Kernel: "6.12.9", CPU: "Example CPU @ 3.00GHz",
			Processors: 2, MemoryBytes: 8 << 30}},
		Scenarios: []result.Scenario{{Name: "echo", Question: "How long does a call take?", Trials: 5}},
		Plan:      []plan.Trial{}})
	if err != nil {
		t.Fatal(err)
	}
	wobble := 1 + 0.005*float64(day*7%5-2)/2
	for repetition := 1; repetition <= 5; repetition++ {
		model := Models[1]
		model.Factor *= factor * wobble * (1 + 0.002*float64(repetition*3%5-2))
		trial := Invent(t, Points()[1], model, 2)
		trial.ID, trial.Repetition = fmt.Sprint("echo-", repetition), repetition
		trial.Started = created.Add(time.Duration(repetition) * time.Second)
		trial.Cases = []plan.Case{{Scenario: "echo", Title: "Echo"}}
		for _, change := range changes {
			change(&trial)
		}
		if err := writer.Append(trial); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}
