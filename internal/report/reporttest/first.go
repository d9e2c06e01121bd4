package reporttest

import (
	"fmt"
	"testing"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// FirstRun has a row for each rate and security, with the given number of trials. First calls took 1 ms, 2 ms and so on.
func FirstRun(t *testing.T, rates []float64, trials int, securities ...string) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "f.jsonl"}
	for _, security := range securities {
		n := int64(0)
		for _, rate := range rates {
			for repetition := 1; repetition <= trials; repetition++ {
				p := Points()[5]
				p.Spec.Target, p.Spec.OfferedPerSec, p.Spec.Security = "localhost:80", rate, security
				trial := Invent(t, p, Models[1], repetition)
				trial.ID = fmt.Sprint(security, rate, repetition)
				n++
				trial.Clients[0].First = &result.FirstCall{ConnectNs: n * 1e6}
				file.Trials = append(file.Trials, trial)
			}
		}
	}
	r, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
