package plan

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// A pair is a client and a server.
type pair struct{ client, server stack.Info }

func (p pair) String() string {
	if p.client.Name == p.server.Name {
		return p.client.Name
	}
	return p.client.Name + " against " + p.server.Name
}

// pairs makes the product of a case's stacks and servers.
func (b *builder) pairs(c scenario.Case) ([]pair, error) {
	clients, err := b.clients(c)
	if err != nil {
		return nil, err
	}
	servers, err := b.servers(c)
	if err != nil {
		return nil, err
	}
	var pairs []pair
	for _, client := range clients {
		switch {
		case c.Service().Runs():
			pairs = append(pairs, pair{client, running(client)})
		case len(servers) == 0:
			pairs = append(pairs, pair{client, b.partner(client)})
		}
		for _, server := range servers {
			pairs = append(pairs, pair{client, server})
		}
	}
	return pairs, nil
}

// running is a server that runs already, as a client's: it takes no options.
func running(client stack.Info) stack.Info {
	client.Serves, client.Options = true, nil
	return client
}

// clients are the stacks of a case: those that it names, or the binary's own. Of many, those that are no clients, or
// have nothing to do with the kind, are not even left out.
func (b *builder) clients(c scenario.Case) ([]stack.Info, error) {
	suits := func(i stack.Info) bool {
		return i.Calls && (i.Protocol == stack.ProtocolCodec) == stack.IsCodec(c.Kind)
	}
	if names := stacksOf(c); len(names) > 0 {
		return b.named(c, "stack", names, suits)
	}
	return b.usual(c, suits), nil
}

// stacksOf are the clients' that a case names, serversOf the servers'.
func stacksOf(c scenario.Case) (names []string) {
	for _, p := range c.Each("stack") {
		names = append(names, p.Stack)
	}
	return names
}

func serversOf(c scenario.Case) (names []string) {
	for _, p := range c.Each("server") {
		names = append(names, p.Server)
	}
	return names
}

// servers returns the servers that a case names: stacks and programs.
func (b *builder) servers(c scenario.Case) ([]stack.Info, error) {
	for i, p := range c.Each("server") {
		if err := b.program(p); err != nil {
			return nil, scenario.Errorf(c.Where("server", i), "server: %v", err)
		}
	}
	return b.named(c, "server", serversOf(c), func(i stack.Info) bool { return i.Serves && b.programs[i.Name] == nil })
}

// program takes a program among the stacks, by its name.
func (b *builder) program(p point.Asked) error {
	if p.Program == nil {
		return nil
	}
	known, taken := b.programs[p.Server]
	_, isStack := b.stacks[p.Server]
	switch {
	case taken && !reflect.DeepEqual(known, p.Program):
		return fmt.Errorf("two programs are named %q; give them different names", p.Server)
	case isStack && !taken:
		return fmt.Errorf("%q is the name of a stack; give the program another", p.Server)
	}
	b.programs[p.Server], b.stacks[p.Server] = p.Program, p.Program.Info(p.Server)
	return nil
}

// partner is the server of a client where none is named: itself, else the first of its protocol in its own worker, else
// the first of all.
func (b *builder) partner(client stack.Info) stack.Info {
	serving := filter(b.all, func(i stack.Info) bool { return i.Serves && i.Protocol == client.Protocol })
	own := filter(serving, func(i stack.Info) bool {
		return b.config.Hosts[i.Name].Worker == b.config.Hosts[client.Name].Worker
	})
	switch {
	case client.Serves || len(serving) == 0:
		return client
	case len(own) > 0:
		return own[0]
	default:
		return serving[0]
	}
}

// named looks the names of a key up; point.All is every stack but the floor that suits.
func (b *builder) named(c scenario.Case, key string, names []string, suits func(stack.Info) bool) ([]stack.Info, error) {
	var found []stack.Info
	for i, name := range names {
		if name == point.All {
			found = append(found, filter(b.all, suits)...)
			continue
		}
		info, ok := b.stacks[name]
		if !ok {
			here := slices.Sorted(maps.Keys(b.stacks))
			return nil, scenario.Errorf(c.Where(key, i), "%s: %s", key, Unknown(name, here, b.config.Elsewhere))
		}
		found = append(found, info)
	}
	return found, nil
}

// Unknown returns a hint about a stack that is not available, given those that are and Config.Elsewhere.
func Unknown(name string, here []string, elsewhere map[string]string) string {
	if how := elsewhere[name]; how != "" {
		return fmt.Sprintf("%q is not available; %s", name, how)
	}
	meant := hint.Near(name, slices.Concat(here, slices.Sorted(maps.Keys(elsewhere))))
	if meant == "" {
		meant = hint.Of("", here)
	}
	return fmt.Sprintf("%q is unknown%s", name, meant)
}

func filter(infos []stack.Info, keep func(stack.Info) bool) []stack.Info {
	var kept []stack.Info
	for _, info := range infos {
		if keep(info) {
			kept = append(kept, info)
		}
	}
	return kept
}

// A lack is why a point can't be measured.
type lack struct{ who, what string } // a stack, and "has no client"; who is "" where several are to blame

func (l lack) String() string { return strings.TrimSpace(l.who + " " + l.what) }

// lacks says why the pair can't do the point; the zero lack when it can.
func (p pair) lacks(s Spec) lack {
	if stack.IsCodec(s.Kind) {
		return lacksCoding(p.client, s)
	}
	switch {
	case p.client.Protocol == stack.ProtocolCodec:
		return lack{p.client.Name, "has no kind " + s.Kind}
	case !p.client.Calls:
		return lack{p.client.Name, "has no client"}
	case lacksMethod(s.Method, p.client) != lack{}:
		return lacksMethod(s.Method, p.client)
	case !p.server.Serves:
		return lack{p.server.Name, "has no server"}
	case p.client.Protocol != p.server.Protocol:
		return lack{what: p.client.Name + " speaks " + p.client.Protocol + " and " + p.server.Name + " speaks " + p.server.Protocol}
	}
	if s.Proxy != nil && s.Proxy.Lacks(s) != "" {
		return lack{"the proxy " + s.Proxy.Name, s.Proxy.Lacks(s)}
	}
	for i, side := range []stack.Info{p.client, p.server} {
		security := s.Security
		if i > 0 && s.Proxy != nil {
			security = stack.SecurityPlaintext // TLS ends at the proxy
		}
		for _, need := range []struct {
			key, value string
			can        []string
		}{
			{"kind", s.Kind, side.Kinds},
			{"network", s.Network, side.Networks},
			{"security", security, side.Securities},
			{"compression", s.Compression, side.Compressions},
		} {
			if !slices.Contains(need.can, need.value) {
				return lack{side.Name, "has no " + need.key + " " + need.value}
			}
		}
		if l := lacksBackground(side, s.Background); l != (lack{}) {
			return l
		}
	}
	return p.lacksDrawn(s)
}

// lacksDrawn returns why the pair can't draw sizes or accesses at random, or hold idle streams.
func (p pair) lacksDrawn(s Spec) lack {
	switch {
	case (s.RequestSizes != nil || s.ResponseSizes != nil) && !p.client.Sizes:
		return lack{p.client.Name, "draws no random sizes"}
	case s.Records > 0 && !p.client.Stores:
		return lack{p.client.Name, "reads and writes no store"}
	case s.Records > 0 && !p.server.Stores:
		return lack{p.server.Name, "has no store"}
	case s.IdleStreams > 0 && (!p.client.Multiplexed || !slices.Contains(p.client.Kinds, stack.KindPingPong)):
		return lack{p.client.Name, "has no streams that share a connection"}
	case s.Ports > 1 && s.Program != nil:
		return lack{p.server.Name, "is a program, which gets one port"}
	default:
		return lack{}
	}
}

// lacksBackground says why the side can't carry a second call on the same connection.
func lacksBackground(side stack.Info, b *Background) lack {
	switch {
	case b == nil:
		return lack{}
	case !side.Multiplexed:
		return lack{side.Name, "makes one call at a time on a connection, so it has no background"}
	case !slices.Contains(side.Kinds, b.Kind):
		return lack{side.Name, "has no kind " + b.Kind}
	default:
		return lack{}
	}
}

// checkOptions refuses an option that neither side knows as its own, and a value that a side does not take.
func (p pair) checkOptions(c scenario.Case, s Spec) error {
	if reason := p.refuseOptions(s); reason != "" {
		return scenario.Errorf(c.Where("options", optionsIndex(c, s.Options)), "options: %s", reason)
	}
	return nil
}

// refuseOptions says why the pair can't have one of its options, "" if it can have all. A side gets those that it knows.
func (p pair) refuseOptions(s Spec) string {
	client, server := p.client.ClientOptions(), p.server.ServerOptions()
	var known []string
	for _, o := range slices.Concat(client, server) {
		known = append(known, o.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Options)) {
		if slices.Contains(known, name) {
			continue
		}
		if s.Target != "" && slices.ContainsFunc(p.client.ServerOptions(), func(o stack.Option) bool { return o.Name == name }) {
			return fmt.Sprintf("%s is an option of servers of %s, and the server at %s runs already", name, p.client.Name, s.Target)
		}
		slices.Sort(known)
		return fmt.Sprintf("%s has no option %q%s", p, name, hint.Of(name, slices.Compact(known)))
	}
	return cmp.Or(refuseValue(p.client.Name, client, s.Options), refuseValue(p.server.Name, server, s.Options))
}

// refuseValue names the first value that an option of a stack does not take.
func refuseValue(name string, own []stack.Option, given map[string]string) string {
	for _, o := range own {
		if value, isGiven := given[o.Name]; isGiven && !o.Takes(value) {
			return fmt.Sprintf("the option %s of %s %s", o.Name, name, o.Refuse(value))
		}
	}
	return ""
}

func optionsIndex(c scenario.Case, options map[string]string) int {
	return slices.IndexFunc(c.Each("options"), func(p point.Asked) bool { return maps.Equal(p.Options, options) })
}
