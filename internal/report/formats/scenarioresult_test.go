package formats

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/encoding/protojson"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/record"
)

// scenarioResults parses the output for an echo.
func scenarioResults(t *testing.T, trials int, change func(*result.Trial)) (read []*testpb.ScenarioResult) {
	t.Helper()
	for line := range bytes.Lines(printed(t, ScenarioResult, reporttest.Echo(t, trials, change))) {
		one := &testpb.ScenarioResult{}
		if err := protojson.Unmarshal(line, one); err != nil {
			t.Fatal(err)
		}
		read = append(read, one)
	}
	return read
}

// The formulas are those of gRPC's driver: rates are summed over clients, and times are percent of a processor.
func TestAScenarioResultHasTheSummaryOfGRPCsDriver(t *testing.T) {
	t.Parallel()
	used := func(side *result.Side, user, system int64) {
		side.Begin, side.End = &result.Snapshot{TimeNs: 1e9, CPUUserNs: 5e8}, &result.Snapshot{
			TimeNs: 3e9, CPUUserNs: 5e8 + user, CPUSystemNs: system,
		}
	}
	read := scenarioResults(t, 2, func(r *result.Trial) {
		r.Spec.Connections, r.Spec.InFlight, r.Spec.RequestBytes, r.Spec.ResponseBytes = 4, 10, 100, 200
		r.Spec.WarmupNs, r.Spec.DurationNs = 5e9, 2e9
		c := &r.Clients[0]
		c.ElapsedNs, c.Arrivals = 2e9, 1010
		c.Histograms = map[string]string{result.HistResponse: reporttest.Bell(t, 1e6)}
		c.Outcomes = []result.Outcome{{Code: "OK", Calls: 1000}, {Code: "UNAVAILABLE", Calls: 8}, {Code: "MISMATCH", Calls: 2}}
		used(&c.Side, 6e8, 4e8)
		r.Servers = r.Servers[:1]
		r.Servers[0].Processors = 4
		used(&r.Servers[0], 1e9, 2e8)
		r.Hosts = []result.HostUse{{CPU: &result.HostCPU{BusyNs: 3e9, IdleNs: 1e9}}}
	})
	if len(read) != 2 {
		t.Fatalf("%d results of 2 trials", len(read))
	}
	r, s := read[0], read[0].GetSummary()
	count := r.GetLatencies().GetCount()
	for name, c := range map[string]struct{ got, want float64 }{
		"qps": {s.GetQps(), count / 2}, "qps per core": {s.GetQpsPerServerCore(), count / 8},
		"client user": {s.GetClientUserTime(), 30}, "client system": {s.GetClientSystemTime(), 20},
		"server user": {s.GetServerUserTime(), 50}, "server system": {s.GetServerSystemTime(), 10},
		"server CPU": {s.GetServerCpuUsage(), 75}, "per client CPU": {s.GetClientQueriesPerCpuSec(), count},
		"per server CPU": {s.GetServerQueriesPerCpuSec(), count / 1.2},
		"successful":     {s.GetSuccessfulRequestsPerSecond(), 500}, "failed": {s.GetFailedRequestsPerSecond(), 5},
	} {
		if diff := c.got/c.want - 1; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("%s is %v, want %v", name, c.got, c.want)
		}
	}
	if p50 := s.GetLatency_50(); p50 < 0.9e6 || p50 > 1.1e6 || s.GetLatency_999() < p50 {
		t.Errorf("p50 %v, p99.9 %v", p50, s.GetLatency_999())
	}
	c := r.GetScenario().GetClientConfig()
	if c.GetClientChannels() != 4 || c.GetOutstandingRpcsPerChannel() != 10 || r.GetScenario().GetWarmupSeconds() != 5 ||
		c.GetPayloadConfig().GetSimpleParams().GetRespSize() != 200 || c.GetLoadParams().GetClosedLoop() == nil {
		t.Errorf("scenario %v", r.GetScenario())
	}
	if n := r.GetRequestResults(); len(n) != 3 || n[1].GetStatusCode() != 14 || n[2].GetStatusCode() != 15 || n[2].GetCount() != 2 {
		t.Errorf("results %v", n)
	}
}

// A latency of theirs counts from when a call was sent.
func TestAScenarioResultOfAnOpenLoadHasServiceTimes(t *testing.T) {
	t.Parallel()
	read := scenarioResults(t, 1, func(r *result.Trial) {
		r.Spec.Load, r.Spec.OfferedPerSec = plan.LoadPoisson, 500
		r.Clients[0].Histograms = map[string]string{
			result.HistResponse: reporttest.Bell(t, 9e6), result.HistService: reporttest.Bell(t, 1e6),
		}
	})
	if p50 := read[0].GetSummary().GetLatency_50(); p50 > 2e6 {
		t.Errorf("p50 is %v", p50)
	}
	if p := read[0].GetScenario().GetClientConfig().GetLoadParams().GetPoisson(); p.GetOfferedLoad() != 500 {
		t.Errorf("load %v", p)
	}
}

// A closed load has responses only, in which calls that nobody answered are lower bounds: no queries of theirs.
func TestAScenarioResultCountsNoCallThatWasNotAnswered(t *testing.T) {
	t.Parallel()
	const least, bound = 200e6, 300e6 // no answered call takes as long as the bounds
	bounds, all := record.NewHistogram(), record.NewHistogram()
	for _, h := range []struct {
		of       *hdrhistogram.Histogram
		ns, many int64
	}{{all, 1e6, 1000}, {all, bound, 100}, {bounds, bound, 100}} {
		if err := h.of.RecordValues(h.ns, h.many); err != nil {
			t.Fatal(err)
		}
	}
	encoded := map[string]string{}
	for name, h := range map[string]*hdrhistogram.Histogram{result.HistResponse: all, result.HistBound: bounds} {
		text, err := result.EncodeHistogram(h)
		if err != nil {
			t.Fatal(err)
		}
		encoded[name] = text
	}
	s := scenarioResults(t, 1, func(r *result.Trial) {
		c := &r.Clients[0]
		c.ElapsedNs, c.Arrivals, c.Histograms = 2e9, 1100, encoded
		c.Outcomes = []result.Outcome{{Code: result.CodeOK, Calls: 1000}, {Code: result.CodeUnfinished, Calls: 100}}
	})[0].GetSummary()
	if s.GetQps() != 500 || s.GetLatency_999() > least {
		t.Errorf("%v/s, p99.9 %v; want the 1,000 calls that were answered in 2 s", s.GetQps(), s.GetLatency_999())
	}
}

// Calls at even distances are no load that theirs could name.
func TestAScenarioResultNamesNoLoadThatGRPCHasNot(t *testing.T) {
	t.Parallel()
	for load, known := range map[string]bool{plan.LoadClosed: true, plan.LoadPoisson: true, plan.LoadConstant: false} {
		read := scenarioResults(t, 1, func(r *result.Trial) { r.Spec.Load, r.Spec.OfferedPerSec = load, 500 })
		if params := read[0].GetScenario().GetClientConfig().GetLoadParams(); (params != nil) != known {
			t.Errorf("%s: %v", load, params)
		}
	}
}

func TestAScenarioResultHasNoPlaceForOtherCalls(t *testing.T) {
	t.Parallel()
	err := Write(io.Discard, ScenarioResult, reporttest.CodecRun(t))
	if err == nil || !strings.Contains(err.Error(), "--format scenario-result needs calls of unary, ping_pong, upload") {
		t.Errorf("got %v", err)
	}
}

// Theirs count the messages of streams, of which each took its part; of a stream both ways each once.
func TestAScenarioResultCountsTheMessagesOfStreams(t *testing.T) {
	t.Parallel()
	for kind, rpc := range map[string]testpb.RpcType{
		"upload": testpb.RpcType_STREAMING_FROM_CLIENT, "download": testpb.RpcType_STREAMING_FROM_SERVER,
		"both_ways": testpb.RpcType_STREAMING_BOTH_WAYS,
	} {
		for timed, change := range map[bool]func(*result.Client){
			true: func(c *result.Client) {
				c.Histograms = map[string]string{result.HistResponse: reporttest.Bell(t, 10e6)}
			},
			false: func(c *result.Client) { c.Histograms = nil },
		} {
			calls := int64(0)
			r := scenarioResults(t, 1, func(r *result.Trial) {
				r.Spec.Kind, r.Spec.Messages = kind, 10
				c := &r.Clients[0]
				change(c)
				calls = 1000 // of the bell
				c.ElapsedNs, c.Outcomes = 2e9, []result.Outcome{{Code: "OK", Calls: calls}}
				c.MessagesOut, c.MessagesIn = 10*calls, calls
				if kind == "download" {
					c.MessagesOut, c.MessagesIn = calls, 10*calls
				}
			})[0]
			if c := r.GetScenario().GetClientConfig(); c.GetRpcType() != rpc || c.GetMessagesPerStream() != 10 {
				t.Errorf("%s: %v", kind, c)
			}
			s, latencies := r.GetSummary(), 0.0
			if timed {
				latencies = float64(10 * calls)
			}
			if s.GetQps() != float64(10*calls)/2 || r.GetLatencies().GetCount() != latencies ||
				s.GetSuccessfulRequestsPerSecond() != float64(calls)/2 {
				t.Errorf("%s: %v/s, %v latencies, %v streams/s", kind, s.GetQps(), r.GetLatencies().GetCount(),
					s.GetSuccessfulRequestsPerSecond())
			}
			if p50 := s.GetLatency_50(); timed && (p50 < 0.9e6 || p50 > 1.1e6) || !timed && p50 != 0 {
				t.Errorf("%s: p50 %v", kind, p50)
			}
		}
	}
}

// rpcbench's own keys are fresh ones.
func TestAScenarioResultNamesTheTestCAWhereItWasUsed(t *testing.T) {
	t.Parallel()
	for library, want := range map[string]bool{"grpc.testing.WorkerService": true, "google.golang.org/grpc v1": false} {
		r := scenarioResults(t, 1, func(r *result.Trial) {
			r.Spec.Security, r.Clients[0].Library = "tls", library
		})[0]
		for _, p := range []*testpb.SecurityParams{
			r.GetScenario().GetClientConfig().GetSecurityParams(), r.GetScenario().GetServerConfig().GetSecurityParams(),
		} {
			if p == nil || p.GetUseTestCa() != want || (p.GetServerHostOverride() == "foo.test.google.fr") != want {
				t.Errorf("beside %s: %v", library, p)
			}
		}
	}
}
