package driver

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// In virtual time the driver's own times are exact: how long it waits, and when it has a phase end.

const ms = time.Millisecond

// took wants the time since begun to be exact.
func took(t *testing.T, what string, begun time.Time, want time.Duration) {
	t.Helper()
	if got := time.Since(begun); got != want {
		t.Errorf("%s took %v, want %v", what, got, want)
	}
}

func spec(warmup, maxWarmup, measured time.Duration) plan.Spec {
	return plan.Spec{
		Server: "played", Load: plan.LoadClosed, DeadlineNs: int64(time.Second), WarmupNs: int64(warmup),
		WarmupMostNs: int64(maxWarmup), DurationNs: int64(measured),
	}
}

func TestAWarmUpLastsUntilItIsSteady(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spec   plan.Spec
		steady func(perSec []float64) bool
		want   result.Warmup
		judged []float64 // the last that was asked about
		heard  []string
	}{
		"steady": {
			spec(200*ms, time.Hour, 0), func(perSec []float64) bool { return len(perSec) > 2 },
			result.Warmup{ElapsedNs: int64(300 * ms), Steady: new(true)}, []float64{50, 50, 50}, []string{"begin warmup", "stop"},
		},
		"steady before the least": {
			spec(200*ms, time.Hour, 0), func([]float64) bool { return true },
			result.Warmup{ElapsedNs: int64(200 * ms), Steady: new(true)}, []float64{50, 50}, []string{"begin warmup", "stop"},
		},
		"never": {
			spec(100*ms, 400*ms, 0), func([]float64) bool { return false },
			result.Warmup{ElapsedNs: int64(400 * ms), Steady: new(false)}, []float64{50, 50, 50, 50}, []string{"begin warmup"},
		},
		"fixed": {
			spec(200*ms, 200*ms, 0), func([]float64) bool { return true },
			result.Warmup{ElapsedNs: int64(200 * ms)}, nil, []string{"begin warmup"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var judged []float64
				config := Config{Silence: time.Second, Stall: time.Second, Steady: func(perSec []float64) bool {
					judged = slices.Clone(perSec)
					return c.steady(perSec)
				}}
				client := &player{}
				s, begun := played(t, config, c.spec, &player{}, client), time.Now()
				if err := s.warmUp(t.Context()); err != nil {
					t.Fatal(err)
				}
				took(t, "the warm-up", begun, time.Duration(c.want.ElapsedNs))
				if diff := cmp.Diff(&c.want, s.evidence.Clients[0].Warmup); diff != "" {
					t.Errorf("warm-up (-want +got):\n%s", diff)
				}
				if !slices.Equal(judged, c.judged) || !slices.Equal(client.heard, c.heard) {
					t.Errorf("judged by %v, want %v; told %q, want %q", judged, c.judged, client.heard, c.heard)
				}
			})
		})
	}
}

func TestAClientThatFallsSilentIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		silent := &player{beats: beats(3, works), silent: true}
		s := played(t, Config{Silence: 2 * time.Second, Stall: time.Hour}, spec(0, 0, time.Hour), &player{}, silent)
		begun := time.Now()
		err := s.run(t.Context())
		if want := "client: the worker did not answer: it said nothing for 2s"; err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		took(t, "it", begun, 300*ms+2*time.Second)
	})
}

// orderly is a Meter that says in a player's log when it is begun and ended.
type orderly struct{ *player }

func (o orderly) Begin() func() *control.Watched {
	o.hear("meter begins")
	return func() *control.Watched { o.hear("meter ends"); return &control.Watched{} }
}

func TestTheHostIsMeteredWithinTheMarksOfTheMeasuredPhase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := &player{}
		config := Config{Silence: time.Second, Stall: time.Second, Meter: orderly{client}}
		s := played(t, config, spec(100*ms, 0, 300*ms), &player{}, client)
		if err := s.warmUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := s.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []string{"begin warmup", "mark", "meter begins", "begin measured", "meter ends", "mark"}
		if !slices.Equal(client.heard, want) {
			t.Errorf("the order is %q, want %q", client.heard, want)
		}
	})
}

// stalling hangs for 700 ms, 300 ms after its begin.
func stalling() *player { return &player{beats: append(beats(3, works), beats(7, hangs)...)} }

func TestAStalledTrialIsDumpedAndGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		config := Config{Silence: time.Second, Stall: 300 * ms, HeapDumps: true, Evidence: t.TempDir()}
		s := played(t, config, spec(0, 0, 1200*ms), &player{}, stalling())
		if err := s.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := &result.Stalled{Phase: result.PhaseMeasured, SinceNs: int64(300 * ms), DurationNs: int64(800 * ms)}
		if diff := cmp.Diff(want, s.evidence.Clients[0].Stalled); diff != "" || s.evidence.Warnings != nil {
			t.Errorf("warnings %q, stalled (-want +got):\n%s", s.evidence.Warnings, diff)
		}
		if n := len(s.evidence.Clients[0].Intervals); n != 12 || s.evidence.Clients[0].Arrivals != 5*(3+2) {
			t.Errorf("%d intervals, %d arrivals: the trial did not go on", n, s.evidence.Clients[0].Arrivals)
		}
		wantFiles(t, s, "t1-server-threads.txt", "t1-server-heap.pprof", "t1-client-threads.txt", "t1-client-heap.pprof")
	})
}

// wantFiles wants the evidence to name these files, and its folder to hold them and no others.
func wantFiles(t *testing.T, s *sides, want ...string) {
	t.Helper()
	var kept []string
	entries, err := os.ReadDir(s.Evidence)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		kept = append(kept, entry.Name())
	}
	if !slices.Equal(s.evidence.Evidence, want) || !slices.Equal(kept, slices.Sorted(slices.Values(want))) {
		t.Errorf("evidence %q, files %q, want %q", s.evidence.Evidence, kept, want)
	}
	for _, name := range want {
		content, err := os.ReadFile(filepath.Join(s.Evidence, name))
		if text := string(content); err != nil || text != "they wait" && text != "it is full" {
			t.Errorf("%s holds %q, %v", name, content, err)
		}
	}
}

func TestASideThatCannotDumpInTimeIsNoted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := &player{dumps: time.Second + ms}
		config := Config{Silence: time.Second, Stall: 300 * ms, Evidence: t.TempDir()}
		s := played(t, config, spec(0, 0, 1200*ms), server, stalling())
		begun := time.Now()
		if err := s.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		took(t, "the trial, whose second Mark comes after the dump", begun, 600*ms+time.Second+ms)
		want := []result.Warning{{
			Code: result.WarningCutDump, Text: "no whole dump of the server: the worker did not answer: 1s have passed",
		}}
		if !slices.Equal(s.evidence.Warnings, want) {
			t.Errorf("warnings %q, want %q", s.evidence.Warnings, want)
		}
		if !slices.Equal(s.evidence.Evidence, []string{"t1-client-threads.txt"}) {
			t.Errorf("evidence %q", s.evidence.Evidence)
		}
	})
}

// A runtime stands still while its heap is dumped, which is no silence.
func TestAClientThatDumpsItsHeapIsNotGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := stalling()
		client.dumps = 20 * time.Second
		config := Config{Silence: time.Second, Stall: 300 * ms, HeapDumps: true, Evidence: t.TempDir()}
		s := played(t, config, spec(0, 0, time.Minute), &player{}, client)
		if err := s.run(t.Context()); err != nil || s.evidence.Warnings != nil {
			t.Fatalf("%v, warnings %q", err, s.evidence.Warnings)
		}
		wantFiles(t, s, "t1-server-threads.txt", "t1-server-heap.pprof", "t1-client-threads.txt", "t1-client-heap.pprof")
	})
}
