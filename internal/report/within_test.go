package report

import (
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// withinRun is an invented load of a stranger's streams: one with a message rate, a download, and unary calls.
func withinRun(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "load.jsonl", Header: result.Header{
		Format: result.Format, Version: result.Version, Created: reporttest.Created,
		Scenarios: []result.Scenario{{Name: "load", Question: "What does this server answer?", Trials: 2}},
	}}
	for _, c := range []struct {
		kind, method string
		perSec       float64
		unpaired     int64
		times        map[string]float64
	}{
		{"stream", "Chat", 20, 7, map[string]float64{
			result.HistFirstReply: 1.2e6, result.HistMessage: 900e3, result.HistMessageLag: 31e3,
		}},
		{"download", "List", 0, 0, map[string]float64{result.HistFirstReply: 3.4e6, result.HistReplyGap: 5.1e6}},
		{"unary", "Get", 0, 0, nil},
	} {
		for repetition := 1; repetition <= 2; repetition++ {
			p := reporttest.Points()[1]
			p.Spec.Kind, p.Spec.Method = c.kind, &plan.Method{Name: "shop.v1.Shop/" + c.method, Requests: "--data"}
			p.Spec.RequestBytes, p.Spec.ResponseBytes, p.Spec.Payload = 0, 0, ""
			p.Spec.Target, p.Spec.MessageRatePerSec = "localhost:80", c.perSec
			trial := reporttest.Invent(t, p, reporttest.Models[1], repetition)
			trial.ID += c.kind
			trial.Spec.Server, trial.Clients[0].UnpairedReplies = "", c.unpaired
			trial.Cases = []plan.Case{{Scenario: "load", Title: "shop.v1.Shop"}}
			for name, median := range c.times {
				trial.Clients[0].Histograms[name] = reporttest.Bell(t, median*(1+0.1*float64(repetition-1)))
			}
			file.Trials = append(file.Trials, trial)
		}
	}
	r, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMessagesWithinCallsHaveATableOfTheirOwn(t *testing.T) {
	t.Parallel()
	reporttest.Golden(t, "within.txt", printed(t, FormatText, withinRun(t), Options{}))
	reporttest.Golden(t, "within.md", printed(t, FormatMarkdown, withinRun(t), Options{}))
}

func TestTimesWithinCallsAreColumns(t *testing.T) {
	t.Parallel()
	records := readCSV(t, withinRun(t))
	rate := slices.Index(records[0], "message_rate_per_sec")
	// Medians over two trials, the second's times 1.1 times the first's; p99 is 1.9 times p50, all to three digits.
	want := map[string]string{
		"stream":   "1260543,2395135,,,945151,1795583,61855,7",
		"download": "3571711,6785023,5357567,10178559,,,,",
		"unary":    ",,,,,,,",
	}
	for _, record := range records[1:] {
		first := slices.Index(records[0], "first_reply_p50_ns")
		line := strings.Join(record[first:first+8], ",")
		if kind := record[4]; line != want[kind] {
			t.Errorf("%s: %s, want %s", kind, line, want[kind])
		} else if (record[rate] == "20") != (kind == "stream") {
			t.Errorf("%s has %q messages a second", kind, record[rate])
		}
	}
	if len(records) != 4 {
		t.Errorf("%d rows, want 3", len(records)-1)
	}
}

// A table without any times within calls is not there.
func TestCallsOfOneMessageHaveNoSuchTable(t *testing.T) {
	t.Parallel()
	if text := string(printed(t, FormatText, reporttest.Quick(t), Options{})); strings.Contains(text, "Messages within calls") {
		t.Error("quick has a table of messages within calls")
	}
}
