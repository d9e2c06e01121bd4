package report

import (
	"regexp"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/record"
)

// timesOf are so many times of 1 ms.
func timesOf(t *testing.T, n int64) string {
	t.Helper()
	h := record.NewHistogram()
	if err := h.RecordValues(1e6, n); err != nil {
		t.Fatal(err)
	}
	encoded, err := result.EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// A p99 of 20 calls is marked wherever a table has it, and said to need 368.
func TestAPercentileOfTooFewCallsIsMarkedInEveryTable(t *testing.T) {
	t.Parallel()
	mix := func(calls int64) *analysis.Report {
		return reporttest.Echo(t, 2, func(trial *result.Trial) {
			asMix(trial)
			trial.Clients[0].Mixed[1].Histograms = map[string]string{result.HistResponse: timesOf(t, calls)}
		})
	}
	ramp := func(calls int64) *analysis.Report {
		return ramped(t, 2, func(trial *result.Trial) { trial.Clients[0].Windows[1].Response = timesOf(t, calls) })
	}
	streams := func(replies int64) *analysis.Report {
		return reporttest.Echo(t, 2, func(trial *result.Trial) {
			trial.Spec.Kind, trial.Spec.Method = "download", &plan.Method{Name: "shop.v1.Shop/List", Requests: "--data"}
			trial.Spec.Target = "localhost:80"
			trial.Clients[0].Histograms[result.HistReplyGap] = timesOf(t, replies)
		})
	}
	run := func(calls int64) *analysis.Report {
		return reporttest.OpenLoads(t, func(trial *result.Trial) {
			trial.Clients[0].Histograms[result.HistResponse] = timesOf(t, calls)
			delete(trial.Clients[0].Histograms, result.HistQueue)
			delete(trial.Clients[0].Histograms, result.HistWake)
		})
	}
	for _, c := range []struct {
		name       string
		of         func(int64) *analysis.Report
		line, note string
	}{
		{"run", run, `(?m)^grpc-go .* 1\.00( +)1\.00(\??) .*$`,
			"?: too few calls for this percentile. A p99 needs at least 368 in a trial."},
		{"mix", mix, `(?m)PUT /b .*[0-9]( µs| ms)?(\??) +10$`,
			"?: too few calls for this percentile. A p99 needs at least 368 in a trial."},
		{"ramp", ramp, `(?m)^2\.0–4\.0 .* 1[.,0]+( µs| ms)?(\??) +1[.,0]+( µs| ms)? +6$`,
			"?: too few calls for this percentile. A p99 needs at least 368 in a part of a trial."},
		{"streams", streams, `(?m)reply to next reply .* 1\.00( ms)(\??) +1\.00 ms$`,
			"?: too few times for this percentile. A p99 needs at least 368 in a trial."},
	} {
		for calls, mark := range map[int64]string{20: fewCalls, 368: ""} {
			text := string(printed(t, FormatText, c.of(calls), Options{Style: document.Style{Width: 200}}))
			line := regexp.MustCompile(c.line).FindStringSubmatch(text)
			if line == nil || line[2] != mark || strings.Contains(text, c.note) != (mark != "") {
				t.Errorf("%s of %d calls: %q, want the mark %q and whether %q in\n%s", c.name, calls, line, mark, c.note, text)
			}
		}
	}
}
