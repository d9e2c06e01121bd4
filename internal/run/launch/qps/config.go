package qps

import (
	"net"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/call/target"
	"rpcbench/internal/plan/grpcscenario"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/bucket"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

// hello describes what any worker can do, in any language.
func hello(name string, cores int) *control.Hello {
	return &control.Hello{
		Protocol: control.Version, Runtime: "a benchmark worker of gRPC", Processors: uint32(cores), TestKeys: true,
		Stacks: []*control.StackInfo{{
			Name: name, Protocol: stack.ProtocolGRPC, Library: "grpc.testing.WorkerService", Serves: true, Calls: true,
			Kinds: []string{
				stack.KindUnary, stack.KindPingPong, stack.KindUpload, stack.KindDownload, stack.KindBothWays,
			},
			Networks: []string{stack.NetworkTCP}, Securities: []string{stack.SecurityPlaintext, stack.SecurityTLS},
			Compressions: []string{stack.CompressionNone}, Multiplexed: true,
			Options: control.OptionInfos([]stack.Option{
				clientType, clientThreads, clientCores, serverType, serverThreads, serverCores,
			}),
		}},
	}
}

// Types of clients and servers by the options' words.
var (
	clientTypes = map[string]testpb.ClientType{
		async: testpb.ClientType_ASYNC_CLIENT, blocking: testpb.ClientType_SYNC_CLIENT,
	}
	serverTypes = map[string]testpb.ServerType{
		async: testpb.ServerType_ASYNC_SERVER, blocking: testpb.ServerType_SYNC_SERVER,
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
	given := c.GetOptions()
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
	}
	if err := checkOptions("serve", "server", given, serverType, serverThreads, serverCores); err != nil {
		return nil, err
	}
	return &testpb.ServerConfig{
		ServerType: serverTypes[serverType.Word(given)], SecurityParams: security,
		AsyncServerThreads: int32(serverThreads.Int(given)), CoreLimit: int32(serverCores.Int(given)),
	}, nil
}

// clientConfig makes a ClientConfig, but for its load, or names the first field that it can't have.
func clientConfig(c *control.Connect, w Worker) (*testpb.ClientConfig, error) {
	if err := checkConnect(c, w); err != nil {
		return nil, err
	}
	given, call := c.GetOptions(), c.GetCall()
	if err := checkOptions("connect", "client", given, clientType, clientThreads, clientCores); err != nil {
		return nil, err
	}
	security, err := securityParams("connect", c.GetSecurity())
	if err != nil {
		return nil, err
	}
	rpc, _ := grpcscenario.TypeOf(call.GetKind())
	return &testpb.ClientConfig{
		ServerTargets: c.GetAddresses(), ClientType: clientTypes[clientType.Word(given)], SecurityParams: security,
		OutstandingRpcsPerChannel: int32(c.GetInFlight()), ClientChannels: int32(c.GetConnections()),
		PayloadConfig: &testpb.PayloadConfig{Payload: &testpb.PayloadConfig_SimpleParams{SimpleParams: &testpb.SimpleProtoParams{
			ReqSize: int32(call.GetRequestBytes()), RespSize: int32(call.GetResponseBytes()),
		}}},
		HistogramParams: bucket.Whole().Params(), RpcType: rpc,
		MessagesPerStream:  int32(max(call.GetMessages(), call.GetMessagesPerStream())), // a kind has one of them
		AsyncClientThreads: threadsOf(given, c.GetConnections()), CoreLimit: int32(clientCores.Int(given)),
	}, nil
}

// checkConnect names the first field that a ClientConfig can't have.
func checkConnect(c *control.Connect, w Worker) error {
	call := c.GetCall()
	_, known := grpcscenario.TypeOf(call.GetKind())
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
	case control.LoadClosed:
		return &testpb.LoadParams{Load: &testpb.LoadParams_ClosedLoop{ClosedLoop: &testpb.ClosedLoopParams{}}}, nil
	case control.LoadPoisson:
		offered := load.GetPerSec() / float64(max(load.GetParts(), 1))
		return &testpb.LoadParams{Load: &testpb.LoadParams_Poisson{Poisson: &testpb.PoissonParams{OfferedLoad: offered}}}, nil
	default:
		return nil, control.Faultf("begin.load.arrivals", "gRPC's workers know closed and poisson, and no %q", load.GetArrivals())
	}
}
