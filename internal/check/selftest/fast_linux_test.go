package selftest_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/check/kernelclock"
	"rpcbench/internal/check/selftest"
	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/record"
)

var bare = stack.Info{
	Name: "tcp", Protocol: stack.ProtocolTCP, Serves: true, Calls: true, Kinds: []string{stack.KindUnary},
}

// A watched is a driver whose fast calls take 20 µs in the kernel and 30 µs at the socket, after a warm-up of calls that
// take a second. What it reports is the socket's time and off; it has stamps of missing calls less than there are.
type watched struct {
	simulated

	off     time.Duration
	missing int
}

func (w watched) drive(ctx context.Context, config driver.Config) (int, error) {
	path, given := config.Trials[0].Spec.Options[kernelclock.Option]
	if !given {
		return w.simulated.drive(ctx, config)
	}
	spec := config.Trials[0].Spec
	times := []kernelclock.Time{{KernelNs: 1e9, SocketNs: 1e9}}[min(w.missing, 1):]
	responses := record.NewHistogram()
	for range spec.Calls {
		times = append(times, kernelclock.Time{KernelNs: 20_000, SocketNs: 30_000})
		_ = responses.RecordValue(int64(30*time.Microsecond + w.off))
	}
	text, err := json.Marshal(times[w.missing/2:])
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return 0, err
	}
	trial := result.Trial{Spec: spec, Status: result.StatusOK, Clients: []result.Client{{}}}
	keep(&trial, map[string]int64{result.CodeOK: spec.Calls}, map[string]*hdrhistogram.Histogram{result.HistResponse: responses})
	return 0, config.Results.Append(trial)
}

// At 30 µs the allowance of 3 µs counts, as 5% are less; the histogram's own error is below 0.1%.
func TestACallOfMicrosecondsIsHeldAgainstTheKernelsClock(t *testing.T) {
	t.Parallel()
	if err := kernelclock.Available(); err != nil {
		t.Skip("the kernel has no time stamps:", err)
	}
	for _, c := range []struct {
		off     time.Duration
		missing int
		ok      bool
		failure string
	}{
		{0, 0, true, ""}, {2900 * time.Nanosecond, 0, true, ""}, {3100 * time.Nanosecond, 0, false, ""},
		{-12900 * time.Nanosecond, 0, true, ""}, {-13100 * time.Nanosecond, 0, false, ""},
		{0, 2, false, "the kernel has time stamps of 999 calls, and 1000 were measured"},
	} {
		config := config(selftest.Quick(), simulated{record: honest})
		config.Pairs = []selftest.Pair{{Client: bare, Server: bare}}
		config.Drive = watched{simulated{record: honest}, c.off, c.missing}.drive
		report, err := selftest.Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		var fast int
		for _, l := range report.Lines {
			if !strings.HasSuffix(l.Server, "µs") {
				continue
			}
			fast++
			if l.OK() != c.ok || l.Failure != c.failure {
				t.Errorf("%v off, %d missing: %s of %s is %g of %v, %q: OK is %v", c.off, c.missing, l.Figure, l.Server, l.Reported,
					l.True, l.Failure, l.OK())
			}
		}
		if fast != 6 {
			t.Errorf("%d figures, want two of each of 10, 50 and 200 µs", fast)
		}
	}
}

// Of other stacks a library's own work is no error.
func TestOnlyBareSocketsAreHeldAgainstTheKernelsClock(t *testing.T) {
	t.Parallel()
	asked := false
	config := config(selftest.Quick(), simulated{record: honest})
	config.Drive = func(ctx context.Context, c driver.Config) (int, error) {
		asked = asked || anyStamped(c.Trials)
		return simulated{record: honest}.drive(ctx, c)
	}
	if _, err := selftest.Run(t.Context(), config); err != nil || asked {
		t.Errorf("of grpc-go time stamps are asked for: %v, %v", asked, err)
	}
}

func anyStamped(trials []plan.Trial) bool {
	for _, t := range trials {
		if _, given := t.Spec.Options[kernelclock.Option]; given {
			return true
		}
	}
	return false
}
