package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/results/result"
)

// several makes a trial of clients that make so many calls, of so many nanoseconds each.
func several(t *testing.T, change func(*result.Trial), calls []int64, ns ...int64) *measurement {
	t.Helper()
	all := closed(t)
	all.Spec.Clients, all.Spec.Connections, all.Clients = len(calls), len(calls), nil
	for i, n := range calls {
		all.Clients = append(all.Clients, trial(t, all.Spec, 1, n, ns[i%len(ns)]).Clients[0])
	}
	change(&all)
	m, err := measureAll(&Source{}, &all)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAClientThatDiffersFromTheOthersIsNamed(t *testing.T) {
	t.Parallel()
	same := func(*result.Trial) {}
	open := func(r *result.Trial) { r.Spec.Load, r.Spec.OfferedPerSec = "constant", 1000 }
	for name, c := range map[string]struct {
		change func(*result.Trial)
		calls  []int64
		ns     []int64
		want   string
	}{
		"alike": {same, []int64{1000, 1100, 900}, []int64{1e6}, ""},
		"a slow one": {same, []int64{1000, 1000, 700}, []int64{1e6},
			"the calls per second on each connection of client 3 of 3 is -30% from the median of all clients (bound 25%)"},
		"a fast one": {same, []int64{2000, 1000, 1000}, []int64{1e6},
			"the calls per second on each connection of client 1 of 3 is +100% from the median of all clients (bound 25%)"},
		"too few calls": {same, []int64{1000, 1000, 70}, []int64{1e6}, ""},
		"one":           {same, []int64{1000}, []int64{1e6}, ""},
		"an open load": {open, []int64{1000, 1000, 1000}, []int64{1_000_000, 1_000_000, 1_500_000},
			"the median response of client 3 of 3 is +50% from the median of all clients (bound 25%)"},
		"an even rate": {open, []int64{1000, 1000, 700}, []int64{1e6}, ""},
		"on hosts": {func(r *result.Trial) { r.Clients[2].Host = "db1" }, []int64{1000, 1000, 700}, []int64{1e6},
			"the calls per second on each connection of client 3 of 3 (db1) is -30% from the median of all clients (bound 25%)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := several(t, c.change, c.calls, c.ns...)
			got := ""
			for _, f := range unevenClients(m, m.trial) {
				got += f.Why
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestClientsThatDidNotBeginTogetherAreNamed(t *testing.T) {
	t.Parallel()
	for ns, want := range map[int64]string{
		10e6: "", 12_500_000: "client 2 of 2 began 12.5 ms after the first (bound 10.0 ms)",
	} {
		m := several(t, func(r *result.Trial) { r.Clients[1].BegunNs = ns }, []int64{1000, 1000}, 1e6)
		got := ""
		for _, f := range startsApart(m, m.trial) {
			got += f.Why
		}
		if got != want {
			t.Errorf("%d ns: %q, want %q", ns, got, want)
		}
	}
}

func TestARowWhoseClientsWereLostSaysSo(t *testing.T) {
	t.Parallel()
	lose := func(repetition int, code result.FailureCode) result.Trial {
		one := trial(t, spec("grpc-go"), repetition, 10, 1e6)
		one.Fail(code, "client 2 of 2: the worker ended")
		return one
	}
	lost := onlyRow(t, build(t, file("a", lose(1, result.FailureClientLost), lose(2, result.FailureClientLost))))
	if d := lost.Doubts(); len(d) != 1 || d[0].Verdict != VerdictLostClient || d[0].Trials != 2 ||
		d[0].Why != "client 2 of 2: the worker ended" {
		t.Errorf("%+v", d)
	}
	mixed := onlyRow(t, build(t, file("a", lose(1, result.FailureClientLost), lose(2, result.FailureRun))))
	if d := mixed.Doubts(); len(d) != 1 || d[0].Verdict != VerdictFailed || d[0].Why != "client 2 of 2: the worker ended" {
		t.Errorf("%+v, want FAILED and why", d)
	}
}
