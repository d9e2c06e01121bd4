package prometheus_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/prometheus"
)

func TestMetricsWithoutAHostAreForThisMachine(t *testing.T) {
	t.Parallel()
	for _, address := range []string{":0", "127.0.0.1:0", "localhost:0"} {
		m, err := prometheus.Listen(address)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		host, _, err := net.SplitHostPort(m.Address)
		if ip := net.ParseIP(host); err != nil || !ip.IsLoopback() {
			t.Errorf("%s listens on %s, %v", address, m.Address, err)
		}
	}
}

// scraped are the values of metrics as they are read, by name and labels.
func scraped(t *testing.T, m *prometheus.Metrics) map[string]string {
	t.Helper()
	answer, err := http.Get("http://" + m.Address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "} "); ok {
			values[name+"}"] = value
		}
	}
	return values
}

// begun returns the metrics of a run that has begun, a trial of it, and what a second of that might be.
func begun(t *testing.T) (*prometheus.Metrics, plan.Trial, *result.Quantiles) {
	t.Helper()
	m, err := prometheus.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	m.Begun(nil, 0)
	return m, plan.Trial{Spec: plan.Spec{Stack: "grpc-go", Kind: "unary"}},
		&result.Quantiles{Calls: 5, P50Ns: 1e6, P90Ns: 2e6, P99Ns: 3e6, MaxNs: 4e6}
}

// While the server is stopped no call ends: quantiles do not repeat those of the previous second, but counters and calls in
// flight continue.
func TestASecondWithoutACallHasNoQuantiles(t *testing.T) {
	t.Parallel()
	m, trial, second := begun(t)
	works := result.Interval{OK: 5, InFlight: 1, Response: second}
	frozen := result.Interval{Errors: 2, InFlight: 50, Response: &result.Quantiles{}}
	const labels = `kind="unary",method="",phase="measured",`
	name := func(metric, more string) string {
		return metric + "{" + labels + more + `stack="grpc-go",target=""}`
	}
	for _, step := range []struct {
		interval                 result.Interval
		p99, most, flight, total string
	}{
		{works, "0.003", "0.004", "1", "5"},
		{result.Interval{InFlight: 3}, "0.003", "0.004", "3", "5"}, // within a second
		{frozen, "NaN", "NaN", "50", "5"},
		{works, "0.003", "0.004", "1", "10"},
	} {
		m.Passed(trial, "measured", 0, step.interval)
		got := scraped(t, m)
		for metric, want := range map[string]string{
			name("rpcbench_response_seconds", `quantile="0.99",`): step.p99,
			name("rpcbench_response_max_seconds", ""):             step.most,
			name("rpcbench_in_flight", ""):                        step.flight,
			name("rpcbench_calls_total", `result="ok",`):          step.total,
		} {
			if got[metric] != want {
				t.Errorf("after %+v: %s is %q, want %s", step.interval, metric, got[metric], want)
			}
		}
	}
}

// Nothing is in flight once a phase or a trial has ended, and there is no last second. Counters go on.
func TestAPhaseThatHasEndedHasNoGauges(t *testing.T) {
	t.Parallel()
	m, trial, second := begun(t)
	busy := result.Interval{OK: 5, InFlight: 7, Response: second}
	passed := func(phase string, clients int) func() {
		return func() {
			for client := range clients {
				m.Passed(trial, phase, client, busy)
			}
		}
	}
	name := func(metric, phase, more string) string {
		return metric + `{kind="unary",method="",phase="` + phase + `",` + more + `stack="grpc-go",target=""}`
	}
	for _, step := range []struct {
		what             string
		do               func()
		warmup, measured string // calls in flight
		p99, most        string // of the warm-up, of the measured phase
	}{
		{"the warm-up of two clients", passed(result.PhaseWarmup, 2), "14", "", "0.003", ""},
		{"the measured phase of one of them", passed(result.PhaseMeasured, 1), "0", "7", "NaN", "0.004"},
		{"the end", func() { m.Ended(result.Trial{Status: result.StatusOK}) }, "0", "0", "NaN", "NaN"},
		{"the next trial", func() { m.Begun(nil, 0); passed(result.PhaseWarmup, 1)() }, "7", "0", "0.003", "NaN"},
	} {
		step.do()
		got := scraped(t, m)
		for metric, want := range map[string]string{
			name("rpcbench_in_flight", "warmup", ""):                        step.warmup,
			name("rpcbench_in_flight", "measured", ""):                      step.measured,
			name("rpcbench_response_seconds", "warmup", `quantile="0.99",`): step.p99,
			name("rpcbench_response_max_seconds", "measured", ""):           step.most,
		} {
			if got[metric] != want {
				t.Errorf("after %s: %s is %q, want %q", step.what, metric, got[metric], want)
			}
		}
	}
	if got := scraped(t, m)[name("rpcbench_calls_total", "warmup", `result="ok",`)]; got != "15" {
		t.Errorf("%s calls of the warm-ups, want 15", got)
	}
}
