package report

import (
	"io"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/result"
)

func TestQPSIsSealed(t *testing.T) {
	t.Parallel()
	golden(t, "quick.qps", printed(t, FormatQPS, fixture(t), Options{}))
	golden(t, "closed.qps", printed(t, FormatQPS, echo(t, 3, func(t *result.Trial) {
		t.Spec.Connections, t.Spec.InFlight, t.Spec.RequestBytes = 4, 10, 0
	}), Options{}))
	golden(t, "openloop.qps", printed(t, FormatQPS, echo(t, 1, func(t *result.Trial) {
		t.Spec.Load, t.Spec.OfferedPerSec = plan.LoadPoisson, 5000
	}), Options{}))
}

// TestQPSValuesStandAtColumn33 as scripts expect that cut the lines of grpc-java's clients.
func TestQPSValuesStandAtColumn33(t *testing.T) {
	t.Parallel()
	lines := 0
	for line := range strings.Lines(string(printed(t, FormatQPS, fixture(t), Options{}))) {
		name, _, ok := strings.Cut(line, ":  ")
		if !ok {
			continue
		}
		lines++
		if line[31] != ' ' || line[32] < '0' || line[32] > '9' || !strings.HasPrefix(line, name) {
			t.Errorf("the value stands elsewhere: %s", line)
		}
	}
	if lines < 200 {
		t.Errorf("%d lines with a value", lines)
	}
}

func TestQPSCountsMessagesOfAnOpenStream(t *testing.T) {
	t.Parallel()
	text := string(printed(t, FormatQPS, echo(t, 1, func(t *result.Trial) {
		t.Spec.Kind, t.Spec.Streams, t.ElapsedNs = "ping_pong", 1, 500e6
		t.MessagesIn, t.Outcomes[0].Calls = 5000, 4000
	}), Options{}))
	if want := "QPS:                            10000\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

func TestQPSHasNoPlaceForCodecs(t *testing.T) {
	t.Parallel()
	if err := Write(io.Discard, FormatQPS, codecRun(t), Options{}); err == nil ||
		err.Error() != "the format qps is of calls to a server, and there are none here" {
		t.Errorf("got %v", err)
	}
}
