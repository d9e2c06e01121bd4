package plan

import (
	"maps"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// suitRuntimes adapts a point to the runtimes of its sides: time for their compilers, a warm-up that is long enough, and the JVM
// options of a side on a JVM. If the trial ends after a number of calls, so does the warm-up, and there is no time for compilers.
func (b *builder) suitRuntimes(c scenario.Case, spec *Spec) {
	jvm := false
	for _, side := range []string{spec.Stack, spec.Server} {
		host, _ := b.hostOf(*spec, side)
		jvm = jvm || host.JVM
		b.warmUp(c, spec, side, host.LeastWarmup)
		if spec.Calls == 0 && !c.Overridden("warmup") {
			spec.CompilersMostNs = max(spec.CompilersMostNs, host.CompilerPatience.Nanoseconds())
		}
	}
	if !jvm {
		spec.JVMOptions = ""
		return
	}
	b.jvm = true
	spec.JVMOptions = strings.TrimSpace(b.config.JVMOptions + " " + spec.JVMOptions)
}

// mostByLeast is the ratio of maximum to minimum warm-up, if it ends when the load is steady and a runtime raised the minimum:
// after a JIT's second compiler, the garbage collector still has to settle.
const mostByLeast = 2.5

// warmUp makes the warm-up as long as a side needs. A value from the command line is kept, and a note states the consequence.
func (b *builder) warmUp(c scenario.Case, spec *Spec, side string, least time.Duration) {
	given := time.Duration(spec.WarmupNs)
	switch {
	case given >= least:
	case c.Overridden("warmup"):
		b.notes.warmUpShort(warmupOf(c), least, side)
	default:
		spec.WarmupNs = least.Nanoseconds()
		if warmupOf(c).Ranged() {
			spec.WarmupMostNs = max(spec.WarmupMostNs, int64(mostByLeast*float64(least)))
		}
	}
}

// warmupOf is the warm-up that a case asks for.
func warmupOf(c scenario.Case) point.Warmup { return c.Each("warmup")[0].Warmup() }

// suitPayload gives a point the only payload that a side has, where the case says nothing of it.
func (b *builder) suitPayload(c scenario.Case, p pair, spec *Spec) {
	for _, side := range []stack.Info{p.client, p.server} {
		host, _ := b.hostOf(*spec, side.Name)
		if host.Payload != "" && spec.Payload != "" && !c.Given("payload") {
			spec.Payload = host.Payload
		}
	}
}

// suitServer gives a point the options that its client needs of a server, where the case does not have them, or says why it
// can't.
func (b *builder) suitServer(p pair, spec *Spec) lack {
	client, _ := b.hostOf(*spec, p.client.Name)
	needed := client.ServerOptions
	if spec.Server == "" || len(needed) == 0 {
		return lack{}
	}
	for name := range needed {
		if !slices.ContainsFunc(p.server.ServerOptions(), func(o stack.Option) bool { return o.Name == name }) {
			return lack{p.server.Name, "has no option " + name + ", which " + p.client.Name + " needs"}
		}
	}
	options := maps.Clone(needed)
	maps.Copy(options, spec.Options)
	spec.Options = options
	return lack{}
}

// workerLacks returns what the workers of a pair don't support, whatever their stacks.
func (b *builder) workerLacks(p pair, s Spec) lack {
	client, isForeign := b.hostOf(s, p.client.Name)
	switch {
	case !isForeign:
	case !client.Stages && s.Schedule != nil:
		return lack{p.client.Name, "supports no load that changes over time"}
	case !client.IdleStreams && s.IdleStreams > 0:
		return lack{p.client.Name, "holds no idle streams open"}
	case !client.Mixes && s.Method != nil && len(s.Method.Mix) > 0:
		return lack{p.client.Name, "makes one call in a load, and no mix"}
	}
	if server, isForeign := b.hostOf(s, p.server.Name); isForeign && !server.Ports && s.Ports > 1 {
		return lack{p.server.Name, "listens on one port"}
	}
	return lack{}
}

// hostLacks returns why the workers of a pair can't do what their stacks could.
func (b *builder) hostLacks(p pair, s Spec) lack {
	client, _ := b.hostOf(s, p.client.Name)
	server, _ := b.hostOf(s, p.server.Name)
	if s.InOneProcess() && client.Worker != server.Worker {
		return lack{what: "they run in different programs, and " + s.Network + " is one process"}
	}
	for _, side := range []struct {
		stack string
		host  Host
	}{{p.client.Name, client}, {p.server.Name, server}} {
		if only := side.host.Payload; only != "" && s.Payload != "" && s.Payload != only {
			return lack{side.stack, "has no payload " + s.Payload}
		}
		if side.host.Lacks == nil {
			continue
		}
		if what := side.host.Lacks(s); what != "" {
			return lack{side.stack, what}
		}
	}
	return lack{}
}

// checkJVMOptions refuses options for a JVM where no point runs on one.
func (b *builder) checkJVMOptions(c scenario.Case) error {
	i := slices.IndexFunc(c.Each("jvm_options"), func(p point.Asked) bool { return p.JVMOptions != "" })
	if i < 0 || b.jvm {
		return nil
	}
	return scenario.Errorf(c.Where("jvm_options", i), "jvm_options: no stack of the plan runs on a JVM%s", b.suchAs())
}

// suchAs names the stacks that do run on a JVM, for a sentence's end.
func (b *builder) suchAs() string {
	var names []string
	for name, host := range b.config.Hosts {
		if host.JVM {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return ", as " + strings.Join(names, ", ") + " would"
}
