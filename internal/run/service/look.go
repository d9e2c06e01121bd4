package service

import (
	"cmp"
	"context"
	"strings"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/control"
)

// protocol returns the protocol of a case's clients, or "" if it is still unknown. It returns false if there is no such stack,
// which the plan reports. A case without a stack uses gRPC.
func (c Config) protocol(of scenario.Case) (string, bool) {
	named := of.Each("stack")
	if len(named) == 0 {
		return stack.ProtocolGRPC, true
	}
	protocol, ok := c.Protocols[named[0].Stack]
	return protocol, ok
}

// look tries whether a server is there before it is loaded by a case, and of gRPC whether it is one of rpcbench's.
func (c call) look(ctx context.Context, by scenario.Case, security *control.Security) error {
	at := c.Target
	protocol, ok := c.config.protocol(by)
	switch {
	case c.config.Unstarted, !ok:
		return nil
	case protocol != stack.ProtocolGRPC:
		// Of other protocols a server says nothing before it is asked, so that only the connection is tried.
		_, err := recipe.Probe(ctx, recipe.Any, at.Network, at.Address, at.String(), nil)
		return err
	}
	config, err := worker.ClientTLS(security)
	if err != nil {
		return err
	}
	if *c.peer, err = recipe.Probe(ctx, recipe.GRPC, at.Network, at.Address, at.String(), config); err != nil {
		return err
	}
	conn, err := recipe.Dial(at.Network, at.Address, at.Authority(), config)
	if err != nil {
		return err
	}
	defer conn.Close()
	return recipe.Look(ctx, conn, at.String())
}

// Offers lists the methods that a case could call, without calling any.
func Offers(ctx context.Context, c scenario.Case, config Config) ([]recipe.Offer, error) {
	s := c.Service()
	asked := call{Service: s, config: config}.recipe()
	asked.Data, asked.Format, asked.Stdin = "", "", strings.NewReader("") // a file of requests is not needed
	if len(s.Protos)+len(s.Protosets) > 0 {
		return recipe.Offers(ctx, nil, asked)
	}
	security, err := securityOf(c)
	if err != nil {
		return nil, err
	}
	trusted, err := worker.ClientTLS(security)
	if err != nil {
		return nil, err
	}
	if _, err := recipe.Probe(ctx, recipe.GRPC, s.Target.Network, s.Target.Address, s.Target.String(), trusted); err != nil {
		return nil, err
	}
	conn, err := recipe.Dial(s.Target.Network, s.Target.Address, cmp.Or(s.Authority, s.Target.Authority()), trusted)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return recipe.Offers(ctx, conn, asked)
}
