package point

import (
	"fmt"
	"time"

	"rpcbench/internal/stack"
)

// A Rule is about values that are good by themselves and not together.
type Rule struct {
	// Keys lists the keys that it is about. The first is blamed, unless the Fault names another.
	Keys []string
	// Fault returns what is wrong with a point, and the key to blame; nil if nothing is.
	Fault func(Asked) *stack.Fault
}

// Rules returns all rules.
func Rules() []Rule { return rules }

var rules = []Rule{
	{[]string{"load"}, ofSpec(noRate)},
	{[]string{"calls", "load"}, ofSpec(tooManyRandom)},
	{[]string{"sample", "deadline"}, ofSpec(cutOffSample)},
	{[]string{"streams", "shape"}, ofSpec(tooManyStreams)},
	{[]string{"messages_per_stream", "streams", "shape"}, ofSpec(endsOfShared)},
	{[]string{"servers", "server_hosts", "shape"}, ofSpec(idleServers)},
	{[]string{"clients", "client_hosts", "shape", "calls"}, ofSpec(unshared)},
	{[]string{"client_hosts", "server_hosts", "clients", "servers", "network"}, misplaced},
	{[]string{"network", "link", "clients", "servers", "client_hosts", "server_hosts", "client_cpus", "server_cpus"},
		ofSpec(oneProcess)},
	{[]string{"proxy", "network", "security", "servers", "server_hosts"}, ofSpec(mistaken)},
	{[]string{"link", "deadline"}, ofSpec(tooFar)},
	{[]string{"request_bytes", "batch"}, ofSpec(drawnWhere)},
	{[]string{"records", "batch", "request_bytes", "response_bytes"}, ofSpec(storeWhere)},
	{[]string{"reads", "records"}, ofSpec(readsWhere)},
	{[]string{"keys", "records"}, ofSpec(keysWhere)},
	{[]string{"ports", "shape", "network"}, ofSpec(idlePorts)},
	{[]string{"batch", "request_bytes", "messages"}, func(a Asked) *stack.Fault { return tooLarge(a.Spec, a.RequestBytes) }},
	{[]string{"batch", "response_bytes", "messages"}, func(a Asked) *stack.Fault { return tooLarge(a.Spec, a.ResponseBytes) }},
}

// ofSpec makes a Rule's Fault that depends only on the Spec, however it was written.
func ofSpec(fault func(Spec) *stack.Fault) func(Asked) *stack.Fault {
	return func(a Asked) *stack.Fault { return fault(a.Spec) }
}

func fault(field, format string, args ...any) *stack.Fault {
	return &stack.Fault{Field: field, Reason: fmt.Sprintf(format, args...)}
}

// noRate finds open loads that neither a rate nor a schedule paces.
func noRate(s Spec) *stack.Fault {
	if s.Load == "" || s.Load == LoadClosed || s.OfferedPerSec > 0 || s.Schedule != nil {
		return nil
	}
	return fault("load", "%q has no rate, such as %q", s.Load, s.Load+" 1000/s")
}

// tooManyRandom finds numbers of random arrivals that clients would read for minutes before the first call: only the arrivals say
// when the last is due.
func tooManyRandom(s Spec) *stack.Fault {
	if s.Load != LoadPoisson || s.Calls <= RandomCallsMax {
		return nil
	}
	return fault("calls", "%d at random times are above the limit of %d, because clients read all times before the first call: "+
		"give a duration instead", s.Calls, RandomCallsMax)
}

// cutOffSample finds calls that would be cut off by their own deadline.
func cutOffSample(s Spec) *stack.Fault {
	sample, deadline := time.Duration(s.SampleNs), time.Duration(s.DeadlineNs)
	if sample == 0 || deadline == 0 || sample < deadline {
		return nil
	}
	return fault("sample", "a call of %s can't end before the deadline of %s", sample, deadline)
}

func tooManyStreams(s Spec) *stack.Fault {
	if s.Connections == 0 || s.Streams <= s.InFlight {
		return nil
	}
	return fault("streams", "%d is above the limit of %d, the calls in flight of shape %s", s.Streams, s.InFlight, s.Shape())
}

// endsOfShared finds streams that would end while other calls are on them.
func endsOfShared(s Spec) *stack.Fault {
	if s.MessagesPerStream == 0 || s.Connections == 0 || s.Streams == 0 || s.Streams == s.InFlight {
		return nil
	}
	return fault("messages_per_stream", "calls that share a stream can't end it, and %d in flight share %d: leave out streams",
		s.InFlight, s.Streams)
}

// idleServers finds servers that no connection would be dealt.
func idleServers(s Spec) *stack.Fault {
	if s.Connections == 0 || s.ServerCount() <= s.Connections {
		return nil
	}
	return fault("servers", "%d is more than the number of connections of shape %s, so some servers would have none",
		s.ServerCount(), s.Shape())
}

// idlePorts finds ports that no connection would be dealt, and sockets without ports.
func idlePorts(s Spec) *stack.Fault {
	switch ports := s.ServerCount() * max(1, s.Ports); {
	case s.Ports == 0:
		return nil
	case s.Network != "" && s.Network != stack.NetworkTCP:
		return fault("ports", "several ports are for the network tcp, not %s", s.Network)
	case s.Proxy != nil:
		return fault("ports", "a proxy passes calls on to one port of each server")
	case s.Connections > 0 && ports > s.Connections:
		return fault("ports", "%d ports are more than the number of connections of shape %s, so some would have none", ports, s.Shape())
	default:
		return nil
	}
}

// tooFar finds a link over which no call could be answered before its deadline.
func tooFar(s Spec) *stack.Fault {
	if s.Link == nil || s.DeadlineNs == 0 || s.Link.RTTNs < s.DeadlineNs {
		return nil
	}
	return fault("link", "no call over a round trip of %s can end before the deadline of %s", time.Duration(s.Link.RTTNs),
		time.Duration(s.DeadlineNs))
}

// tooLarge finds messages that no stack takes, and bursts that no server would hold.
func tooLarge(s Spec, payload int) *stack.Fault {
	n := stack.Numbers{Kind: s.Kind, RequestBytes: payload, Batch: s.Batch, Messages: s.Messages}
	return n.CheckSizes()
}
