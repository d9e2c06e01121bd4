package grpcscenario

import (
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/plan/scenario"
)

// Prefix begins the name of a scenario that gRPC's scenario_config defines.
const Prefix = "qps:"

// Named makes the scenario of a name, or of all listed names that a pattern with * matches. Every error is a *scenario.Error.
func Named(pattern string, w Workers) (scenario.Scenario, error) {
	names := []string{pattern}
	if strings.ContainsAny(pattern, "*?[") {
		names = matching(pattern)
	}
	if len(names) == 0 {
		return scenario.Scenario{}, scenario.Errorf(Prefix+pattern, "no name matches; rpcbench plan %s lists them", Prefix)
	}
	var theirs []*testpb.Scenario
	for _, name := range names {
		one, ok := scenarioOf(name)
		if !ok {
			return scenario.Scenario{}, scenario.Errorf(Prefix+name, "it is not one of the scenarios that rpcbench plan %s lists%s",
				Prefix, hint.Near(name, Names()))
		}
		theirs = append(theirs, one)
	}
	return made(Prefix+pattern, theirs, w)
}

// matching are the listed names that a pattern matches.
func matching(pattern string) (names []string) {
	for _, name := range Names() {
		if ok, err := path.Match(pattern, name); err == nil && ok {
			names = append(names, name)
		}
	}
	return names
}

// The values that scenario_config uses in all scenarios.
const (
	benchmarkSeconds = 30
	wide             = 64   // channels of a load that is not constrained
	deepAsync        = 6400 // calls of it on all channels together
	deepLimited      = 800
	deepSync         = 1000
	maxMemory        = 16 << 30 // bytes of requests, or of answers, that may be in flight
)

// A language is the prefix of its scenarios' names, and what holds for all of them.
type language struct {
	prefix string
	warmup int32
	// threads of the server where one call is measured; 0 is as many as processors.
	threads int32
	// deepSync is the number of calls of its synchronous clients, which have a thread for each; Go's have goroutines.
	deepSync int64
	// server is the server type for a synchronous client, and for a name that does not say the type.
	server testpb.ServerType
	// oneChannel limits it to one channel, however many calls are made.
	oneChannel bool
}

const (
	syncServer  = testpb.ServerType_SYNC_SERVER
	asyncServer = testpb.ServerType_ASYNC_SERVER
)

var languages = []language{
	{"cpp_to_csharp", 5, 0, deepSync, syncServer, false},
	{"cpp_to_dotnet", 5, 0, deepSync, syncServer, false},
	{"cpp", 30, 1, deepSync, syncServer, false},
	{"java", 15, 1, deepSync, syncServer, false},
	{"go", 5, 1, deepAsync, syncServer, false},
	{"node_to_node", 5, 1, deepSync, asyncServer, false},
	{"csharp_to_cpp", 5, 1, deepSync, syncServer, false},
	{"csharp", 5, 0, deepSync, asyncServer, false},
	{"dotnet_to_cpp", 5, 1, deepSync, syncServer, false},
	{"dotnet", 5, 0, deepSync, asyncServer, false},
	{"python_asyncio_to_cpp", 5, 0, deepAsync, asyncServer, true},
	{"python_asyncio", 5, 0, deepAsync, asyncServer, true},
	{"python_to_cpp", 5, 0, deepSync, asyncServer, false},
	{"python", 5, 0, deepSync, asyncServer, false},
	{"ruby_to_cpp", 5, 1, deepSync, syncServer, false},
	{"ruby", 5, 0, deepSync, syncServer, false},
	{"php7_protobuf_php_extension_to_cpp", 5, 1, 1, syncServer, false},
	{"php7_protobuf_c_extension_to_cpp", 5, 1, 1, syncServer, false},
}

// grammar matches the part of a name after its language: payload, client and server, calls, measure, and changes.
var grammar = regexp.MustCompile(`^_(generic|protobuf)_(?:(sync|async|callback)(_to_async)?(?:_client)?(_sync_server)?_)?` +
	`(unary|streaming_from_client|streaming_from_server|streaming_both_ways|streaming)` +
	`_(ping_pong|qps|5000rpcs_1KB_psm|1channel_100rpcs_1MB|1channel_1MB|1channel_64wide_128Breq_8MBresp|` +
	`75Kqps_600channel_60Krpcs_300Breq_50Bresp)(.*)$`)

// scenarioOf makes the scenario of a name by these rules; false says that they make none of it.
func scenarioOf(name string) (*testpb.Scenario, bool) {
	for _, l := range languages {
		rest, _ := strings.CutPrefix(name, l.prefix)
		word := grammar.FindStringSubmatch(rest)
		if word == nil {
			continue
		}
		m := newMaker(name, l, word)
		m.measure(word[6])
		if m.change(word[7]) {
			return m.scenario(), true
		}
	}
	return nil, false
}

// A maker has the parameters of a scenario.
type maker struct {
	name     string
	language language

	generic         bool
	client          testpb.ClientType
	server          testpb.ServerType
	rpc             testpb.RpcType
	insecure        bool
	request, answer int64
	outstanding     int64 // calls in flight on all channels together; 0 is one call on one channel
	channels        int64
	perSec          float64 // of each client; 0 is a closed loop
	serverThreads   int32
	perStream       int32
}

func newMaker(name string, l language, word []string) *maker {
	m := &maker{
		name: name, language: l, generic: word[1] == "generic", channels: wide, server: l.server,
		client: testpb.ClientType(testpb.ClientType_value[strings.ToUpper(word[2])+"_CLIENT"]),
		rpc:    testpb.RpcType(testpb.RpcType_value[strings.ToUpper(word[5])]),
	}
	if l.oneChannel { // its clients are all asynchronous, whatever a name says
		m.channels, m.client = 1, testpb.ClientType_ASYNC_CLIENT
	}
	switch {
	case m.generic:
		m.server = testpb.ServerType_ASYNC_GENERIC_SERVER
	case word[3] != "":
		m.server = asyncServer
	case word[4] != "":
		m.server = syncServer
	case m.client == testpb.ClientType_ASYNC_CLIENT:
		m.server = asyncServer
	case m.client == testpb.ClientType_CALLBACK_CLIENT:
		m.server = testpb.ServerType_CALLBACK_SERVER
	}
	return m
}

// measure sets what is measured: the time of one call, or the number of calls per second.
func (m *maker) measure(what string) {
	switch what {
	case "ping_pong":
		m.serverThreads = m.language.threads
	case "qps":
		m.outstanding = deepAsync
		if m.client == testpb.ClientType_SYNC_CLIENT {
			m.outstanding = m.language.deepSync
		}
		if m.outstanding == 1 { // of PHP, whose clients make one call at a time
			m.server, m.serverThreads = asyncServer, 1
		}
	case "5000rpcs_1KB_psm": // whose original makes one call: its outstanding is for loads that are not constrained
		m.request, m.answer, m.insecure, m.serverThreads = 1<<10, 1<<10, true, 1
	case "1channel_64wide_128Breq_8MBresp": // the same
		m.request, m.answer = 128, 8<<20
	case "1channel_100rpcs_1MB":
		m.request, m.answer, m.insecure, m.channels, m.outstanding = 1<<20, 1<<20, true, 1, 100
	case "1channel_1MB":
		m.request, m.answer, m.insecure, m.channels, m.outstanding = 1<<20, 1<<20, true, 1, 1
	default: // 75Kqps of two clients
		m.request, m.answer, m.insecure, m.channels, m.outstanding = 300, 50, true, 300, 30_000
		m.perSec, m.serverThreads = 37_500, 16
	}
}

// changes lists the possible endings of a name. The numbers are those in the words, in order.
var changes = []struct {
	words *regexp.Regexp
	apply func(m *maker, n []int64)
}{
	{regexp.MustCompile(`^_(?:secure|unconstrained)`), func(*maker, []int64) {}},
	{regexp.MustCompile(`^_insecure`), func(m *maker, _ []int64) { m.insecure = true }},
	{regexp.MustCompile(`^_one_server_core`), func(m *maker, _ []int64) { m.serverThreads, m.outstanding = 1, deepLimited }},
	{regexp.MustCompile(`^_1cq`), func(m *maker, _ []int64) { m.outstanding = deepLimited }},
	{regexp.MustCompile(`^_(\d+)channel`), func(m *maker, n []int64) { m.channels, m.outstanding = n[0], 100 }},
	{regexp.MustCompile(`^_(\d+)_channels_(\d+)_outstanding`), func(m *maker, n []int64) { m.channels, m.outstanding = n[0], n[1] }},
	{regexp.MustCompile(`^_(\d+)x(\d+)_max`), func(m *maker, n []int64) { m.channels, m.outstanding = n[1], n[0]*n[1] }},
	{regexp.MustCompile(`^_(\d+)_1thread`), func(m *maker, n []int64) { m.channels, m.outstanding = 1, n[0] }},
	{regexp.MustCompile(`^_(?:1thread|max)`), func(m *maker, _ []int64) { m.outstanding = deepAsync }},
	{regexp.MustCompile(`^_(\d+)MB(?:msg)?`), func(m *maker, n []int64) {
		m.request, m.answer, m.serverThreads = n[0]<<20, n[0]<<20, 0
	}},
	{regexp.MustCompile(`^_(\d+)KB(?:msg)?`), func(m *maker, n []int64) { m.request, m.answer = n[0]<<10, n[0]<<10 }},
	{regexp.MustCompile(`^_(\d+)b`), func(m *maker, n []int64) { m.request, m.answer = n[0], n[0] }},
	{regexp.MustCompile(`^_(\d+)mps`), func(m *maker, n []int64) { m.perStream = int32(n[0]) }},
}

// change reads the end of a name. It returns false where there is a word that no change has.
func (m *maker) change(end string) bool {
	for end != "" {
		rest, ok := m.changeOnce(end)
		if !ok {
			return false
		}
		end = rest
	}
	return true
}

func (m *maker) changeOnce(end string) (rest string, ok bool) {
	for _, c := range changes {
		found := c.words.FindStringSubmatch(end)
		if found == nil || !isWord(end[len(found[0]):]) {
			continue
		}
		var numbers []int64
		for _, text := range found[1:] {
			n, err := strconv.ParseInt(text, 10, 32)
			if err != nil || n < 1 {
				return "", false
			}
			numbers = append(numbers, n)
		}
		c.apply(m, numbers)
		return end[len(found[0]):], true
	}
	return "", false
}

// isWord reports whether the text before rest ended with a word.
func isWord(rest string) bool { return rest == "" || rest[0] == '_' }

// scenario returns the resulting scenario.
func (m *maker) scenario() *testpb.Scenario {
	client := &testpb.ClientConfig{
		ClientType: m.client, RpcType: m.rpc, SecurityParams: m.security(), PayloadConfig: m.payload(), MessagesPerStream: m.perStream,
		OutstandingRpcsPerChannel: 1, ClientChannels: 1, AsyncClientThreads: 1,
		LoadParams:      &testpb.LoadParams{Load: &testpb.LoadParams_ClosedLoop{ClosedLoop: &testpb.ClosedLoopParams{}}},
		HistogramParams: &testpb.HistogramParams{Resolution: 0.01, MaxPossible: 60e9},
	}
	made := &testpb.Scenario{
		Name: m.name, ClientConfig: client, NumClients: 1, NumServers: 1, WarmupSeconds: m.language.warmup,
		BenchmarkSeconds: benchmarkSeconds,
		ServerConfig: &testpb.ServerConfig{
			ServerType: m.server, SecurityParams: m.security(), AsyncServerThreads: m.serverThreads,
		},
	}
	if m.perSec > 0 {
		client.LoadParams = &testpb.LoadParams{Load: &testpb.LoadParams_Poisson{Poisson: &testpb.PoissonParams{OfferedLoad: m.perSec}}}
	}
	if m.generic {
		made.ServerConfig.PayloadConfig = m.payload()
	}
	if m.outstanding > 0 {
		calls := m.outstanding
		if most := max(m.request, m.answer); calls*most > maxMemory {
			calls = max(1, maxMemory/most)
		}
		client.ClientChannels, client.AsyncClientThreads = int32(m.channels), 0
		client.OutstandingRpcsPerChannel = int32(math.Ceil(float64(calls) / float64(m.channels)))
		made.NumClients = 0
	}
	return made
}

func (m *maker) security() *testpb.SecurityParams {
	if m.insecure {
		return nil
	}
	return &testpb.SecurityParams{UseTestCa: true, ServerHostOverride: "foo.test.google.fr"}
}

func (m *maker) payload() *testpb.PayloadConfig {
	request, answer := int32(m.request), int32(m.answer)
	if m.generic {
		return &testpb.PayloadConfig{Payload: &testpb.PayloadConfig_BytebufParams{
			BytebufParams: &testpb.ByteBufferParams{ReqSize: request, RespSize: answer},
		}}
	}
	return &testpb.PayloadConfig{Payload: &testpb.PayloadConfig_SimpleParams{
		SimpleParams: &testpb.SimpleProtoParams{ReqSize: request, RespSize: answer},
	}}
}
