package reporttest

import (
	"testing"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// Echo makes files of trials of one stack, for cases that the fixture lacks.
func Echo(t *testing.T, trials int, change func(*result.Trial)) *analysis.Report {
	t.Helper()
	p := Points()[1]
	file := &result.File{Name: "f.jsonl", Header: result.Header{Hosts: []result.Host{{Processors: 4}}}}
	for repetition := 1; repetition <= trials; repetition++ {
		trial := Invent(t, p, Models[1], repetition)
		change(&trial)
		file.Trials = append(file.Trials, trial)
	}
	return Built(t, file)
}
