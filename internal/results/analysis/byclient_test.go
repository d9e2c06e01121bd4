package analysis

import (
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// fleet is two trials of a point with two clients on two hosts, and their floor.
func fleet(t *testing.T) []result.Trial {
	t.Helper()
	var trials []result.Trial
	for _, stack := range []string{"tcp", "grpc-go"} {
		for repetition := 1; repetition <= 2; repetition++ {
			one := trial(t, spec(stack), repetition, 1000, 1_000_000)
			one.Floor = stack == "tcp"
			one.Spec.Clients, one.Spec.Connections = 2, 2
			other := trial(t, one.Spec, repetition, 3000, 2_000_000).Clients[0]
			one.Clients[0].Host, other.Host = "db1", "db2"
			other.BegunNs, one.Clients[0].RoundTripNs, other.RoundTripNs = 20e6, 3, 5
			one.Clients = append(one.Clients, other)
			trials = append(trials, one)
		}
	}
	return trials
}

func TestEachClientHasARowOfItsOwn(t *testing.T) {
	t.Parallel()
	built, err := BuildByClient([]*result.File{file("a", fleet(t)...)})
	if err != nil {
		t.Fatal(err)
	}
	if len(built.Rows) != 4 || len(built.Tables) != 1 || len(built.Tables[0].Rows) != 4 {
		t.Fatalf("%d rows, tables %+v", len(built.Rows), built.Tables)
	}
	keys := map[Key]bool{}
	for i, want := range []struct {
		stack  string
		client int
		host   string
		calls  int64
		p50    float64
		begun  float64
	}{
		{"tcp", 1, "db1", 2000, 1e6, 0}, {"tcp", 2, "db2", 6000, 2e6, 20e6},
		{"grpc-go", 1, "db1", 2000, 1e6, 0}, {"grpc-go", 2, "db2", 6000, 2e6, 20e6},
	} {
		row := built.Rows[i]
		number, host := row.Client()
		p50, _ := row.Summary(ResponseP50Ns)
		begun, known := row.Summary(ClientBegunNs)
		if row.Spec.Stack != want.stack || number != want.client || host != want.host || row.Calls != want.calls ||
			p50.Median/want.p50 < 0.999 || p50.Median/want.p50 > 1.001 || begun.Median != want.begun || !known {
			t.Errorf("row %d: %s, client %d on %s: %d calls of %v, begun %v; want %+v", i, row.Spec.Stack, number, host, row.Calls,
				p50.Median, begun.Median, want)
		}
		if row.Floor == nil || row.Floor.Key.Client != want.client || !row.Floor.IsFloor() {
			t.Errorf("row %d: floor %+v, want that of the same client", i, row.Floor)
		}
		if keys[row.Key] {
			t.Errorf("row %d has another's key", i)
		}
		keys[row.Key] = true
	}
}

// What is said against one client stands at its row alone.
func TestARowOfAClientHasItsOwnFindings(t *testing.T) {
	t.Parallel()
	built, err := BuildByClient([]*result.File{file("a", fleet(t)...)})
	if err != nil {
		t.Fatal(err)
	}
	if good, late := built.Rows[0], built.Rows[1]; good.Finds(CodeStartsApart) || !late.Finds(CodeStartsApart) {
		t.Errorf("client 1: %+v, client 2: %+v", good.Doubts(), late.Doubts())
	}
}

func TestAPointOfOneClientIsOneRow(t *testing.T) {
	t.Parallel()
	failed := trial(t, spec("grpc-go"), 2, 10, 1e6)
	failed.Fail(result.FailureRun, "no")
	built, err := BuildByClient([]*result.File{file("a", trial(t, spec("grpc-go"), 1, 1000, 1e6), failed)})
	if err != nil {
		t.Fatal(err)
	}
	row := onlyRow(t, built)
	if number, host := row.Client(); number != 1 || host == "" || row.Calls != 1000 || len(row.Failed) != 1 {
		t.Errorf("client %d on %q, %d calls, %d failed", number, host, row.Calls, len(row.Failed))
	}
	if _, known := row.Summary(ClientBegunNs); known {
		t.Error("it began after itself")
	}
}

// Its trials may have failed before any client was there, as where its server did not start.
func TestAPointWithoutAnyClientIsARow(t *testing.T) {
	t.Parallel()
	trials := fleet(t)[1:3]
	failed := &trials[1]
	failed.Fail(result.FailureServer, "no")
	failed.Clients, failed.Cases = nil, []plan.Case{{Scenario: "quick", Title: "other"}}
	built, err := BuildByClient([]*result.File{file("a", trials...)})
	if err != nil {
		t.Fatal(err)
	}
	if len(built.Rows) != 3 || len(built.Tables) != 2 {
		t.Fatalf("%d rows, tables %+v", len(built.Rows), built.Tables)
	}
	row := built.Tables[1].Rows[0]
	if number, host := row.Client(); number != 0 || host != "" || len(row.Failed) != 1 || row.Spec.Stack != "grpc-go" {
		t.Errorf("client %d on %q, %d failed of %s", number, host, len(row.Failed), row.Spec.Stack)
	}
}

func TestOfALostClientTheOthersRowsAreKept(t *testing.T) {
	t.Parallel()
	trials := fleet(t)[2:]
	for i := range trials {
		trials[i].Fail(result.FailureClientLost, "client 2 of 2 (db2): the worker ended")
	}
	built, err := BuildByClient([]*result.File{file("a", trials...)})
	if err != nil {
		t.Fatal(err)
	}
	for i, calls := range []int64{2000, 6000} {
		if row := built.Rows[i]; row.Calls != calls || row.Verdict() != VerdictLostClient {
			t.Errorf("client %d: %d calls, %s", i+1, row.Calls, row.Verdict())
		}
	}
}
