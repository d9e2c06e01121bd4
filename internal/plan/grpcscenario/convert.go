package grpcscenario

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// made makes a scenario of theirs: a case each.
func made(from string, theirs []*testpb.Scenario, w Workers) (scenario.Scenario, error) {
	var cases, passed, lines []string
	lines = append(lines, from, from, from, from, from) // of which the first is none
	for i, one := range theirs {
		c := converter{scenario: one, client: one.GetClientConfig(), server: one.GetServerConfig(), workers: w}
		if err := c.convert(); err != nil {
			return scenario.Scenario{}, scenario.Errorf(from, "scenario %d, %q: %v", i+1, plain.Short(one.GetName(), 100), err)
		}
		cases = append(cases, c.String())
		for range c.keys {
			lines = append(lines, fmt.Sprintf("%s: scenario %d, %q", from, i+1, plain.Short(one.GetName(), 100)))
		}
		for _, field := range c.passed {
			passed = appendNew(passed, field)
		}
	}
	note := "A latency is that of a call, or of a ping and its pong; workers of gRPC count it from when it was sent."
	if len(passed) > 0 {
		note += " Of the definition these are passed over, as they are about gRPC's libraries: " + strings.Join(passed, ", ") + "."
	}
	text := fmt.Sprintf("name: %s\nquestion: %s\nnote: %s\ncases:\n%s", quoted(from),
		quoted("What do gRPC's benchmarks show of it: throughput, latency, CPU?"), quoted(note), strings.Join(cases, ""))
	return scenario.Translated([]byte(text), func(line int) string { return lines[min(line, len(lines)-1)] })
}

func appendNew(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// quoted is a text in YAML, of which JSON is a part.
func quoted(text string) string {
	data, _ := json.Marshal(text) //nolint:errchkjson // a string always can be
	return string(data)
}

// A converter writes the keys of a case.
type converter struct {
	scenario *testpb.Scenario
	client   *testpb.ClientConfig
	server   *testpb.ServerConfig
	workers  Workers

	keys    []string
	options []string
	passed  []string // fields that nothing of ours corresponds to
}

func (c *converter) set(key, value string) { c.keys = append(c.keys, key+": "+value) }

// String is the case in YAML.
func (c *converter) String() string { return "  - " + strings.Join(c.keys, "\n    ") + "\n" }

func (c *converter) convert() error {
	for _, step := range []func() error{c.names, c.kind, c.payload, c.shape, c.load, c.security, c.processors, c.times} {
		if err := step(); err != nil {
			return err
		}
	}
	c.passOver()
	if len(c.options) > 0 {
		c.set("options", "{"+strings.Join(c.options, ", ")+"}")
	}
	return nil
}

// names are the title and the stacks.
func (c *converter) names() error {
	switch {
	case c.scenario.GetName() == "":
		return fmt.Errorf("name is missing")
	case c.client == nil || c.server == nil:
		return fmt.Errorf("client_config and server_config are both needed")
	case c.client.GetOtherClientApi() != "" || c.client.GetClientType() == testpb.ClientType_OTHER_CLIENT:
		return fmt.Errorf("client_config.other_client_api: there is none here")
	case c.server.GetOtherServerApi() != "" || c.server.GetServerType() == testpb.ServerType_OTHER_SERVER:
		return fmt.Errorf("server_config.other_server_api: there is none here")
	case len(c.client.GetServerTargets()) > 0:
		return fmt.Errorf("client_config.server_targets: clients call the scenario's servers; rpcbench load calls others")
	case c.server.GetPort() != 0:
		return fmt.Errorf("server_config.port: servers pick free ports")
	}
	c.set("title", quoted(c.scenario.GetName()))
	client, server := c.workers.Client, c.workers.Server
	if client == "" {
		client, server = c.stacks()
	}
	c.set("stack", client)
	if server != "" && server != client {
		c.set("server", server)
	}
	return nil
}

// stacks are those of ours that are the library of a language's worker, by the names that scenario_config gives. The server
// is empty if it follows from the client.
func (c *converter) stacks() (client, server string) {
	switch {
	case strings.HasPrefix(c.scenario.GetName(), "java_"):
		return "grpc-java-netty", ""
	case !c.cpp():
		return "grpc-go", ""
	}
	if c.server.GetServerType() == testpb.ServerType_SYNC_SERVER {
		server = "grpc-cpp-sync"
	}
	if c.client.GetClientType() == testpb.ClientType_CALLBACK_CLIENT {
		return "grpc-cpp-callback", server
	}
	return "grpc-cpp-async", server
}

// cpp is true if both sides are in C++, whose stacks have the types of clients and servers as far as they are there.
func (c *converter) cpp() bool {
	return strings.HasPrefix(c.scenario.GetName(), "cpp_") && !strings.HasPrefix(c.scenario.GetName(), "cpp_to_")
}

func (c *converter) kind() error {
	kind, known := KindOf(c.client.GetRpcType())
	streams, perStream := stack.HasMessages(kind), int(c.client.GetMessagesPerStream())
	switch {
	case !known:
		return fmt.Errorf("client_config.rpc_type: %v is unknown", c.client.GetRpcType())
	case perStream < 0:
		return fmt.Errorf("client_config.messages_per_stream: it is negative")
	case perStream > 0 && kind == stack.KindUnary:
		return fmt.Errorf("client_config.messages_per_stream: UNARY has no streams; 0 is that")
	case streams && c.client.GetLoadParams().GetPoisson() != nil:
		return fmt.Errorf("client_config.load_params.poisson: messages of %v go as fast as the connection takes them here",
			c.client.GetRpcType())
	}
	c.set("kind", kind)
	switch {
	case perStream > 0 && kind == stack.KindPingPong:
		c.set("messages_per_stream", strconv.Itoa(perStream))
	case perStream > 0:
		c.set("messages", strconv.Itoa(perStream))
	}
	return nil
}

// payload maps sizes. Bare bytes are sent as messages of that size.
func (c *converter) payload() error {
	of := c.client.GetPayloadConfig()
	if s := c.server.GetPayloadConfig(); s != nil && !proto.Equal(s, of) {
		return fmt.Errorf("server_config.payload_config: it is another than the client's")
	}
	request, response := of.GetSimpleParams().GetReqSize(), of.GetSimpleParams().GetRespSize()
	switch {
	case of.GetComplexParams() != nil:
		return fmt.Errorf("client_config.payload_config.complex_params: they have no meaning")
	case of.GetBytebufParams() != nil:
		request, response = of.GetBytebufParams().GetReqSize(), of.GetBytebufParams().GetRespSize()
		c.passed = append(c.passed, "bytebuf_params (messages are of protobuf, with as many bytes)")
	}
	c.set("request_bytes", strconv.Itoa(int(request)))
	c.set("response_bytes", strconv.Itoa(int(response)))
	c.set("payload", stack.PayloadZeros)
	return nil
}

// shape maps numbers of processes, channels and calls. All clients share the channels, as in gRPC's driver.
func (c *converter) shape() error {
	channels, outstanding := c.client.GetClientChannels(), c.client.GetOutstandingRpcsPerChannel()
	if channels < 1 || outstanding < 1 {
		return fmt.Errorf("client_config.client_channels, outstanding_rpcs_per_channel: both are at least 1")
	}
	c.set("shape", fmt.Sprintf("%dx%d", channels, outstanding))
	if n := c.clients(); n > 1 {
		c.set("clients", strconv.Itoa(n))
	}
	if n := c.scenario.GetNumServers(); n != 1 {
		c.set("servers", strconv.Itoa(int(n)))
	}
	return nil
}

// clients are as many as there are workers for them where the scenario takes all.
func (c *converter) clients() int {
	if n := c.scenario.GetNumClients(); n > 0 {
		return int(n)
	}
	return max(c.workers.Clients, 1)
}

// load maps arrivals. Theirs is the rate of each client, ours that of all.
func (c *converter) load() error {
	switch p := c.client.GetLoadParams().GetPoisson(); {
	case p == nil:
		c.set("load", point.LoadClosed)
	case !(p.GetOfferedLoad() > 0):
		return fmt.Errorf("client_config.load_params.poisson.offered_load: %v is not a rate", p.GetOfferedLoad())
	default:
		rate := strconv.FormatFloat(p.GetOfferedLoad()*float64(c.clients()), 'f', -1, 64)
		c.set("load", point.LoadPoisson+" "+rate+"/s")
	}
	return nil
}

func (c *converter) security() error {
	client, server := c.client.GetSecurityParams(), c.server.GetSecurityParams()
	switch {
	case (client == nil) != (server == nil):
		return fmt.Errorf("security_params: one side has them, and the other has not")
	case client == nil:
		c.set("security", stack.SecurityPlaintext)
		return nil
	case client.GetCredType() != "" || server.GetCredType() != "":
		return fmt.Errorf("security_params.cred_type: there are plaintext and TLS, and no others")
	case !client.GetUseTestCa() || !server.GetUseTestCa():
		return fmt.Errorf("security_params.use_test_ca: false: rpcbench has no other keys for this")
	}
	c.set("security", stack.SecurityTLS)
	return nil
}

// processors maps the cores that a side is limited to.
func (c *converter) processors() error {
	for _, side := range []struct {
		name  string
		list  []int32
		limit int32
	}{{"client", c.client.GetCoreList(), c.client.GetCoreLimit()}, {"server", c.server.GetCoreList(), c.server.GetCoreLimit()}} {
		switch {
		case c.workers.Client != "" && len(side.list) > 0:
			return fmt.Errorf("%s_config.core_list: the processors of running workers can't be set", side.name)
		case c.workers.Client != "" && side.limit > 0:
			c.options = append(c.options, fmt.Sprintf("%s_cores: %d", side.name, side.limit))
		case len(side.list) > 0:
			c.set(side.name+"_cpus", quoted(strings.Trim(strings.ReplaceAll(fmt.Sprint(side.list), " ", ","), "[]")))
		case side.limit > 0:
			c.set(side.name+"_cpus", quoted(fmt.Sprintf("0-%d", side.limit-1)))
		}
	}
	return nil
}

func (c *converter) times() error {
	if c.scenario.GetBenchmarkSeconds() < 1 || c.scenario.GetWarmupSeconds() < 0 {
		return fmt.Errorf("benchmark_seconds is at least 1, and warmup_seconds at least 0")
	}
	c.set("duration", fmt.Sprintf("%ds", c.scenario.GetBenchmarkSeconds()))
	c.set("warmup", fmt.Sprintf("%ds", c.scenario.GetWarmupSeconds()))
	return nil
}

// passOver maps what gRPC's workers can be told, and notes what is left out.
func (c *converter) passOver() {
	threads := []struct {
		field, option string
		n             int32
	}{
		{"async_client_threads", "client_threads", c.client.GetAsyncClientThreads()},
		{"async_server_threads", "server_threads", c.server.GetAsyncServerThreads()},
	}
	for _, t := range threads {
		switch {
		case t.n == 0:
		case c.workers.Client != "":
			c.options = append(c.options, fmt.Sprintf("%s: %d", t.option, t.n))
		default:
			c.passed = append(c.passed, t.field)
		}
	}
	switch {
	case c.workers.Client != "":
		c.options = append(c.options, "client_type: "+synchronous(c.client.GetClientType() == testpb.ClientType_SYNC_CLIENT),
			"server_type: "+synchronous(c.server.GetServerType() == testpb.ServerType_SYNC_SERVER))
	case c.cpp():
		c.passed = append(c.passed, absentTypes(c.client.GetClientType(), c.server.GetServerType())...)
	default:
		c.passed = append(c.passed, "client_type", "server_type")
	}
	for _, field := range []struct {
		name  string
		given bool
	}{
		{"channel_args", len(c.client.GetChannelArgs())+len(c.server.GetChannelArgs()) > 0},
		{"threads_per_cq", c.client.GetThreadsPerCq()+c.server.GetThreadsPerCq() > 0},
		{"use_coalesce_api", c.client.GetUseCoalesceApi()},
		{"resource_quota_size", c.server.GetResourceQuotaSize() > 0},
		{"client_processes", c.client.GetClientProcesses() > 0},
		{"server_processes", c.server.GetServerProcesses() > 0},
		{"median_latency_collection_interval_millis", c.client.GetMedianLatencyCollectionIntervalMillis() > 0},
		{"spawn_local_worker_count", c.scenario.GetSpawnLocalWorkerCount() != 0},
	} {
		if field.given {
			c.passed = append(c.passed, field.name)
		}
	}
}

// absentTypes are those of C++ that no stack of ours has: the nearest is taken.
func absentTypes(client testpb.ClientType, server testpb.ServerType) (fields []string) {
	if client == testpb.ClientType_SYNC_CLIENT {
		fields = append(fields, "client_type SYNC_CLIENT (here with completion queues)")
	}
	if server == testpb.ServerType_ASYNC_SERVER || server == testpb.ServerType_ASYNC_GENERIC_SERVER {
		fields = append(fields, "server_type "+server.String()+" (here with callbacks)")
	}
	return fields
}

func synchronous(is bool) string {
	if is {
		return "sync"
	}
	return "async"
}
