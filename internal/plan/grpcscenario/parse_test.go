package grpcscenario_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"rpcbench/internal/plan/grpcscenario"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/test/allocated"
)

const one = `{"scenarios": [{
  "name": "mine", "num_servers": 1, "num_clients": 2, "warmup_seconds": 5, "benchmark_seconds": 30,
  "client_config": {
    "client_type": "SYNC_CLIENT", "client_channels": 4, "outstanding_rpcs_per_channel": 10, "rpc_type": "STREAMING",
    "security_params": {"use_test_ca": true, "server_host_override": "foo.test.google.fr"}, "core_limit": 2,
    "load_params": {"poisson": {"offered_load": 1000}}, "payload_config": {"simple_params": {"req_size": 100, "resp_size": 200}},
    "histogram_params": {"resolution": 0.01, "max_possible": 60e9}, "channel_args": [{"name": "x", "int_value": 1}]
  },
  "server_config": {
    "server_type": "ASYNC_SERVER", "async_server_threads": 3, "core_list": [1, 3],
    "security_params": {"use_test_ca": true, "server_host_override": "foo.test.google.fr"}
  }
}]}`

// asked is the one point of a scenario, in short.
func asked(s scenario.Scenario) string {
	p, server := s.Cases[0].Points()[0], ""
	if s.Cases[0].Given("server") {
		server = s.Cases[0].Each("server")[0].Server
	}
	return fmt.Sprintf("%s: %s on %s, %s %d/%d %s %dx%d %s %v/s, %d clients %q, %d servers %q, %s, warm-up %d s, %d s, %v",
		s.Cases[0].Title, s.Cases[0].Each("stack")[0].Stack, server, p.Kind, p.RequestBytes, p.ResponseBytes, p.Payload,
		p.Connections, p.InFlight, p.Load, p.OfferedPerSec, p.Clients, p.ClientCPUs, p.Servers, p.ServerCPUs, p.Security,
		p.WarmupNs/1e9, p.DurationNs/1e9, p.Options)
}

func TestFieldsAreMappedOrNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text    string
		workers grpcscenario.Workers
		want    string
		note    string
	}{
		"ours": {
			one, grpcscenario.Workers{},
			`mine: grpc-go on , ping_pong 100/200 zeros 4x10 poisson 2000/s, 2 clients "0-1", 0 servers "1,3", tls, warm-up 5 s, ` +
				`30 s, map[]`,
			"passed over, as they are about gRPC's libraries: async_server_threads, client_type, server_type, channel_args.",
		},
		"gRPC's own": {
			strings.Replace(one, `"core_list": [1, 3]`, `"core_limit": 3`, 1),
			grpcscenario.Workers{Server: "qps", Client: "qps-2", Clients: 5},
			`mine: qps-2 on qps, ping_pong 100/200 zeros 4x10 poisson 2000/s, 2 clients "", 0 servers "", tls, warm-up 5 s, 30 s, ` +
				`map[client_cores:2 client_type:sync server_cores:3 server_threads:3 server_type:async]`, "gRPC's libraries: channel_args.",
		},
		"alone, all clients": {
			strings.NewReplacer("[{\n", "{\n", "}]}`", "}}", `"num_clients": 2`, `"num_clients": 0`, "  }\n}]}", "  }\n}}",
				`"core_list": [1, 3]`, `"core_limit": 3`).Replace(one),
			grpcscenario.Workers{Server: "qps", Client: "qps", Clients: 3},
			`mine: qps on , ping_pong 100/200 zeros 4x10 poisson 3000/s, 3 clients "", 0 servers "", tls, warm-up 5 s, 30 s, ` +
				`map[client_cores:2 client_type:sync server_cores:3 server_threads:3 server_type:async]`, "channel_args",
		},
	} {
		s, err := grpcscenario.Parse("mine.json", []byte(c.text), c.workers)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := asked(s); got != c.want || !strings.Contains(s.Note, c.note) {
			t.Errorf("%s:\ngot  %s\nwant %s\nnote %s", name, got, c.want, s.Note)
		}
	}
}

func TestCppHasTheStacksOfItsTypes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, client, server, want, note string }{
		{
			"cpp_mine", "SYNC_CLIENT", "SYNC_SERVER", "grpc-cpp-async on grpc-cpp-sync",
			"client_type SYNC_CLIENT (here with completion queues)",
		},
		{"cpp_mine", "ASYNC_CLIENT", "ASYNC_SERVER", "grpc-cpp-async on ", "server_type ASYNC_SERVER (here with callbacks)"},
		{"cpp_mine", "ASYNC_CLIENT", "ASYNC_GENERIC_SERVER", "grpc-cpp-async on ", "ASYNC_GENERIC_SERVER (here with callbacks)"},
		{"cpp_mine", "CALLBACK_CLIENT", "CALLBACK_SERVER", "grpc-cpp-callback on ", ""},
		{"cpp_mine", "CALLBACK_CLIENT", "SYNC_SERVER", "grpc-cpp-callback on grpc-cpp-sync", ""},
		{"cpp_to_csharp_mine", "ASYNC_CLIENT", "ASYNC_SERVER", "grpc-go on ", "client_type, server_type"},
		{"java_mine", "ASYNC_CLIENT", "ASYNC_SERVER", "grpc-java-netty on ", "client_type, server_type"},
	} {
		text := strings.NewReplacer(`"mine"`, `"`+c.name+`"`, "SYNC_CLIENT", c.client, "ASYNC_SERVER", c.server).Replace(one)
		s, err := grpcscenario.Parse("mine.json", []byte(text), grpcscenario.Workers{})
		if err != nil {
			t.Fatal(err)
		}
		want := c.name + ": " + c.want + ","
		if got := asked(s); !strings.HasPrefix(got, want) || !strings.Contains(s.Note, c.note) ||
			strings.Contains(s.Note, "_type") != (c.note != "") {
			t.Errorf("%v:\ngot  %s\nwant %s\nnote %s", c, got, want, s.Note)
		}
	}
}

func TestWhatCantBeHadIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ change, want string }{
		{
			`"STREAMING"|9`,
			`scenario 1, "mine": client_config.rpc_type: 9 is unknown`,
		},
		{
			`"rpc_type": "STREAMING"|"rpc_type": "UNARY", "messages_per_stream": 3`,
			"client_config.messages_per_stream: UNARY has no streams",
		},
		{
			`"core_limit": 2|"messages_per_stream": -3`,
			"client_config.messages_per_stream: it is negative",
		},
		{
			`"STREAMING"|"STREAMING_FROM_SERVER"`,
			"client_config.load_params.poisson: messages of STREAMING_FROM_SERVER go as fast as the connection takes them",
		},
		{
			`"simple_params"|"complex_params": {}, "x"`,
			"unknown field",
		},
		{
			`{"simple_params": {"req_size": 100, "resp_size": 200}}|{"complex_params": {}}`,
			"complex_params: they have no meaning",
		},
		{
			`"client_channels": 4|"client_channels": 0`,
			"client_channels, outstanding_rpcs_per_channel: both are at least 1",
		},
		{
			`"offered_load": 1000|"offered_load": -1`,
			"offered_load: -1 is not a rate",
		},
		{
			`"use_test_ca": true|"use_test_ca": false`,
			"use_test_ca: false",
		},
		{
			`"use_test_ca": true|"use_test_ca": true, "cred_type": "x"`,
			"cred_type: there are plaintext and TLS",
		},
		{
			`"benchmark_seconds": 30|"benchmark_seconds": 0`,
			"benchmark_seconds is at least 1",
		},
		{
			`"name": "mine"|"name": ""`,
			"name is missing",
		},
		{
			`"core_limit": 2|"server_targets": ["a:1"]`,
			"client_config.server_targets",
		},
		{
			`"core_limit": 2|"other_client_api": "x"`,
			"client_config.other_client_api",
		},
		{
			`"async_server_threads": 3|"port": 3`,
			"server_config.port",
		},
		{
			`"req_size": 100|"req_size": -1`,
			`mine.json: scenario 1, "mine": request_bytes: -1 is below`,
		},
		{
			`"name": "mine"|"nam": "mine"`,
			`line 2, column 3: unknown field "nam"`,
		},
		{
			`"num_servers": 1|"num_servers": 1e99`,
			"is not Scenarios of gRPC's benchmarks in JSON: line 2, column",
		},
	} {
		from, to, _ := strings.Cut(c.change, "|")
		if !strings.Contains(one, from) {
			t.Fatalf("%s is nowhere", from)
		}
		_, err := grpcscenario.Parse("mine.json", []byte(strings.Replace(one, from, to, 1)), grpcscenario.Workers{})
		wantError(t, err, c.want)
	}
	_, err := grpcscenario.Parse("mine.json", []byte(one), grpcscenario.Workers{Server: "qps", Client: "qps"})
	wantError(t, err, "server_config.core_list: the processors of running workers can't be set")
	for text, want := range map[string]string{
		"": "unexpected token", "{}": "scenarios is missing or empty", "[]": "is not Scenarios",
		strings.Repeat("[", 99):                                "nested more than",
		`{"scenarios":[` + strings.Repeat("{},", 200) + "{}]}": "there are 201 scenarios; a file may have 150",
		strings.Repeat(" ", grpcscenario.BytesMax+1):           "the file is larger than 262144 bytes",
	} {
		_, err := grpcscenario.Parse("mine.json", []byte(text), grpcscenario.Workers{})
		wantError(t, err, want)
	}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if bad, ok := errors.AsType[*scenario.Error](err); !ok || !strings.Contains(bad.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestNamesAndPatterns(t *testing.T) {
	t.Parallel()
	s, err := grpcscenario.Named("go_generic_sync_streaming_qps_unconstrained_insecure", grpcscenario.Workers{})
	want := `go_generic_sync_streaming_qps_unconstrained_insecure: grpc-go on , ping_pong 0/0 zeros 64x100 closed 0/s, ` +
		`0 clients "", 0 servers "", plaintext, warm-up 5 s, 30 s, map[]`
	if err != nil || asked(s) != want {
		t.Errorf("got  %v %v\nwant %s", asked(s), err, want)
	}
	all, err := grpcscenario.Named("*", grpcscenario.Workers{})
	if err != nil || len(all.Cases) != len(grpcscenario.Names()) {
		t.Errorf("%d cases of %d names, %v", len(all.Cases), len(grpcscenario.Names()), err)
	}
	short, err := grpcscenario.Named("cpp_protobuf_sync_streaming_qps_unconstrained_10mps_secure", grpcscenario.Workers{})
	if p := short.Cases[0].Points()[0]; err != nil || p.Kind != "ping_pong" || p.MessagesPerStream != 10 || p.Messages != 0 {
		t.Errorf("%v became %+v", err, p)
	}
	for name, want := range map[string]string{
		"":                                       "it is not one of the scenarios that rpcbench plan qps: lists",
		"fortran_*":                              "no name matches; rpcbench plan qps: lists them",
		"go_protobuf_sync_unary_ping_pong_secur": `; did you mean "go_protobuf_sync_unary_ping_pong_secure"?`,
	} {
		_, err := grpcscenario.Named(name, grpcscenario.Workers{})
		wantError(t, err, want)
	}
}

// Streams in one direction, and both ways, are calls of several messages.
func TestStreamsAreCallsOfSeveralMessages(t *testing.T) {
	t.Parallel()
	ending := parse(t, strings.Replace(one, `"core_limit": 2`, `"messages_per_stream": 7`, 1))
	if p := ending.Cases[0].Points()[0]; p.MessagesPerStream != 7 {
		t.Errorf("ping_pong has %d messages per stream, want 7", p.MessagesPerStream)
	}
	for rpc, want := range map[string]string{
		"STREAMING_FROM_CLIENT": "upload", "STREAMING_FROM_SERVER": "download", "STREAMING_BOTH_WAYS": "both_ways",
	} {
		text := strings.NewReplacer(`"STREAMING"`, `"`+rpc+`", "messages_per_stream": 7`, `"poisson": {"offered_load": 1000}`,
			`"closed_loop": {}`).Replace(one)
		s, err := grpcscenario.Parse("mine.json", []byte(text), grpcscenario.Workers{})
		if err != nil {
			t.Fatal(err)
		}
		if p := s.Cases[0].Points()[0]; p.Kind != want || p.Messages != 7 {
			t.Errorf("%s became %s of %v messages", rpc, p.Kind, p.Messages)
		}
	}
}

// The manual has the patterns of all names.
func TestTheManualListsTheNames(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../../docs/qps.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range grpcscenario.Patterns() {
		if !strings.Contains(string(manual), "\n"+pattern+"\n") {
			t.Errorf("docs/qps.md lacks\n%s", pattern)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(one))
	f.Add([]byte(`{"scenarios":{"name":"x","clientConfig":{},"serverConfig":{}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		allocated.AtMost(t, 64<<20, func() { _, _ = grpcscenario.Parse("f.json", data, grpcscenario.Workers{}) })
	})
}

// The manual's LoadTest for gRPC's test infrastructure has a scenario that can be measured.
func TestTheManualsLoadTestHasAScenario(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../../docs/qps.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(manual), "  scenariosJSON: |\n")
	text, _, _ = strings.Cut(text, "```")
	want := `go_protobuf_sync_unary_ping_pong_secure: grpc-go on , unary 0/0 zeros 1x1 closed 0/s, 0 clients "", 0 servers "", ` +
		`tls, warm-up 5 s, 30 s, map[]`
	if got := asked(parse(t, text)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func parse(t *testing.T, text string) scenario.Scenario {
	t.Helper()
	s, err := grpcscenario.Parse("mine.json", []byte(text), grpcscenario.Workers{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
