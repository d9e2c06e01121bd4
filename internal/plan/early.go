package plan

import (
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// CheckOptions returns the error that New would return for an option of a running server's client, before anything of the
// server is known. It checks cases with one stack and one set of options, such as flags write. The kind of a foreign method
// may be any.
func CheckOptions(scenarios []scenario.Scenario, stacks []stack.Info) error {
	b := newBuilder(stacks, Config{})
	for _, s := range scenarios {
		for _, c := range s.Cases {
			if err := b.checkEarly(c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *builder) checkEarly(c scenario.Case) error {
	given := c.Each("options")
	if !c.Service().Runs() || len(given) != 1 {
		return nil
	}
	spec := Spec{Options: given[0].Options, Target: c.Service().Target.String()}
	var refused error
	for _, client := range b.candidates(c) {
		err := pair{client, running(client)}.checkOptions(c, spec)
		if err == nil {
			return nil
		}
		if refused == nil {
			refused = err
		}
	}
	return refused
}

// candidates returns the clients of which a case gets one; none if it gets several, or New refuses it for another reason. The
// kind of a method's calls, on which the usual client depends, is not known yet.
func (b *builder) candidates(c scenario.Case) []stack.Info {
	if len(stacksOf(c)) == 0 && c.Service().IsForeign() {
		names := methodClients
		if c.Service().Target.IsHTTP() {
			names = urlClients
		}
		var able []stack.Info
		for _, name := range names {
			if info, ok := b.stacks[name]; ok {
				able = append(able, info)
			}
		}
		return able
	}
	clients, err := b.clients(c)
	if err != nil || len(clients) != 1 || c.Service().Target.IsHTTP() && clients[0].Protocol != stack.ProtocolHTTPJSON {
		return nil
	}
	return clients
}
