package cli_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/run/manifest"
	"rpcbench/internal/stack"
	"rpcbench/internal/test/programtest"
	"rpcbench/internal/worker/host"
)

// notOfQuick are the columns of machines that tell of energy, frequency and heat, of trials that are long enough to speak of
// hiccups, of clients that are several, and of load's calls to a foreign service.
var notOfQuick = []string{
	string(analysis.EnergyPerCall), string(analysis.HiccupP99Ns), string(analysis.HiccupMaxNs),
	"host_frequency_mhz", "host_heat_throttles", "client_begun_ns", "client_round_trip_ns",
	"method", "requests", "mix", "call", "ramp", "message_rate_per_sec", "request_sizes", "expect_status", "rows",
	string(analysis.FirstReplyP50Ns), string(analysis.FirstReplyP99Ns), string(analysis.ReplyGapP50Ns),
	string(analysis.ReplyGapP99Ns), string(analysis.MessageP50Ns), string(analysis.MessageP99Ns),
	string(analysis.MessageLagP99Ns), string(analysis.UnpairedReplies),
	// Tests of the driver and of the worker have a proxy, and a WebSocket.
	"proxy", string(analysis.ProxyCPUPerCall), string(analysis.ProxyCPUPerCall) + "_lo", string(analysis.ProxyCPUPerCall) + "_hi",
	string(analysis.ProxyPeakMemory), string(analysis.ProxySwitchesPerCall), string(analysis.FramedOutPerCall),
	string(analysis.FramedInPerCall),
	// The script of ab has its answer.
	"ab_metric", "ab_decision", "ab_change_percent", "ab_change_percent_lo", "ab_change_percent_hi", "ab_pairs",
	// Tests of analysis have patterns, links and codecs side by side.
	"pattern_ratio", "pattern_ratio_lo", "pattern_ratio_hi", "link_ratio", "link_ratio_lo", "link_ratio_hi",
	"protobuf_ratio", "protobuf_ratio_lo", "protobuf_ratio_hi",
}

// What quick, with its closed loads on TCP that do not fail, leaves empty.
const restYAML = `
name: rest
question: What does quick leave empty?
defaults: {warmup: 10ms, calls: 20, trials: 1, label: rest}
cases:
  - {title: random sizes, kind: unary, stack: grpc-go, request_bytes: uniform 1..100B, response_bytes: uniform 1..100B}
  - {title: a store, kind: unary, stack: grpc-go, batch: [1, 10], records: 100, reads: 50%, keys: zipf 0.99,
     request_bytes: 20, response_bytes: 20}
  - {title: ports and idle streams, kind: ping_pong, stack: grpc-go, shape: 2x1, ports: 2, idle_streams: 1}
  - title: an open load beside a background, on a processor each
    kind: unary
    stack: grpc-go
    shape: 1x4
    load: constant 500/s
    client_cpus: PROCESSOR
    server_cpus: PROCESSOR
    options: {write_buffer_bytes: 65536}
    background: {kind: stream, messages: 10, request_bytes: 10}
  - {title: an open load by itself, label: alone, kind: unary, stack: grpc-go, shape: 1x4, load: constant 500/s}
  - {title: options of a JVM, kind: unary, stack: grpc-elsewhere, jvm_options: -Xmx1g}
  - title: batches over a link
    kind: ping_pong
    stack: grpc-go
    batch: 10
    link: {rtt: 2ms, up: 100Mbit, down: 100Mbit}
  - {title: streams that end, kind: ping_pong, stack: grpc-go, shape: 1x1, messages_per_stream: 5}
  - {title: a coding, kind: encode, message: small, codec: json, sample: 1ms}
`

const elsewhereYAML = `
name: elsewhere
command: [elsewhere, worker]
runtime: jvm
stacks: [grpc-elsewhere, grpc-caller, json-caller, json-server]
`

// A host that is this machine again, with a cache of its own, and a build.
const hostsYAML = `
here: {address: 127.0.0.1, command: [env, XDG_CACHE_HOME=cache]}
`

const placedYAML = `
name: placed
question: How long does it take on hosts, and with a build?
defaults: {warmup: 10ms, calls: 20, trials: 1}
cases:
  - {title: on a host, kind: unary, stack: grpc-go, client_hosts: here, server_hosts: here}
  - {title: a build, kind: unary, stack: grpc-go, binary: old=./build}
`

const build = `#!/bin/sh
exec rpcbench worker
`

// The link takes a quarter of an hour for a request, and so the deadline, however late, comes first.
const failingYAML = `
name: failing
question: How long does it take to fail?
defaults: {warmup: 0s, calls: 2, trials: 1, deadline: 1ms}
cases:
  - {title: too big for its deadline, kind: unary, stack: grpc-go, request_bytes: 8MB, link: {up: 64kbit}}
`

func TestQuickMeasuresAllThatIsPlannedAndNoColumnIsAlwaysEmpty(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"rest.yaml": strings.ReplaceAll(restYAML, "PROCESSOR", processor(t)), "failing.yaml": failingYAML,
		manifest.FileName: elsewhereYAML, "hosts.yaml": hostsYAML,
		"placed.yaml": placedYAML, "build": build,
	} {
		programtest.Write(t, filepath.Join(folder, name), text)
	}
	quick := []string{"quick", "--set", "calls=3", "--set", "deadline=10m", "--warmup", "10ms", "--trials", "1"}
	var planned struct{ Trials []plan.Trial }
	if err := json.Unmarshal(output(t, folder, append([]string{"plan", "--format", "json"}, quick...)...), &planned); err != nil {
		t.Fatal(err)
	}
	measured := rows(t, output(t, folder, append([]string{"run", "--format", "csv", "--out", "quick.jsonl"}, quick...)...))
	checkPlanned(t, planned.Trials, measured)
	for _, row := range measured {
		checkFilled(t, row)
	}
	output(t, folder, "run", "rest.yaml", "--workers", ".", "--out", "rest.jsonl")
	output(t, folder, "run", "placed.yaml", "--trust", "placed.yaml", "--no-floor", "--out", "placed.jsonl")
	failing := exec.Command("rpcbench", "run", "failing.yaml", "--no-floor", "--out", "failing.jsonl")
	failing.Dir = folder
	if got := code(failing.Run()); got != 1 {
		t.Errorf("exit code %d where every call fails, want 1", got)
	}
	all := rows(t, output(t, folder, "report", "--format", "csv", "quick.jsonl", "rest.jsonl", "failing.jsonl",
		"placed.jsonl"))
	if len(all) <= len(measured) {
		t.Errorf("%d rows of three files, %d of one", len(all), len(measured))
	}
	var empty []string
	for column := range all[0] {
		if slices.Contains(notOfQuick, column) || column == string(analysis.HostThrottledNs) && !throttles() {
			continue
		}
		if !slices.ContainsFunc(all, func(row map[string]string) bool { return row[column] != "" }) {
			empty = append(empty, column)
		}
	}
	slices.Sort(empty)
	if len(empty) > 0 {
		t.Errorf("the columns %v are empty in every row", empty)
	}
}

// processor is one that this process may use: in a container that has some of a machine's, the first need not be among them.
func processor(t *testing.T) string {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "0" // of another system
	}
	_, list, _ := strings.Cut(string(status), "\nCpus_allowed_list:")
	list, _, _ = strings.Cut(list, "\n")
	allowed, err := host.ParseCPUs(list)
	if err != nil {
		t.Fatal(err)
	}
	return strconv.Itoa(allowed[0])
}

// throttles reports whether a control group counts here how long its quota stopped threads: the topmost one has none.
func throttles() bool {
	_, known := host.Throttled(os.DirFS("/"))
	return known
}

// checkPlanned wants a row for every trial of the plan, and no other.
func checkPlanned(t *testing.T, trials []plan.Trial, rows []map[string]string) {
	t.Helper()
	want, got := map[string]bool{}, map[string]bool{}
	for _, trial := range trials {
		s := trial.Spec
		want[fmt.Sprintf("%s %s %d B %dx%d of %d", s.Stack, s.Kind, s.RequestBytes, s.Connections, s.InFlight, s.Messages)] = true
	}
	for _, row := range rows {
		messages := row["messages"]
		if messages == "" {
			messages = "0"
		}
		got[fmt.Sprintf("%s %s %s B %sx%s of %s", row["stack"], row["kind"], row["request_bytes"],
			row["connections"], row["in_flight"], messages)] = true
	}
	if !maps.Equal(want, got) || len(rows) != len(trials) {
		t.Errorf("%d rows %v, want %d %v", len(rows), slices.Sorted(maps.Keys(got)), len(trials), slices.Sorted(maps.Keys(want)))
	}
	stacksSeen := map[string]bool{}
	for _, row := range rows {
		stacksSeen[row["stack"]] = true
	}
	for _, s := range stacks() {
		if info := s.Info(); !stacksSeen[info.Name] && info.Protocol != stack.ProtocolCodec {
			t.Errorf("no row of %s", info.Name)
		}
	}
}

// unharmed are the verdicts of trials in which nothing went wrong, on a machine that may be busy or stand still, for as short
// as these are.
var unharmed = []string{
	analysis.VerdictOK, analysis.VerdictUnstable, analysis.VerdictNotJudged, analysis.VerdictTooFewSamples,
	analysis.VerdictNoisyHost, analysis.VerdictNotStationary, analysis.VerdictClientBound, analysis.VerdictStalled,
}

// checkFilled wants every column of a closed load whose calls were good.
func checkFilled(t *testing.T, row map[string]string) {
	t.Helper()
	where := row["stack"] + " " + row["kind"]
	for column, want := range map[string]string{
		"scenario": "quick", "trials": "1", "errors": "0", "errors_by_code": "", "load": "closed", "offered_per_sec": "",
		"service_p50_ns": "", "service_p99_ns": "", "wake_p99_ns": "", "queue_p99_ns": "", "error_p50_ns": "",
		"wire_counted_at": "client", "spread": "min-max", "servers": "1",
	} {
		if row[column] != want {
			t.Errorf("%s: %s is %q, want %q", where, column, row[column], want)
		}
	}
	if !slices.Contains(unharmed, row["verdict"]) {
		t.Errorf("%s: verdict is %q, want one of %v", where, row["verdict"], unharmed)
	}
	for _, column := range []string{
		"calls", "calls_per_sec", "calls_per_sec_lo", "calls_per_sec_hi", "response_p50_ns", "response_p50_ns_lo",
		"response_p50_ns_hi", "response_p90_ns", "response_p99_ns", "response_p99_ns_lo", "response_p99_ns_hi",
		"response_p999_ns", "response_max_ns", "client_cpu_ns_per_call", "client_cpu_ns_per_call_lo",
		"client_cpu_ns_per_call_hi", "server_cpu_ns_per_call", "server_cpu_ns_per_call_lo", "server_cpu_ns_per_call_hi",
		"wire_bytes_out_per_call", "wire_bytes_in_per_call", "sockets", "floor_ratio", "deadline_ns",
	} {
		if value, err := strconv.ParseFloat(row[column], 64); err != nil || value <= 0 {
			t.Errorf("%s: %s is %q, want a number over 0", where, column, row[column])
		}
	}
	streaming := row["kind"] == "ping_pong" || row["kind"] == "stream"
	if (row["messages_per_sec"] != "") != streaming {
		t.Errorf("%s: messages_per_sec is %q", where, row["messages_per_sec"])
	}
	if opens := row["kind"] == "first_call"; (row["payload_mb_per_sec"] != "") == opens {
		t.Errorf("%s: payload_mb_per_sec is %q", where, row["payload_mb_per_sec"])
	}
}

// keysBehind are the keys that stand behind the figures, as they came later than the columns' order was promised.
var keysBehind = []string{"clients", "label", "binary", "client_hosts", "server_hosts"}

// rows reads CSV, in which no two rows may have the same keys.
func rows(t *testing.T, text []byte) []map[string]string {
	t.Helper()
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	keys := slices.Index(records[0], "trials") // the first that is none
	seen := map[string]bool{}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, value := range record {
			row[records[0][i]] = value
		}
		key := strings.Join(record[:keys], ",")
		for _, column := range keysBehind {
			key += "," + row[column]
		}
		if seen[key] {
			t.Errorf("two rows have the keys %s", key)
		}
		seen[key] = true
		rows = append(rows, row)
	}
	return rows
}

// output runs rpcbench, which must end well, and returns its standard output.
func output(t *testing.T, folder string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("rpcbench", args...)
	var failure bytes.Buffer
	cmd.Dir, cmd.Stderr = folder, &failure
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("rpcbench %v: %v; stderr: %s", args, err, failure.String())
	}
	return out
}
