package point

import "rpcbench/internal/stack"

// Closed tells whether the load was a closed one, which has one latency only.
func (s Spec) Closed() bool { return s.Load == LoadClosed }

// Slots is the number of calls that may be in flight at once.
func (s Spec) Slots() int { return s.Connections * s.InFlight }

// Opens tells whether every call opens a connection.
func (s Spec) Opens() bool { return s.Kind == stack.KindConnect || s.Kind == stack.KindFirstCall }

// Streaming tells whether one call carries several messages.
func (s Spec) Streaming() bool {
	return stack.HasMessages(s.Kind)
}

// Coding tells whether a call is many operations of a codec, without a server.
func (s Spec) Coding() bool { return stack.IsCodec(s.Kind) }

// ServerCount is how many server processes there are, at least one on each host; a codec has none.
func (s Spec) ServerCount() int {
	if s.Coding() {
		return 0
	}
	return max(s.Servers, places(s.ServerHosts, s.ServerCPUs))
}

// Against is what the client calls: the server's stack, or the address of a server that ran already.
func (s Spec) Against() string {
	if s.Target != "" {
		return s.Target
	}
	return s.Server
}
