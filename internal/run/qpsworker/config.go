package qpsworker

import (
	"cmp"
	"net"
	"strconv"
	"time"

	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"

	"rpcbench/internal/plan/grpcscenario"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/bucket"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

// maxSlots limits what a driver may ask for, and maxBytes the length of a payload: larger values are mistakes.
const (
	maxSlots = 1 << 20
	maxBytes = stack.MessageBytesMax
)

// refuse names what is not supported.
func refuse(field, why string) error { return status.Error(codes.InvalidArgument, field+": "+why) }

// overlook reports settings that only concern gRPC's own libraries.
func (w *Worker) overlook(fields map[string]bool) {
	for field, given := range fields {
		if given {
			w.note(field + " is ignored: " + w.config.Stack + " has no such setting")
		}
	}
}

// serveOf is the server that a driver asks for.
func (w *Worker) serveOf(c *testpb.ServerConfig) (*control.Serve, error) {
	w.overlook(map[string]bool{
		"async_server_threads": c.GetAsyncServerThreads() > 0, "threads_per_cq": c.GetThreadsPerCq() > 0,
		"resource_quota_size": c.GetResourceQuotaSize() > 0, "channel_args": len(c.GetChannelArgs()) > 0,
		"server_processes": c.GetServerProcesses() > 0,
	})
	security, err := securityOf(c.GetSecurityParams())
	switch {
	case checkKnown(c) != nil:
		return nil, checkKnown(c)
	case err != nil:
		return nil, err
	case c.GetServerType() == testpb.ServerType_OTHER_SERVER || c.GetOtherServerApi() != "":
		return nil, refuse("other_server_api", "only the stack's own API is available")
	case c.GetServerType() == testpb.ServerType_ASYNC_GENERIC_SERVER && c.GetPayloadConfig().GetBytebufParams() == nil:
		return nil, refuse("payload_config", "ASYNC_GENERIC_SERVER answers with the bytes of bytebuf_params, and there are none")
	case checkPayload(c.GetPayloadConfig()) != nil:
		return nil, checkPayload(c.GetPayloadConfig())
	case c.GetPort() < 0 || c.GetPort() > 65535:
		return nil, refuse("port", "it is not between 0 and 65535")
	}
	if security.GetMode() != stack.SecurityPlaintext {
		keys := credential.GRPCTest().Server
		security = &control.Security{Mode: security.GetMode(), CertPem: keys.CertPEM, KeyPem: keys.KeyPEM}
	}
	port := cmp.Or(int(c.GetPort()), w.config.ServerPort)
	var options map[string]string
	if c.GetServerType() == testpb.ServerType_ASYNC_GENERIC_SERVER {
		bytes := c.GetPayloadConfig().GetBytebufParams().GetRespSize()
		options = map[string]string{stack.GenericResponse: strconv.Itoa(int(bytes))}
	}
	return &control.Serve{
		Stack: w.config.Stack, Network: stack.NetworkTCP, Address: net.JoinHostPort(w.config.Listen, strconv.Itoa(port)),
		Security: security, Payload: stack.PayloadZeros, Options: options,
	}, nil
}

// securityOf is a client's security.
func securityOf(p *testpb.SecurityParams) (*control.Security, error) {
	switch {
	case p == nil:
		return &control.Security{Mode: stack.SecurityPlaintext}, nil
	case !p.GetUseTestCa():
		return nil, refuse("security_params.use_test_ca", "over TLS there are gRPC's test keys, and no others")
	}
	keys := credential.GRPCTest()
	return &control.Security{
		Mode: stack.SecurityTLS, CaPem: keys.CAPEM, ServerName: cmp.Or(p.GetServerHostOverride(), keys.ServerName),
	}, nil
}

// clientOf is the client that a driver asks for.
func (w *Worker) clientOf(c *testpb.ClientConfig) (*client, error) {
	if err := checkKnown(c); err != nil {
		return nil, err
	}
	w.overlook(map[string]bool{
		"async_client_threads": c.GetAsyncClientThreads() > 0, "threads_per_cq": c.GetThreadsPerCq() > 0,
		"channel_args": len(c.GetChannelArgs()) > 0, "use_coalesce_api": c.GetUseCoalesceApi(),
		"median_latency_collection_interval_millis": c.GetMedianLatencyCollectionIntervalMillis() > 0,
		"client_processes":                          c.GetClientProcesses() > 0,
	})
	layout, err := bucket.Of(c.GetHistogramParams())
	if err != nil {
		return nil, refuse("histogram_params", err.Error())
	}
	load, err := loadOf(c.GetLoadParams())
	if err != nil {
		return nil, err
	}
	connect, err := w.connectOf(c)
	return &client{connect: connect, load: load, layout: layout, stream: max(1, int64(connect.GetCall().GetMessages()))}, err
}

func loadOf(p *testpb.LoadParams) (*control.Load, error) {
	poisson := p.GetPoisson()
	switch {
	case poisson == nil:
		return &control.Load{Arrivals: control.LoadClosed}, nil
	case !(poisson.GetOfferedLoad() > 0 && poisson.GetOfferedLoad() <= 1e9):
		return nil, refuse("load_params.poisson.offered_load", "it is not between 0 and 1e9 calls per second")
	default:
		return &control.Load{Arrivals: control.LoadPoisson, PerSec: poisson.GetOfferedLoad()}, nil
	}
}

// noDeadline is as long as calls of gRPC's clients may take.
const noDeadline = time.Hour

func (w *Worker) connectOf(c *testpb.ClientConfig) (*control.Connect, error) {
	security, err := securityOf(c.GetSecurityParams())
	if err == nil {
		err = checkClient(c)
	}
	if err != nil {
		return nil, err
	}
	connect := &control.Connect{
		Stack: w.config.Stack, Network: stack.NetworkTCP, Addresses: c.GetServerTargets(), Security: security,
		Connections: uint32(c.GetClientChannels()), InFlight: uint32(c.GetOutstandingRpcsPerChannel()),
	}
	if c.GetRpcType() == testpb.RpcType_STREAMING {
		connect.Streams = connect.GetInFlight()
	}
	if connect.Call, err = callOf(c); err != nil {
		return nil, err
	}
	if c.GetRpcType() == testpb.RpcType_STREAMING {
		connect.Call.MessagesPerStream = uint32(c.GetMessagesPerStream())
	}
	return connect, nil
}

func callOf(c *testpb.ClientConfig) (*control.Call, error) {
	kind, _ := grpcscenario.KindOf(c.GetRpcType())
	call := &control.Call{
		Kind: kind, Compression: stack.CompressionNone, DeadlineNs: int64(noDeadline), Messages: messagesOf(c),
	}
	if bytes := c.GetPayloadConfig().GetBytebufParams(); bytes != nil {
		var err error
		call.Recipe, err = rawRecipe(c.GetRpcType(), int(bytes.GetReqSize()))
		return call, err
	}
	sizes := c.GetPayloadConfig().GetSimpleParams()
	call.RequestBytes, call.ResponseBytes = uint32(sizes.GetReqSize()), uint32(sizes.GetRespSize())
	call.Payload, call.LengthsOnly = stack.PayloadZeros, true
	return call, nil
}

// If a driver wants endless streams, the next stream begins after this many messages. At a Mark, all streams together have about
// messagesOpen messages left to send, so that the Mark is answered soon.
const (
	maxMessages  = 1000
	minMessages  = 100
	messagesOpen = 1_000_000
)

// messagesOf returns the number of messages of a stream in one direction or both; 0 for other calls.
func messagesOf(c *testpb.ClientConfig) uint32 {
	kind, _ := grpcscenario.KindOf(c.GetRpcType())
	switch slots := c.GetClientChannels() * c.GetOutstandingRpcsPerChannel(); {
	case !stack.HasMessages(kind):
		return 0
	case c.GetMessagesPerStream() > 0:
		return uint32(c.GetMessagesPerStream())
	default:
		return uint32(min(max(messagesOpen/slots, minMessages), maxMessages))
	}
}

// checkClient names the first field that a stack of ours can't honour.
func checkClient(c *testpb.ClientConfig) error {
	channels, outstanding := int64(c.GetClientChannels()), int64(c.GetOutstandingRpcsPerChannel())
	switch {
	case c.GetClientType() == testpb.ClientType_OTHER_CLIENT || c.GetOtherClientApi() != "":
		return refuse("other_client_api", "only the stack's own API is available")
	case channels < 1 || outstanding < 1 || channels > maxSlots || channels*outstanding > maxSlots:
		return refuse("client_channels, outstanding_rpcs_per_channel", "both are at least 1, and their product at most "+
			strconv.Itoa(maxSlots))
	case len(c.GetServerTargets()) == 0:
		return refuse("server_targets", "there is none")
	}
	if err := checkStreams(c); err != nil {
		return err
	}
	return checkPayload(c.GetPayloadConfig())
}

// checkStreams refuses settings that the RPC type does not support.
func checkStreams(c *testpb.ClientConfig) error {
	kind, known := grpcscenario.KindOf(c.GetRpcType())
	streams := stack.HasMessages(kind)
	switch {
	case !known:
		return refuse("rpc_type", c.GetRpcType().String()+" is unknown")
	case c.GetMessagesPerStream() < 0 || c.GetMessagesPerStream() > point.MessagesMax:
		return refuse("messages_per_stream", "it is not between 0 and "+strconv.Itoa(point.MessagesMax))
	case c.GetMessagesPerStream() > 0 && kind == stack.KindUnary:
		return refuse("messages_per_stream", "UNARY has no streams: take 0")
	case streams && c.GetLoadParams().GetPoisson() != nil:
		return refuse("load_params.poisson", "messages of "+c.GetRpcType().String()+" go as fast as the connection takes them: "+
			"take closed_loop")
	case streams && c.GetPayloadConfig().GetBytebufParams() != nil:
		return refuse("payload_config", "gRPC's generic servers answer each message: bytebuf_params go with UNARY and STREAMING")
	default:
		return nil
	}
}
func checkPayload(c *testpb.PayloadConfig) error {
	sizes, bare := c.GetSimpleParams(), c.GetBytebufParams()
	isSize := func(n int32) bool { return n >= 0 && n <= maxBytes }
	switch {
	case !isSize(bare.GetReqSize()) || !isSize(bare.GetRespSize()):
		return refuse("payload_config.bytebuf_params", "a size is not between 0 and "+strconv.Itoa(maxBytes))
	case c.GetComplexParams() != nil:
		return refuse("payload_config", "complex_params have no meaning")
	case !isSize(sizes.GetReqSize()) || !isSize(sizes.GetRespSize()):
		return refuse("payload_config.simple_params", "a size is not between 0 and "+strconv.Itoa(maxBytes))
	}
	return nil
}
