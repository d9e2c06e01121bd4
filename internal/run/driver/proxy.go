package driver

import (
	"context"
	"errors"

	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// proxySide is the name of the process that has the proxy, beside server and client.
const proxySide = "proxy"

// pass starts the proxy before the server at the only one of targets, and returns where it listens; the targets where there is
// none.
func (s *sides) pass(ctx context.Context, targets []string) ([]string, error) {
	if s.spec.Proxy == nil {
		return targets, nil
	}
	if !s.proxy.Hello.GetProxies() {
		return nil, blame(proxySide, errors.New("its worker can't start proxies"))
	}
	listen, err := s.listen(s.proxy.Worker, "p0")
	if err != nil {
		return nil, blame(proxySide, err)
	}
	started := s.spec.Proxy.Starts(s.spec.Network, s.spec.Security != stack.SecurityPlaintext)
	program := programOf(&started)
	program.Upstream = targets[0]
	serving, err := s.proxy.Serve(ctx, &control.Serve{
		Program: program, Network: s.spec.Network, Address: listen, Security: s.security(s.keys().Server),
		Payload: s.spec.Payload, Seed: s.Seed,
	})
	if err != nil {
		s.evidence.LastWords = s.proxy.LastWords()
		return nil, blame(proxySide, err)
	}
	return []string{serving.GetAddress()}, nil
}

// serverSecurity returns the security of the server itself: with a proxy, TLS ends there.
func (s *sides) serverSecurity() *control.Security {
	if s.spec.Proxy != nil {
		return &control.Security{Mode: stack.SecurityPlaintext}
	}
	return s.security(s.keys().Server)
}

// describeProxy describes the proxy, as far as its case does.
func (s *sides) describeProxy() *result.Side {
	side := describe(s.proxy.Worker, "")
	side.Library, side.Runtime = s.spec.Proxy.Name, ""
	if p := s.spec.Proxy.Program; p != nil && p.Library != "" {
		side.Library = p.Library
	}
	return &side
}
