package qps

import (
	"math"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// Words of clientType and serverType.
const (
	async    = "async"
	blocking = "sync"
)

var (
	clientType = stack.Option{
		Name: "client_type", Client: true, Words: []string{async, blocking}, Default: async, Help: "ClientConfig.client_type.",
	}
	clientThreads = stack.Option{
		Name: "client_threads", Client: true, Numbers: numbers,
		Help: "ClientConfig.async_client_threads; default one for each connection.",
	}
	clientCores = stack.Option{
		Name: "client_cores", Client: true, Numbers: numbers, Default: "0",
		Help: "ClientConfig.core_limit, the number of processors that it may use; 0 is all.",
	}
	serverType = stack.Option{
		Name: "server_type", Server: true, Words: []string{async, blocking}, Default: async, Help: "ServerConfig.server_type.",
	}
	serverThreads = stack.Option{
		Name: "server_threads", Server: true, Numbers: numbers, Default: "0",
		Help: "ServerConfig.async_server_threads; 0 is as many as processors.",
	}
	serverCores = stack.Option{
		Name: "server_cores", Server: true, Numbers: numbers, Default: "0",
		Help: "ServerConfig.core_limit, the number of processors that it may use; 0 is all.",
	}
)

// numbers are those that the messages have.
var numbers = stack.Range{Min: 0, Max: math.MaxInt32}

// checkOptions returns a Fault about a side's option that is none of its own, or has a value that it does not take.
func checkOptions(command, side string, given map[string]string, own ...stack.Option) error {
	if why := stack.RefuseOptions("gRPC's worker", side, own, given); why != "" {
		return control.Faultf(command+".options", "%s", why)
	}
	return nil
}

// threadsOf returns the option clientThreads, or else a thread for each connection: grpc-java's client has as many calls in
// flight as threads times calls per connection, whatever the number of connections.
func threadsOf(given map[string]string, connections uint32) int32 {
	if _, isGiven := given[clientThreads.Name]; !isGiven {
		return int32(connections)
	}
	return int32(clientThreads.Int(given))
}
