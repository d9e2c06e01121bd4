package plan

import "rpcbench/internal/stack"

// lacksMethod says why a client can't call the method, "" when it can.
func lacksMethod(m *Method, client stack.Info) lack {
	switch {
	case m == nil:
		return lack{}
	case m.HTTP && client.Protocol != stack.ProtocolHTTPJSON:
		return lack{client.Name, "speaks " + client.Protocol + ", and the target HTTP"}
	case m.HTTP && !client.Methods:
		return lack{client.Name, "calls no resources but its own"}
	case !m.HTTP && (!client.Methods || client.Protocol != stack.ProtocolGRPC):
		return lack{client.Name, "calls no methods of other services"}
	default:
		return lack{}
	}
}

// suitMethod makes a Spec one of a call of somebody else's method, if there is one: what the method's own messages take
// the place of is zero. messages says whether a number of them was asked for.
func (c Config) suitMethod(s *Spec) {
	s.Unverified, s.Schedule = c.Unverified, c.Schedule
	if c.Method == nil {
		return
	}
	s.Method, s.LengthsOnly, s.MessageRatePerSec = c.Method, false, c.MessageRatePerSec
	s.RequestBytes, s.ResponseBytes, s.Payload = 0, 0, ""
	if !c.MethodMessages {
		s.Messages = 0
	}
}
