package report

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/result"
)

// asMix makes a trial one of a mix, whose first call has three quarters of its calls.
func asMix(trial *result.Trial) {
	trial.Spec.Method = point.MixOf([]plan.MixedMethod{
		{Name: "GET /a", Weight: 75_000, Method: plan.Method{Name: "GET /a", HTTP: true, Requests: "nothing"}},
		{Name: "PUT /b", Weight: 25_000, Method: plan.Method{Name: "PUT /b", HTTP: true, Requests: "--data"}},
	})
	whole := &trial.Clients[0].Record
	calls := whole.Arrivals
	whole.Mixed = []result.Record{
		{Arrivals: 3 * calls / 4, Outcomes: []result.Outcome{{Code: "OK", Calls: 3 * calls / 4}}, Histograms: whole.Histograms},
		{Arrivals: calls / 4, Outcomes: []result.Outcome{
			{Code: "OK", Calls: calls/4 - 5}, {Code: "HTTP_404", Calls: 5, Example: "HTTP_404: 404 Not Found"},
		}, Histograms: whole.Histograms},
	}
}

func TestAReportHasTheCallsOfAMix(t *testing.T) {
	t.Parallel()
	r := reporttest.Echo(t, 2, asMix)
	text := string(printed(t, FormatText, r, Options{Style: document.Style{Width: 120}}))
	for _, want := range []string{
		"Calls of the mix", "GET /a", "75.00%", "PUT /b", "25%", "PUT /b: 10 HTTP_404 (first: 404 Not Found).",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	for _, format := range []string{FormatMarkdown, FormatHTML} {
		page := string(printed(t, format, r, Options{}))
		if !strings.Contains(page, "Calls of the mix") || !strings.Contains(page, "PUT /b") {
			t.Errorf("%s has no calls of the mix", format)
		}
	}
	lines, err := csv.NewReader(strings.NewReader(string(printed(t, FormatCSV, r, Options{})))).ReadAll()
	if err != nil || len(lines) != 4 {
		t.Fatalf("CSV has %d lines, want 4: %v", len(lines), err)
	}
	column := map[string]int{}
	for i, name := range lines[0] {
		column[name] = i
	}
	for i, want := range [][2]string{{"", "mix of 2 calls"}, {"GET /a", "GET /a"}, {"PUT /b", "PUT /b"}} {
		line := lines[i+1]
		if line[column["call"]] != want[0] || line[column["method"]] != want[1] || line[column["mix"]] != "75% GET /a, 25% PUT /b" {
			t.Errorf("line %d is of call %q, method %q, mix %q", i+1, line[column["call"]], line[column["method"]], line[column["mix"]])
		}
		if got := line[column["client_cpu_ns_per_call"]]; (got == "") != (i > 0) {
			t.Errorf("line %d has a CPU time of %q", i+1, got)
		}
	}
	if whole, first := lines[1][column["calls_per_sec"]], lines[2][column["calls_per_sec"]]; whole == first || first == "" {
		t.Errorf("%s calls/s of %s are of one call", first, whole)
	}
}

// Of a call without an OK reply in one of six trials there are five medians, whose range is no confidence interval.
func TestTheSpreadInCSVIsThatOfTheHeadline(t *testing.T) {
	t.Parallel()
	r := reporttest.Echo(t, 6, func(trial *result.Trial) {
		asMix(trial)
		if rare := &trial.Clients[0].Mixed[1]; trial.Repetition == 1 {
			rare.Outcomes, rare.Histograms = []result.Outcome{{Code: "HTTP_404", Calls: rare.Arrivals}}, nil
		}
	})
	var report struct {
		Rows []struct {
			Call    string
			Spread  string
			Metrics map[string]struct{ Spread string }
		}
	}
	if err := json.Unmarshal(printed(t, FormatJSON, r, Options{}), &report); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"": "ci95", "GET /a": "ci95", "PUT /b": "min-max"}
	for _, row := range report.Rows {
		if p50 := row.Metrics["response_p50_ns"].Spread; row.Spread != want[row.Call] || p50 != row.Spread {
			t.Errorf("%q: the spread is %q in csv and %q of the p50, want %q", row.Call, row.Spread, p50, want[row.Call])
		}
	}
	if len(report.Rows) != len(want) {
		t.Errorf("%d rows, want %d", len(report.Rows), len(want))
	}
}
