package driver

import (
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// Of a single client seconds are windows where they are all kept, and of several so too; otherwise only several have them.
func TestTheHistogramOfASecondIsKeptOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seconds             bool
		clients             int
		windows, histograms int // of each client
	}{
		"one client":           {false, 1, 0, 0},
		"one, all seconds":     {true, 1, 3, 0},
		"two clients":          {false, 2, 0, 3},
		"two, and all seconds": {true, 2, 3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				clients := make([]*player, c.clients)
				for i := range clients {
					clients[i] = &player{}
				}
				config := Config{Silence: time.Second, Stall: time.Second, Windows: 20, Seconds: c.seconds}
				s := played(t, config, spec(100*ms, 100*ms, 2500*ms), &player{}, clients...)
				if err := s.warmUp(t.Context()); err != nil {
					t.Fatal(err)
				}
				if err := s.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				for i, client := range s.evidence.Clients {
					histograms := 0
					for _, interval := range client.Intervals {
						if interval.ResponseHistogram != "" {
							histograms++
						}
					}
					if len(client.Windows) != c.windows || histograms != c.histograms || len(client.Intervals) != 25 {
						t.Errorf("client %d: %d windows and %d histograms in %d intervals, want %d, %d, 25", i,
							len(client.Windows), histograms, len(client.Intervals), c.windows, c.histograms)
					}
					wantSeconds(t, client.Windows)
				}
			})
		})
	}
}

// wantSeconds wants windows that follow one another, a second each but the last, with the histograms that were sent.
func wantSeconds(t *testing.T, windows []result.Window) {
	t.Helper()
	end := int64(0)
	for i, w := range windows {
		want := result.Window{StartNs: end, EndNs: min(end+int64(time.Second), int64(2500*ms)), Response: "aGRy"}
		if w != want {
			t.Errorf("window %d is %+v, want %+v", i, w, want)
		}
		end = w.EndNs
	}
}

// What is kept of a trial's course is bounded, however long the trial; what has become too long is left out as a whole.
func TestWhatIsKeptOfACourseIsBounded(t *testing.T) {
	t.Parallel()
	histogram := make([]byte, 300)
	clients := make([]result.Client, 2)
	kept := &course{seconds: true, most: 100_000, clients: clients}
	peak := 0
	for i := range int64(1000) {
		kept.keep(int(i%2), &control.Interval{EndNs: i, Response: &control.Quantiles{}, ResponseHistogram: histogram})
		peak = max(peak, len(clients[0].Windows)+len(clients[1].Windows))
	}
	const each = 2*intervalBytes + 400 // 300 bytes are 400 in base64
	const said = "its intervals and the histograms of its seconds were left out: they take more than 1 MiB"
	if got := (&course{most: 1 << 20}).tooLong(); got != said {
		t.Errorf("said %q, want %q", got, said)
	}
	if want := 100_000 / each; peak != want || !kept.isTooLong() {
		t.Errorf("%d windows at most, want %d; too long: %t", peak, want, kept.isTooLong())
	}
	for i, client := range clients {
		if client.Intervals != nil || client.Windows != nil {
			t.Errorf("client %d still has %d intervals, %d windows", i, len(client.Intervals), len(client.Windows))
		}
	}
}

// What ends where it begins counts nothing, and is no evidence of a standstill.
func TestASignOfLifeIsNoInterval(t *testing.T) {
	t.Parallel()
	c := &course{most: 1 << 20, clients: make([]result.Client, 1)}
	c.keep(0, &control.Interval{StartNs: 7, EndNs: 7})
	c.keep(0, &control.Interval{StartNs: 7, EndNs: 9, Ok: 3})
	if kept := c.clients[0].Intervals; len(kept) != 1 || kept[0].OK != 3 {
		t.Errorf("kept %v", kept)
	}
}
