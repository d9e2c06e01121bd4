package report

import (
	"testing"

	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

// What a trial used is divided by its own time: in one the server died early, and in each the last calls ended after the window.
func TestWhatWasUsedInASecondIsOfEachTrial(t *testing.T) {
	t.Parallel()
	file := &result.File{Name: "died.jsonl"}
	for repetition := range 2 {
		trial := reporttest.Invent(t, reporttest.Points()[1], reporttest.Models[1], repetition+1)
		c := &trial.Clients[0]
		calls := c.Arrivals
		if repetition == 1 {
			calls /= 100
		}
		c.Outcomes = []result.Outcome{{Code: result.CodeOK, Calls: calls}, {Code: "UNAVAILABLE", Calls: c.Arrivals - calls}}
		c.ElapsedNs, c.WindowNs = 2e9, 1e9
		c.Begin = &result.Snapshot{BytesOut: new(int64(0)), BytesIn: new(int64(0))}
		c.End = &result.Snapshot{TimeNs: 2e9, CPUUserNs: 1e9, BytesOut: new(int64(4e6)), BytesIn: new(int64(0))}
		file.Trials = append(file.Trials, trial)
	}
	row := reporttest.Built(t, file).Rows[0]
	for metric, want := range map[analysis.Metric]float64{analysis.ClientCPUPerCall: 0.5e9, analysis.WireOutPerCall: 2e6} {
		if got := perSec(row, metric); got < want*0.999 || got > want*1.001 {
			t.Errorf("%s: %v in a second, want %v", metric, got, want)
		}
	}
}

func TestThePayloadHasAUnitOfItsSize(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]stat.Summary{
		"400 B/s of payload":               {N: 1, Median: 0.0004},
		"629 kB/s of payload":              {N: 1, Median: 0.629},
		"2.00 MB/s of payload (1.90–2.10)": {N: 3, Median: 2, Lo: 1.9, Hi: 2.1},
	} {
		if got := payloadWords(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
