package conform

import (
	"fmt"
	"slices"

	"rpcbench/internal/worker/control"
)

// A side is one end of a pair: a stack of a worker.
type side struct {
	command []string
	info    *control.StackInfo
	tested  bool // it is the worker under test that plays it
}

// A pair is a client and a server of one protocol, and what both of them support.
type pair struct {
	name           string // of the stack under test
	missing        string // why there is no pair
	client, server side

	kinds, networks, securities, compressions []string
}

// newPair pairs a stack of the worker under test with itself, or, for the side that it lacks, with the reference.
func newPair(config Config, info *control.StackInfo, reference *control.Hello) pair {
	p := pair{name: info.GetName()}
	own := side{config.Command, info, true}
	p.client, p.server = own, own
	if !info.GetCalls() {
		p.client.info = counterpart(reference, info.GetProtocol(), (*control.StackInfo).GetCalls)
		p.client.command, p.client.tested = config.Reference, false
	}
	if !info.GetServes() {
		p.server.info = counterpart(reference, info.GetProtocol(), (*control.StackInfo).GetServes)
		p.server.command, p.server.tested = config.Reference, false
	}
	switch {
	case p.client.info == nil:
		p.missing = fmt.Sprintf("the reference has no client of %s", info.GetProtocol())
		return p
	case p.server.info == nil:
		p.missing = fmt.Sprintf("the reference has no server of %s", info.GetProtocol())
		return p
	}
	c, s := p.client.info, p.server.info
	p.kinds = both(c.GetKinds(), s.GetKinds())
	p.networks = both(c.GetNetworks(), s.GetNetworks())
	p.securities = both(c.GetSecurities(), s.GetSecurities())
	p.compressions = both(c.GetCompressions(), s.GetCompressions())
	return p
}

// trustingServer returns the pair with the reference's server instead of the worker's own, if the reference has one. A server
// that is known to be right leaves the client alone to be judged, and starts sooner than many.
func (p pair) trustingServer(command []string, reference *control.Hello) pair {
	if info := counterpart(reference, p.client.info.GetProtocol(), (*control.StackInfo).GetServes); info != nil {
		p.server = side{command, info, false}
	}
	return p
}

func counterpart(hello *control.Hello, protocol string, able func(*control.StackInfo) bool) *control.StackInfo {
	for _, info := range hello.GetStacks() {
		if info.GetProtocol() == protocol && able(info) {
			return info
		}
	}
	return nil
}

func both(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(word string) bool { return !slices.Contains(b, word) })
}
