package point

import "rpcbench/internal/stack"

// Closed reports whether the load was a closed one, which has one latency only.
func (s Spec) Closed() bool { return s.Load == LoadClosed }

// Slots is the number of calls that may be in flight at once.
func (s Spec) Slots() int { return s.Connections * s.InFlight }

// Opens reports whether every call opens a connection.
func (s Spec) Opens() bool { return s.Kind == stack.KindConnect || s.Kind == stack.KindFirstCall }

// KeepsAlive reports whether a connection serves one call after another: not if an option of the client says otherwise.
func (s Spec) KeepsAlive() bool { return s.Options[stack.OptionKeepAlive] != "false" }

// IsHTTP1 reports whether calls are HTTP/1.1, over which a call that is cut off takes its connection with it.
func (s Spec) IsHTTP1() bool {
	return s.Protocol == stack.ProtocolHTTPJSON && s.Options[stack.OptionHTTPVersion] != "2"
}

// Sockets returns the number of sockets that a client opens at once, with a stack whose calls share connections or do not.
func (s Spec) Sockets(isMultiplexed bool) int {
	if !s.Opens() && (isMultiplexed || s.Options[stack.OptionHTTPVersion] == "2") {
		return s.Connections
	}
	return s.Slots()
}

// Streaming reports whether one call carries several messages.
func (s Spec) Streaming() bool {
	return stack.HasMessages(s.Kind)
}

// Coding reports whether a call is many operations of a codec, without a server.
func (s Spec) Coding() bool { return stack.IsCodec(s.Kind) }

// ServerCount returns the number of server processes: at least one on each host, and 0 for codecs.
func (s Spec) ServerCount() int {
	if s.Coding() {
		return 0
	}
	return max(s.Servers, places(s.ServerHosts, s.ServerCPUs))
}

// Against returns what the client calls: the server's stack, or the address of a server that was already running.
func (s Spec) Against() string {
	if s.Target != "" {
		return s.Target
	}
	return s.Server
}
