package selftest_test

import (
	"context"
	"os"
	"testing"
	"time"

	"rpcbench/internal/check/floor"
	"rpcbench/internal/check/script"
	"rpcbench/internal/check/selftest"
	"rpcbench/internal/check/truth"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/control"
)

// TestMain lets a copy of this test binary be a worker whose servers obey scripts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		out, err := worker.TakeStdout()
		if err == nil {
			err = worker.Run(context.Background(), os.Stdin, out, []stack.Stack{script.Wrap(grpcgo.New())})
		}
		if err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

// launch starts a worker that goes before others on a busy machine, where that is permitted; elsewhere nice says so and
// starts it all the same.
func launch(ctx context.Context, w driver.Worker) (*control.Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return control.Start(ctx, []string{"nice", "-n", "-15", self, "worker"}, w.CPUs)
}

// brief has windows as short as they can be.
func brief() selftest.Effort {
	effort := selftest.Quick()
	effort.Freeze, effort.FreezeWindow = 200*time.Millisecond, 500*time.Millisecond
	return effort
}

const (
	attempts   = 4
	hiccupMost = 5 * time.Millisecond // a machine that takes a processor away for so long is no machine to keep time on
)

// What workers report of known servers is true. On a machine that is busy with other things it is measured again: what is
// wrong each time is wrong, unless the machine never had the time.
func TestWhatWorkersReportIsTrue(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	wrong, quietOnce := map[selftest.Line]selftest.Line{}, false
	for attempt := 1; attempt == 1 || len(wrong) > 0 && attempt <= attempts; attempt++ {
		report := measure(t)
		quietOnce = quietOnce || report.Floor.HiccupMax < hiccupMost
		now := map[selftest.Line]selftest.Line{}
		for _, l := range report.Lines {
			key := selftest.Line{Load: l.Load, Server: l.Server, Figure: l.Figure} // the same in all attempts
			if _, before := wrong[key]; !l.OK() && (before || attempt == 1) {
				now[key] = l
			}
		}
		wrong = now
		t.Logf("attempt %d: %d of %d figures have always been off; the longest hiccup was %v",
			attempt, len(wrong), len(report.Lines), report.Floor.HiccupMax)
	}
	if len(wrong) > 0 && !quietOnce {
		t.Skip("the machine never had the time")
	}
	for _, l := range wrong {
		t.Errorf("%s, %s: %s is %g, want %v: %s", l.Load, l.Server, l.Figure, l.Reported, l.True, l.Failure)
	}
}

func measure(t *testing.T) selftest.Report {
	t.Helper()
	info := grpcgo.New().Info()
	report, err := selftest.Run(t.Context(), selftest.Config{
		Pairs: []selftest.Pair{{Client: info, Server: info, Arrivals: truth.Arrivals}}, Effort: brief(), Launch: launch,
		Drive: driver.Run, Floor: floor.Measure, Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}
