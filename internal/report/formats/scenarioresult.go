package formats

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/timestamppb"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/grpcscenario"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/bucket"
	"rpcbench/internal/worker/credential"
	"rpcbench/internal/worker/record"
)

// writeScenarioResults prints each trial as gRPC's driver writes its run, as a ScenarioResult in JSON, one per line as BigQuery
// loads them. For streams it counts messages, as gRPC's driver does. Unknown values are absent. It omits failed trials, the
// floor, and kinds of calls that gRPC's benchmarks lack.
func writeScenarioResults(w io.Writer, r *analysis.Report) error {
	written := 0
	for _, row := range r.Rows {
		for _, trial := range row.Trials {
			if _, theirs := grpcscenario.TypeOf(trial.Spec.Kind); trial.Floor || !theirs {
				continue
			}
			made, err := scenarioResult(trial)
			if err != nil {
				return err
			}
			if err := writeProto(w, made); err != nil {
				return err
			}
			written++
		}
	}
	if written == 0 {
		return document.Misfit("--format %s needs calls of unary, ping_pong, upload, download or both_ways, in a trial that did not "+
			"fail, and the results have none", ScenarioResult)
	}
	return nil
}

// writeProto writes a message in a line, with the same bytes in every build.
func writeProto(w io.Writer, message *testpb.ScenarioResult) error {
	data, err := protojson.Marshal(message)
	if err != nil {
		return err
	}
	var line bytes.Buffer
	if err := json.Compact(&line, data); err != nil {
		return err
	}
	line.WriteByte('\n')
	_, err = w.Write(line.Bytes())
	return err
}

// theirLayout is the one of gRPC's own scenarios.
var theirLayout = bucket.Layout{Resolution: bucket.Usual, Most: float64(time.Minute)}

func scenarioResult(t *analysis.Trial) (*testpb.ScenarioResult, error) {
	made := &testpb.ScenarioResult{Scenario: scenarioOf(t)}
	whole := record.NewHistogram()
	qps, queries := 0.0, 0.0
	for _, client := range t.Clients {
		latencies, err := latenciesOf(t.Spec, client)
		if err != nil {
			return nil, err
		}
		whole.Merge(latencies)
		stats := clientStats(client, latencies)
		made.ClientStats, made.ClientSuccess = append(made.ClientStats, stats), append(made.ClientSuccess, true)
		counted := queriesOf(t.Spec, client, latencies)
		queries += counted
		qps += per(counted, stats.GetTimeElapsed())
	}
	for _, server := range t.Servers {
		made.ServerStats = append(made.ServerStats, serverStats(t, server))
		made.ServerSuccess = append(made.ServerSuccess, true)
		made.ServerCores = append(made.ServerCores, int32(server.Processors))
	}
	made.Latencies, made.RequestResults = theirLayout.Theirs(whole), resultsOf(t.Outcomes)
	made.Summary = summary(made, whole, qps, queries)
	made.Summary.StartTime = timestamppb.New(t.Started)
	return made, nil
}

// securityOf returns the security of both sides; nil means plaintext. Only workers of gRPC use the keys of gRPC's tests.
func securityOf(t *analysis.Trial) *testpb.SecurityParams {
	if t.Spec.Security == stack.SecurityPlaintext {
		return nil
	}
	theirs := func(s result.Side) bool { return s.Library == testpb.WorkerService_ServiceDesc.ServiceName }
	params := &testpb.SecurityParams{UseTestCa: slices.ContainsFunc(t.Servers, theirs)}
	for _, client := range t.Clients {
		params.UseTestCa = params.UseTestCa || theirs(client.Side)
	}
	if params.UseTestCa {
		params.ServerHostOverride = credential.GRPCTest().ServerName
	}
	return params
}

// scenarioOf describes what was measured.
func scenarioOf(t *analysis.Trial) *testpb.Scenario {
	spec, security := t.Spec, securityOf(t)
	rpc, _ := grpcscenario.TypeOf(spec.Kind)
	clients := max(spec.Clients, 1)
	name := ""
	if len(t.Cases) > 0 {
		name = t.Cases[0].Title
	}
	return &testpb.Scenario{
		Name: name, NumClients: int32(clients), NumServers: int32(len(t.Servers)),
		WarmupSeconds: int32(spec.WarmupNs / int64(time.Second)), BenchmarkSeconds: int32(spec.DurationNs / int64(time.Second)),
		ServerConfig: &testpb.ServerConfig{SecurityParams: security},
		ClientConfig: &testpb.ClientConfig{
			RpcType: rpc, SecurityParams: security, LoadParams: loadOf(spec, clients),
			HistogramParams: theirLayout.Params(),
			ClientChannels:  int32(spec.Connections), OutstandingRpcsPerChannel: int32(spec.InFlight),
			MessagesPerStream: int32(max(spec.Messages, spec.MessagesPerStream)), // a kind has one of them
			PayloadConfig: &testpb.PayloadConfig{Payload: &testpb.PayloadConfig_SimpleParams{SimpleParams: &testpb.SimpleProtoParams{
				ReqSize: int32(spec.RequestBytes), RespSize: int32(spec.ResponseBytes),
			}}},
		},
	}
}

// loadOf returns the load of each client, or nil for loads that gRPC's benchmarks lack, such as evenly spaced calls.
func loadOf(spec plan.Spec, clients int) *testpb.LoadParams {
	switch spec.Load {
	case plan.LoadClosed:
		return &testpb.LoadParams{Load: &testpb.LoadParams_ClosedLoop{ClosedLoop: &testpb.ClosedLoopParams{}}}
	case plan.LoadPoisson:
		perClient := &testpb.PoissonParams{OfferedLoad: spec.OfferedPerSec / float64(clients)}
		return &testpb.LoadParams{Load: &testpb.LoadParams_Poisson{Poisson: perClient}}
	default:
		return nil
	}
}

// latenciesOf returns latencies as gRPC's clients measure them: from the start of each call, and for a stream per message.
func latenciesOf(spec plan.Spec, client result.Client) (*hdrhistogram.Histogram, error) {
	name := result.HistResponse
	if spec.Load != plan.LoadClosed {
		name = result.HistService
	}
	latencies := record.NewHistogram()
	encoded, ok := client.Histograms[name]
	if !ok {
		return latencies, nil
	}
	calls, err := result.DecodeHistogram(encoded)
	if err != nil {
		return nil, err
	}
	if name == result.HistResponse {
		if calls, err = withoutBounds(client, calls); err != nil {
			return nil, err
		}
	}
	return latencies, record.AddParts(latencies, calls, int64(max(spec.Messages, 1)))
}

// withoutBounds returns the responses of the calls that were answered. Older workers don't tell the lower bounds of others apart.
func withoutBounds(client result.Client, responses *hdrhistogram.Histogram) (*hdrhistogram.Histogram, error) {
	encoded, ok := client.Histograms[result.HistBound]
	if !ok {
		return responses, nil
	}
	bounds, err := result.DecodeHistogram(encoded)
	if err != nil {
		return nil, err
	}
	censored := int64(0)
	for _, o := range client.Outcomes {
		if o.Code == result.CodeUnsent || o.Code == result.CodeUnfinished {
			censored += o.Calls
		}
	}
	if bounds.TotalCount() != censored {
		return responses, nil
	}
	return record.Without(responses, bounds), nil
}

// queriesOf returns the number of latencies that a client would report: for streams without timed calls, the number of messages.
func queriesOf(spec plan.Spec, client result.Client, latencies *hdrhistogram.Histogram) float64 {
	counted := latencies.TotalCount()
	if counted == 0 && stack.HasMessages(spec.Kind) {
		counted = max(client.MessagesOut, client.MessagesIn)
	}
	return float64(counted)
}

func clientStats(client result.Client, latencies *hdrhistogram.Histogram) *testpb.ClientStats {
	stats := &testpb.ClientStats{
		Latencies: theirLayout.Theirs(latencies), TimeElapsed: seconds(client.ElapsedNs), RequestResults: resultsOf(client.Outcomes),
	}
	if client.Begin != nil && client.End != nil {
		stats.TimeUser = seconds(client.End.CPUUserNs - client.Begin.CPUUserNs)
		stats.TimeSystem = seconds(client.End.CPUSystemNs - client.Begin.CPUSystemNs)
	}
	return stats
}

// serverStats includes, besides the time of the process, that of all processors of the server's host, in ticks of 10 ms.
func serverStats(t *analysis.Trial, server result.Side) *testpb.ServerStats {
	stats := &testpb.ServerStats{}
	if server.Begin != nil && server.End != nil {
		stats.TimeElapsed = seconds(server.End.TimeNs - server.Begin.TimeNs)
		stats.TimeUser = seconds(server.End.CPUUserNs - server.Begin.CPUUserNs)
		stats.TimeSystem = seconds(server.End.CPUSystemNs - server.Begin.CPUSystemNs)
	}
	for _, use := range t.Hosts {
		if use.Host == server.Host && use.CPU != nil {
			const tick = int64(10 * time.Millisecond)
			stats.TotalCpuTime = uint64((use.CPU.BusyNs + use.CPU.IdleNs + use.CPU.StealNs) / tick)
			stats.IdleCpuTime = uint64(use.CPU.IdleNs / tick)
		}
	}
	return stats
}

// resultsOf counts calls by the number of their status; those never sent or answered have none.
func resultsOf(outcomes []result.Outcome) (counts []*testpb.RequestResultCount) {
	byStatus := map[int32]int64{}
	for _, o := range outcomes {
		if code, ok := stack.NumberOf(o.Code); ok {
			byStatus[code] += o.Calls
		}
	}
	for _, code := range slices.Sorted(maps.Keys(byStatus)) {
		counts = append(counts, &testpb.RequestResultCount{StatusCode: code, Count: byStatus[code]})
	}
	return counts
}

// summary computes the summary of gRPC's driver by its formulas: times are percent of a processor, summed over processes.
func summary(r *testpb.ScenarioResult, whole *hdrhistogram.Histogram, qps, queries float64) *testpb.ScenarioResultSummary {
	at := func(q float64) float64 { return float64(record.Quantile(whole, q)) }
	s := &testpb.ScenarioResultSummary{
		Qps: qps, Latency_50: at(.5), Latency_90: at(.9), Latency_95: at(.95), Latency_99: at(.99), Latency_999: at(.999),
	}
	elapsed, clientCPU, serverCPU := 0.0, 0.0, 0.0
	for _, c := range r.GetClientStats() {
		s.ClientSystemTime += 100 * per(c.GetTimeSystem(), c.GetTimeElapsed())
		s.ClientUserTime += 100 * per(c.GetTimeUser(), c.GetTimeElapsed())
		clientCPU += c.GetTimeUser() + c.GetTimeSystem()
		elapsed += c.GetTimeElapsed() / float64(len(r.GetClientStats()))
	}
	idle, total := 0.0, 0.0
	for _, c := range r.GetServerStats() {
		s.ServerSystemTime += 100 * per(c.GetTimeSystem(), c.GetTimeElapsed())
		s.ServerUserTime += 100 * per(c.GetTimeUser(), c.GetTimeElapsed())
		serverCPU += c.GetTimeUser() + c.GetTimeSystem()
		idle, total = idle+float64(c.GetIdleCpuTime()), total+float64(c.GetTotalCpuTime())
	}
	if total > 0 {
		s.ServerCpuUsage = 100 * (1 - idle/total)
	}
	s.ClientQueriesPerCpuSec, s.ServerQueriesPerCpuSec = per(queries, clientCPU), per(queries, serverCPU)
	cores := 0.0
	for _, n := range r.GetServerCores() {
		cores += float64(n)
	}
	s.QpsPerServerCore = per(qps, cores)
	for _, counted := range r.GetRequestResults() {
		if counted.GetStatusCode() == 0 {
			s.SuccessfulRequestsPerSecond += per(float64(counted.GetCount()), elapsed)
		} else {
			s.FailedRequestsPerSecond += per(float64(counted.GetCount()), elapsed)
		}
	}
	return s
}

// per divides. A division by zero gives 0, which is absent.
func per(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return a / b
}

func seconds(ns int64) float64 { return time.Duration(ns).Seconds() }
