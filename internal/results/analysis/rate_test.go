package analysis

import (
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
)

// recorded are OK calls, of which so many came after a window, and the whole phase; times are in seconds.
func recorded(ok, late int64, window, elapsed float64) result.Record {
	r := result.Record{
		ElapsedNs: int64(elapsed * 1e9), WindowNs: int64(window * 1e9), Arrivals: ok,
		Outcomes:   []result.Outcome{{Code: result.CodeOK, Calls: ok}},
		MessagesIn: 2 * ok, PayloadIn: 1e6 * ok,
	}
	if late > 0 {
		r.Tail = &result.Tail{OK: late, MessagesIn: 2 * late, PayloadIn: 1e6 * late}
	}
	return r
}

func measured(t *testing.T, records ...result.Record) *Trial {
	t.Helper()
	trial := result.Trial{Spec: plan.Spec{Kind: stack.KindStream, Messages: 2, Batch: 10, Load: plan.LoadClosed}}
	for _, r := range records {
		trial.Clients = append(trial.Clients, result.Client{Record: r})
	}
	m, err := figures(&Source{}, &trial)
	if err != nil {
		t.Fatal(err)
	}
	return m.trial
}

func TestRatesAreWhatWasCompletedInTheWindow(t *testing.T) {
	t.Parallel()
	got := measured(t, recorded(3001, 1, 3, 9))
	for metric, want := range map[Metric]float64{
		CallsPerSec: 1000, MessagesPerSec: 2000, PayloadMBPerSec: 1000, OperationsPerSec: 20000,
		ElapsedPerCall: 1e6, ElapsedPerMessage: 5e5, ElapsedPerBatch: 5e5, TailNs: 6e9, LateCalls: 1,
	} {
		if value, ok := got.Value(metric); !ok || value != want {
			t.Errorf("%s: %v %t, want %v", metric, value, ok, want)
		}
	}
}

func TestAWorkerThatTellsNoWindowHasTheRateOfThePhase(t *testing.T) {
	t.Parallel()
	got := measured(t, recorded(3000, 0, 0, 3))
	if rate, _ := got.Value(CallsPerSec); rate != 1000 {
		t.Errorf("%v calls/s", rate)
	}
	if after, ok := got.Value(TailNs); ok {
		t.Errorf("a tail of %v ns", after)
	}
}

func TestRatesOfClientsAddUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		clients    []result.Record
		rate, tail float64
	}{
		"one window":  {[]result.Record{recorded(3001, 1, 3, 9), recorded(600, 0, 3, 3)}, 1200, 6e9},
		"two windows": {[]result.Record{recorded(1000, 0, 1, 1), recorded(1000, 0, 4, 4)}, 1250, 2.4e9},
		"three":       {[]result.Record{recorded(10, 0, 1, 1), recorded(10, 0, 2, 2), recorded(10, 0, 5, 5)}, 17, 5e9 - 30/17.*1e9},
		"one without": {[]result.Record{recorded(1000, 0, 1, 1), recorded(0, 0, 4, 4)}, 1000, 3e9},
	} {
		got := measured(t, c.clients...)
		rate, _ := got.Value(CallsPerSec)
		after, _ := got.Value(TailNs)
		if rate-c.rate > 1e-6 || c.rate-rate > 1e-6 || after-c.tail > 1 || c.tail-after > 1 {
			t.Errorf("%s: %v calls/s and a tail of %v ns, want %v and %v", name, rate, after, c.rate, c.tail)
		}
	}
}

func TestATailIsShownWhereItIsLong(t *testing.T) {
	t.Parallel()
	short, long := measured(t, recorded(3001, 1, 3, 3.2)), measured(t, recorded(3001, 1, 3, 9))
	if shown := (&Row{Trials: []*Trial{short}}).Tail(); shown != nil {
		t.Errorf("a tail of a fifteenth is shown")
	}
	many := measured(t, recorded(100, 5, 3, 3.2)) // one in twenty calls is late
	if shown := (&Row{Trials: []*Trial{short, many, short}}).Tail(); shown != many {
		t.Errorf("%+v", shown)
	}
	if shown := (&Row{Trials: []*Trial{measured(t, recorded(100, 4, 3, 3.2))}}).Tail(); shown != nil {
		t.Errorf("%+v", shown)
	}
	if shown := (&Row{Trials: []*Trial{short, long, short}}).Tail(); shown != long {
		t.Errorf("%+v", shown)
	}
}

func TestRetriesOfClientsAddUpWhereAllTell(t *testing.T) {
	t.Parallel()
	tells, silent := recorded(10, 0, 1, 1), recorded(10, 0, 1, 1)
	tells.Retries = new(int64(3))
	if got, ok := measured(t, tells, tells).Value(Retries); !ok || got != 6 {
		t.Errorf("%v retries, %t, want 6", got, ok)
	}
	if got, ok := measured(t, tells, silent).Value(Retries); ok {
		t.Errorf("%v retries, although one client does not tell", got)
	}
}
