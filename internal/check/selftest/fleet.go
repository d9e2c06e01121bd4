package selftest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/run/fleet"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/run/manifest"
	"rpcbench/internal/stack"
)

// Pairs finds a server of this binary for every client: its own, or the first of its protocol.
func Pairs(ctx context.Context, f *fleet.Fleet, names []string) ([]Pair, error) {
	if len(names) == 0 {
		for _, info := range f.Own() {
			if info.Calls && info.Serves {
				names = append(names, info.Name)
			}
		}
	}
	for _, name := range names {
		if worker, other := f.HostOf(name); other {
			if errs := f.Ask(ctx, []manifest.Worker{worker}); len(errs) > 0 {
				return nil, fleet.NotStarted(errs)
			}
		}
	}
	var pairs []Pair
	for _, name := range names {
		pair, err := pairOf(f, name)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, pair)
	}
	return pairs, nil
}

func pairOf(f *fleet.Fleet, name string) (Pair, error) {
	offers := f.All()
	i := slices.IndexFunc(offers, func(o fleet.Offer) bool { return o.Name == name })
	if i < 0 {
		return Pair{}, fmt.Errorf("--stacks: %q is unknown%s", name, hint.Of(name, f.Names()))
	}
	client := offers[i]
	var servers []stack.Info
	for _, info := range f.Own() {
		if info.Serves && info.Protocol == client.Protocol {
			servers = append(servers, info)
		}
	}
	if !client.Calls || len(servers) == 0 || !slices.Contains(client.Kinds, stack.KindUnary) {
		return Pair{}, fmt.Errorf("--stacks: %s makes no unary calls that a server of this binary could answer", name)
	}
	own := slices.IndexFunc(servers, func(info stack.Info) bool { return info.Name == name })
	least := client.LeastWarmup
	if client.CompilerPatience > 0 {
		least = max(least, compiling)
	}
	return Pair{Client: client.Info, Server: servers[max(own, 0)], LeastWarmup: least}, nil
}

// compiling is the warm-up of clients whose compilers other commands wait for. Here a script defines the load.
const compiling = 8 * time.Second

// Launcher starts the workers of a fleet, this binary's as one whose servers obey scripts.
func Launcher(f *fleet.Fleet) launch.Launcher {
	return process.Launcher(func(order launch.Order) (process.Program, error) {
		if _, other := f.HostOf(order.Stack); other {
			return f.Program(order)
		}
		return f.Self("selftest", "worker")
	})
}
