package formats

import (
	"io"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/result"
)

func TestQPSIsSealed(t *testing.T) {
	t.Parallel()
	reporttest.Golden(t, "quick.qps", printed(t, QPS, reporttest.Quick(t)))
	reporttest.Golden(t, "closed.qps", printed(t, QPS, reporttest.Echo(t, 3, func(t *result.Trial) {
		t.Spec.Connections, t.Spec.InFlight, t.Spec.RequestBytes = 4, 10, 0
	})))
	reporttest.Golden(t, "openloop.qps", printed(t, QPS, reporttest.Echo(t, 1, func(t *result.Trial) {
		t.Spec.Load, t.Spec.OfferedPerSec = plan.LoadPoisson, 5000
	})))
}

// TestQPSValuesStandAtColumn33 as scripts expect that cut the lines of grpc-java's clients.
func TestQPSValuesStandAtColumn33(t *testing.T) {
	t.Parallel()
	lines := 0
	for line := range strings.Lines(string(printed(t, QPS, reporttest.Quick(t)))) {
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

func TestQPSHasRatesWithoutAnExponent(t *testing.T) {
	t.Parallel()
	for rate, want := range map[float64]string{1e6: "1000000", 2_500_000: "2500000", 0.5: "0.5", 33.25: "33.25"} {
		text := string(printed(t, QPS, reporttest.Echo(t, 1, func(t *result.Trial) {
			t.Spec.Load, t.Spec.OfferedPerSec = plan.LoadPoisson, rate
		})))
		if want := "Target QPS:                     " + want + "\n"; !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestQPSCountsMessagesOfAnOpenStream(t *testing.T) {
	t.Parallel()
	text := string(printed(t, QPS, reporttest.Echo(t, 1, func(t *result.Trial) {
		t.Spec.Kind, t.Spec.Streams, t.Clients[0].ElapsedNs = "ping_pong", 1, 500e6
		t.Clients[0].MessagesIn, t.Clients[0].Outcomes[0].Calls = 5000, 4000
	})))
	if want := "QPS:                            10000\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

func TestQPSHasNoPlaceForCodecs(t *testing.T) {
	t.Parallel()
	if err := Write(io.Discard, QPS, reporttest.CodecRun(t)); err == nil ||
		err.Error() != "--format qps needs calls to a server, and the results have none" {
		t.Errorf("got %v", err)
	}
}

func TestQPSHasTheSizesThatWereSeenOfAForeignMethod(t *testing.T) {
	t.Parallel()
	sizes := func(messages int64) string {
		text := string(printed(t, QPS, reporttest.Echo(t, 2, func(t *result.Trial) {
			t.Spec.Method = &plan.Method{Name: "a.B/C"}
			t.Spec.RequestBytes, t.Spec.ResponseBytes, t.Spec.Payload = 0, 0, ""
			calls := &t.Clients[0].Record
			calls.MessagesIn, calls.MessagesOut, calls.PayloadIn, calls.PayloadOut = messages, messages, 5000*messages, 22*messages
		})))
		_, text, _ = strings.Cut(text, "Outstanding RPCs per Channel:   1\n")
		text, _, _ = strings.Cut(text, "50%ile")
		return text
	}
	const want = "Server Payload Size:            5000\nClient Payload Size:            22\n"
	if got := sizes(100); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := sizes(0); got != "" {
		t.Errorf("of sizes that nobody knows:\n%s", got)
	}
}
