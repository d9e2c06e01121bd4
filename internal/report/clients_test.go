package report

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/result"
)

// A readTrial is what a JSON report says of a trial's clients.
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

// Of several clients JSON has each by itself beside all of them together; of one it has no list.
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
