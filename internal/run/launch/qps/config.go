package qps

import (
	"net"
	"strconv"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/call/target"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/bucket"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

// Names of options.
const (
	optionClientType    = "client_type"
	optionClientThreads = "client_threads"
	optionClientCores   = "client_cores"
	optionServerType    = "server_type"
	optionServerThreads = "server_threads"
	optionServerCores   = "server_cores"
)

// hello describes what any worker can do, in any language.
func hello(name string, cores int) *control.Hello {
	client := func(name, help string) *control.OptionInfo {
		return &control.OptionInfo{Name: name, Help: help, Client: true}
	}
	server := func(name, help string) *control.OptionInfo {
		return &control.OptionInfo{Name: name, Help: help, Server: true}
	}
	return &control.Hello{
		Protocol: control.Version, Runtime: "a benchmark worker of gRPC", Processors: uint32(cores), TestKeys: true,
		Stacks: []*control.StackInfo{{
			Name: name, Protocol: stack.ProtocolGRPC, Library: "grpc.testing.WorkerService", Serves: true, Calls: true,
			Kinds: []string{
				stack.KindUnary, stack.KindPingPong, stack.KindUpload, stack.KindDownload, stack.KindBothWays,
			},
			Networks: []string{stack.NetworkTCP}, Securities: []string{stack.SecurityPlaintext, stack.SecurityTLS},
			Compressions: []string{stack.CompressionNone}, Multiplexed: true,
			Options: []*control.OptionInfo{
				client(optionClientType, "ClientConfig.client_type, sync or async (default async)."),
				client(optionClientThreads, "ClientConfig.async_client_threads (default: one for each connection)."),
				client(optionClientCores, "ClientConfig.core_limit, the processors that it may use (default 0: all)."),
				server(optionServerType, "ServerConfig.server_type, sync or async (default async)."),
				server(optionServerThreads, "ServerConfig.async_server_threads (default 0: as many as processors)."),
				server(optionServerCores, "ServerConfig.core_limit, the processors that it may use (default 0: all)."),
			},
		}},
	}
}

// The RPC types of the kinds. STREAMING_BOTH_WAYS is missing because no worker reports what its client received.
var rpcTypes = map[string]testpb.RpcType{
	stack.KindUnary: testpb.RpcType_UNARY, stack.KindPingPong: testpb.RpcType_STREAMING,
	stack.KindUpload: testpb.RpcType_STREAMING_FROM_CLIENT, stack.KindDownload: testpb.RpcType_STREAMING_FROM_SERVER,
}

// Types of clients and servers by their options.
var (
	clientTypes = map[string]testpb.ClientType{
		"": testpb.ClientType_ASYNC_CLIENT, "async": testpb.ClientType_ASYNC_CLIENT, "sync": testpb.ClientType_SYNC_CLIENT,
	}
	serverTypes = map[string]testpb.ServerType{
		"": testpb.ServerType_ASYNC_SERVER, "async": testpb.ServerType_ASYNC_SERVER, "sync": testpb.ServerType_SYNC_SERVER,
	}
)

func securityParams(field string, s *control.Security) (*testpb.SecurityParams, error) {
	switch s.GetMode() {
	case stack.SecurityPlaintext:
		return nil, nil
	case stack.SecurityTLS:
		return &testpb.SecurityParams{UseTestCa: true, ServerHostOverride: credential.GRPCTest().ServerName}, nil
	default:
		return nil, control.Faultf(field+".security.mode", "gRPC's workers have no %q", s.GetMode())
	}
}

// serverConfig makes a ServerConfig, or names the first field that it can't have.
func serverConfig(c *control.Serve) (*testpb.ServerConfig, error) {
	options := options{"serve", c.GetOptions()}
	kind, known := serverTypes[c.GetOptions()[optionServerType]]
	security, err := securityParams("serve", c.GetSecurity())
	switch {
	case err != nil:
		return nil, err
	case c.GetNetwork() != stack.NetworkTCP:
		return nil, control.Faultf("serve.network", "gRPC's workers have no %q", c.GetNetwork())
	case c.GetPermissions() != nil:
		return nil, control.Faultf("serve.permissions", "gRPC's workers let everybody in")
	case c.GetLimits() != nil:
		return nil, control.Faultf("serve.limits", "gRPC's workers have none")
	case c.GetPayload() != stack.PayloadZeros:
		return nil, control.Faultf("serve.payload", "gRPC's workers answer with zeros: set payload: zeros")
	case !known:
		return nil, options.fault(optionServerType, "sync or async")
	}
	config := &testpb.ServerConfig{ServerType: kind, SecurityParams: security}
	if config.AsyncServerThreads, err = options.number(optionServerThreads, 0); err != nil {
		return nil, err
	}
	config.CoreLimit, err = options.number(optionServerCores, 0)
	return config, err
}

// clientConfig makes a ClientConfig, but for its load, or names the first field that it can't have.
func clientConfig(c *control.Connect, w Worker) (*testpb.ClientConfig, error) {
	if err := checkConnect(c, w); err != nil {
		return nil, err
	}
	options, call := options{"connect", c.GetOptions()}, c.GetCall()
	kind, known := clientTypes[c.GetOptions()[optionClientType]]
	if !known {
		return nil, options.fault(optionClientType, "sync or async")
	}
	security, err := securityParams("connect", c.GetSecurity())
	if err != nil {
		return nil, err
	}
	config := &testpb.ClientConfig{
		ServerTargets: c.GetAddresses(), ClientType: kind, SecurityParams: security,
		OutstandingRpcsPerChannel: int32(c.GetInFlight()), ClientChannels: int32(c.GetConnections()),
		PayloadConfig: &testpb.PayloadConfig{Payload: &testpb.PayloadConfig_SimpleParams{SimpleParams: &testpb.SimpleProtoParams{
			ReqSize: int32(call.GetRequestBytes()), RespSize: int32(call.GetResponseBytes()),
		}}},
		HistogramParams: bucket.Whole().Params(), RpcType: rpcTypes[call.GetKind()],
		MessagesPerStream: int32(max(call.GetMessages(), call.GetMessagesPerStream())), // a kind has one of them
	}
	// grpc-java's client has as many calls in flight as threads times calls per connection, whatever the number of connections.
	if config.AsyncClientThreads, err = options.number(optionClientThreads, int32(c.GetConnections())); err != nil {
		return nil, err
	}
	config.CoreLimit, err = options.number(optionClientCores, 0)
	return config, err
}

// checkConnect names the first field that a ClientConfig can't have.
func checkConnect(c *control.Connect, w Worker) error {
	call := c.GetCall()
	_, known := rpcTypes[call.GetKind()]
	switch {
	case call.GetKind() == stack.KindBothWays:
		return control.Faultf("connect.call.kind", "gRPC's workers do not tell how many messages their clients receive in "+
			"both_ways: as servers they can be called so")
	case !known:
		return control.Faultf("connect.call.kind", "gRPC's workers have no %q", call.GetKind())
	case c.GetNetwork() != stack.NetworkTCP:
		return control.Faultf("connect.network", "gRPC's workers have no %q", c.GetNetwork())
	case call.GetCompression() != stack.CompressionNone:
		return control.Faultf("connect.call.compression", "gRPC's workers have no %q", call.GetCompression())
	case c.GetBackground() != nil:
		return control.Faultf("connect.background", "gRPC's workers have none")
	case call.GetKind() == stack.KindPingPong && c.GetStreams() != c.GetInFlight():
		return control.Faultf("connect.streams", "gRPC's workers open a stream for each call in flight: set streams: %d",
			c.GetInFlight())
	case len(c.GetAddresses()) == 0:
		return control.Faultf("connect.addresses", "there is none")
	}
	for _, address := range c.GetAddresses() {
		if isHere(address) && !isHere(w.Address) {
			return control.Faultf("connect.addresses", "%s is on another machine, from which %s is not the server here: "+
				"run the server on a host of hosts.yaml, or in a worker beside it", w, address)
		}
	}
	return checkMessages(call)
}

// checkMessages names the first field of what is sent that a ClientConfig can't have.
func checkMessages(call *control.Call) error {
	switch {
	case call.GetRecipe() != nil:
		return control.Faultf("connect.call.recipe", "gRPC's workers call grpc.testing.BenchmarkService alone")
	case call.GetMix() != nil:
		return control.Faultf("connect.call.mix", "gRPC's workers make one call in a load")
	case call.GetBatch() > 0:
		return control.Faultf("connect.call.batch", "gRPC's workers have none")
	case call.GetPayload() != stack.PayloadZeros:
		return control.Faultf("connect.call.payload", "gRPC's workers send zeros: set payload: zeros")
	default:
		return nil
	}
}

func isHere(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && target.IsLoopback(host)
}

// loadParams makes the load of a phase, or names the first field that it can't have. Of several clients each offers its part.
func loadParams(c *control.Begin) (*testpb.LoadParams, error) {
	load := c.GetLoad()
	switch {
	case c.GetCalls() > 0:
		return nil, control.Faultf("begin.calls", "gRPC's workers make calls for a time, and not a number of them: give a duration")
	case len(load.GetStages()) > 0:
		return nil, control.Faultf("begin.load.stages", "the load of gRPC's workers can't change")
	}
	switch load.GetArrivals() {
	case point.LoadClosed:
		return &testpb.LoadParams{Load: &testpb.LoadParams_ClosedLoop{ClosedLoop: &testpb.ClosedLoopParams{}}}, nil
	case point.LoadPoisson:
		offered := load.GetPerSec() / float64(max(load.GetParts(), 1))
		return &testpb.LoadParams{Load: &testpb.LoadParams_Poisson{Poisson: &testpb.PoissonParams{OfferedLoad: offered}}}, nil
	default:
		return nil, control.Faultf("begin.load.arrivals", "gRPC's workers know closed and poisson, and no %q", load.GetArrivals())
	}
}

// options are the options of a side.
type options struct {
	command string
	given   map[string]string
}

func (o options) fault(name, wanted string) error {
	return control.Faultf(o.command+".options", "%s: %q is not %s", name, o.given[name], wanted)
}

// number reads an option that counts.
func (o options) number(name string, otherwise int32) (int32, error) {
	text, given := o.given[name]
	if !given {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		return 0, o.fault(name, "a number")
	}
	return int32(n), nil
}
