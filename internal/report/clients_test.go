package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// A readTrial holds the clients of a trial in a JSON report.
type readTrial struct {
	Calls   int64
	Metrics map[string]float64
	Clients []struct {
		Begun   int64 `json:"begun_ns"`
		Calls   int64
		Library string
		Metrics map[string]float64
	}
}

func readTrialOf(t *testing.T, change func(*result.Trial)) readTrial {
	t.Helper()
	var read struct {
		Rows []struct {
			Trials []readTrial `json:"per_trial"`
		}
	}
	if err := json.Unmarshal(printed(t, FormatJSON, reporttest.Echo(t, 1, change), Options{}), &read); err != nil {
		t.Fatal(err)
	}
	return read.Rows[0].Trials[0]
}

// With several clients, JSON lists each one next to their total; with one client there is no list.
func TestJSONHasClientsApart(t *testing.T) {
	t.Parallel()
	trial := readTrialOf(t, func(trial *result.Trial) {
		trial.Spec.Clients, trial.Spec.Connections = 2, 2
		late := trial.Clients[0]
		late.BegunNs = 7
		trial.Clients = append(trial.Clients, late)
	})
	var got []int64
	for _, c := range trial.Clients {
		got = append(got, c.Begun, c.Calls)
		if own, whole := c.Metrics["calls_per_sec"], trial.Metrics["calls_per_sec"]; own == 0 || whole != 2*own {
			t.Errorf("%v calls a second of %v", own, whole)
		}
		if used, known := c.Metrics["server_cpu_ns_per_call"]; known || c.Library == "" {
			t.Errorf("the client of %q used %v of the server", c.Library, used)
		}
	}
	if diff := cmp.Diff([]int64{0, trial.Calls / 2, 7, trial.Calls / 2}, got); diff != "" {
		t.Error(diff)
	}
	if clients := readTrialOf(t, func(*result.Trial) {}).Clients; clients != nil {
		t.Errorf("one client is listed: %+v", clients)
	}
}

// A report by client has a row for each client, distinguished by the two last columns.
func TestAReportByClientTellsClientsApart(t *testing.T) {
	t.Parallel()
	built := reporttest.Echo(t, 1, twoClients)
	one := reporttest.Invent(t, reporttest.Points()[1], reporttest.Models[1], 1)
	twoClients(&one)
	parted, err := analysis.BuildByClient([]*result.File{{Name: "f.jsonl", Trials: []result.Trial{one}}})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(printed(t, FormatCSV, parted, Options{}))), "\n")
	if whole := string(printed(t, FormatCSV, built, Options{})); strings.Contains(whole, ",client_host\n") {
		t.Error("a report of all clients together has columns of one")
	}
	if len(lines) != 1+2*len(built.Rows) || !strings.HasSuffix(lines[0], ",client,client_host") ||
		!strings.HasSuffix(lines[1], ",1,db1") || !strings.HasSuffix(lines[2], ",2,db2") {
		t.Errorf("%d lines of %d rows:\n%s", len(lines), len(built.Rows), strings.Join(lines, "\n"))
	}
	text := strings.Join(strings.Fields(string(printed(t, FormatText, parted, Options{}))), " ")
	for _, want := range []string{"stack client host", "Hosts of the clients: ", "began after"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// twoClients gives a trial a second client, on another host.
func twoClients(trial *result.Trial) {
	trial.Spec.Clients, trial.Spec.Connections = 2, 2
	late := trial.Clients[0]
	late.BegunNs, late.Host, trial.Clients[0].Host = 7e6, "db2", "db1"
	trial.Clients = append(trial.Clients, late)
}

// A point whose trials all failed before there was a client is a row of none, with the same fields as the others.
func TestRowsOfAReportByClientHaveTheSameFields(t *testing.T) {
	t.Parallel()
	good := reporttest.Invent(t, reporttest.Points()[1], reporttest.Models[1], 1)
	twoClients(&good)
	failed := reporttest.Invent(t, reporttest.Points()[2], reporttest.Models[1], 1)
	twoClients(&failed)
	reporttest.Fail(&failed)
	failed.Clients = nil
	parted, err := analysis.BuildByClient([]*result.File{{Name: "f.jsonl", Trials: []result.Trial{good, failed}}})
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(printed(t, FormatCSV, parted, Options{}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var last [][]string
	for _, line := range lines {
		last = append(last, line[len(line)-2:])
	}
	if diff := cmp.Diff([][]string{{"client", "client_host"}, {"1", "db1"}, {"2", "db2"}, {"", ""}}, last); diff != "" {
		t.Errorf("csv: %s", diff)
	}
	var read struct{ Rows []map[string]json.RawMessage }
	if err := json.Unmarshal(printed(t, FormatJSON, parted, Options{}), &read); err != nil {
		t.Fatal(err)
	}
	var members []string
	for _, row := range read.Rows {
		members = append(members, string(row["client"])+" "+string(row["client_host"]))
	}
	if diff := cmp.Diff([]string{`1 "db1"`, `2 "db2"`, "null " + "null"}, members); diff != "" {
		t.Errorf("json: %s", diff)
	}
}
