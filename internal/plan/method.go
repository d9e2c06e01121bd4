package plan

import (
	"slices"
	"time"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// lacksMethod says why a client can't call the method, "" when it can.
func lacksMethod(m *Method, client stack.Info) lack {
	switch {
	case m == nil:
		return lack{}
	case m.HTTP && client.Protocol != stack.ProtocolHTTPJSON:
		return lack{client.Name, "speaks " + client.Protocol + ", but the target speaks HTTP"}
	case m.HTTP && !client.Methods:
		return lack{client.Name, "can call only its own resources"}
	case !m.HTTP && (!client.Methods || client.Protocol != stack.ProtocolGRPC):
		return lack{client.Name, "can call only its own service"}
	case client.PreparedMethods && m.Unprepared != "":
		return lack{client.Name, "reads no JSON for each call, as this would need: " + m.Unprepared}
	default:
		return lack{}
	}
}

// suitService makes a Spec one of a case's calls: against a running server, if the case names one, and of a foreign method, if it
// names one. Fields that the method's own messages replace are zero.
func (b *builder) suitService(c scenario.Case, s *Spec) {
	service := c.Service()
	if service.Runs() {
		s.Server, s.Target, s.Unverified, s.LengthsOnly = "", service.Target.Address, service.TLS.SkipVerify, !service.Verify
	} else if s.Program = b.programs[s.Server]; s.Program != nil {
		s.LengthsOnly = true // its answers are as long as they were asked to be, and have what they like in them
	}
	if !service.IsForeign() {
		return
	}
	s.Method, s.LengthsOnly = b.config.Methods[service.Identity()], false
	s.RequestBytes, s.ResponseBytes, s.Payload, s.RequestSizes, s.ResponseSizes = 0, 0, "", nil, nil
	if !c.Given("messages") {
		s.Messages = 0
	}
}

// checkService refuses what a client can't send, and calls that would all exceed their deadline because their messages take
// longer.
func checkService(c scenario.Case, s Spec) error {
	if m := s.Method; m != nil && !m.HTTP && s.Stack != agentStack && m.Sends("user-agent") {
		return scenario.Errorf(c.Where("metadata", 0),
			"metadata: the user-agent of %s is its library's to set: leave it out, or take the stack %s", s.Stack, agentStack)
	}
	if s.Method != nil && s.Compression == stack.CompressionGzip && s.Method.Sends("accept-encoding") {
		return scenario.Errorf(c.Where("compression", 0),
			"compression: gzip sets the header accept-encoding, and it is given too")
	}
	deadline := time.Duration(s.DeadlineNs)
	if least := s.CallLeast(); least >= deadline && least > 0 {
		return scenario.Errorf(c.Where("message_rate", 0),
			"message_rate: the messages of a call take %v, and its deadline of %v ends it before: give it a longer deadline",
			least.Round(time.Millisecond), deadline)
	}
	return nil
}

// agentStack is the client of gRPC that sends any user-agent.
const agentStack = "grpc-wire"

// The default clients of a running server: of several, the one with the least library code that supports the case, or else the
// last.
var (
	ownClients    = []string{"grpc-go"}
	methodClients = []string{"grpc-wire", "grpc-go"}
	urlClients    = []string{"http-wire", "http-json-go"}
)

// usual are the clients of a case that names none: all of the binary's own, or one for a server that runs already.
func (b *builder) usual(c scenario.Case, suits func(stack.Info) bool) []stack.Info {
	names := ownClients
	switch service := c.Service(); {
	case service.IsZero():
		return filter(b.all, func(i stack.Info) bool {
			_, foreign := b.config.Hosts[i.Name]
			return !foreign && suits(i)
		})
	case service.Target.IsHTTP():
		names = urlClients
	case service.CallsMethods():
		names = methodClients
	}
	able := func(name string) bool {
		i, ok := b.stacks[name]
		return ok && i.Methods && slices.Contains(i.Kinds, c.Kind) && slices.Contains(i.Securities, c.Service().Security) &&
			!slices.ContainsFunc(c.Each("compression"), func(p point.Asked) bool {
				return !slices.Contains(i.Compressions, p.Compression)
			})
	}
	chosen := names[len(names)-1]
	if first := slices.IndexFunc(names, able); first >= 0 {
		chosen = names[first]
	}
	return filter(b.all, func(i stack.Info) bool { return i.Name == chosen })
}
