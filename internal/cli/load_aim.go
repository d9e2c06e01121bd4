package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// An aim is what is to be loaded: where, what calls are, and what they need beside the plan.
type aim struct {
	target

	kind    string
	method  *plan.Method // nil calls rpcbench's own services
	foreign driver.Foreign

	messageRate float64 // of the method's messages within each call; 0 is none
}

// aim finds out what is loaded. It asks the server for its schema where that is needed.
func (f *loadFlags) aim(ctx context.Context, flags *pflag.FlagSet, at target) (aim, error) {
	a := aim{target: at, kind: f.kindOf(flags)}
	var err error
	if a.foreign.Security, err = f.clientSecurity(at); err != nil || f.call.isOwn(at) {
		return a, err
	}
	asked := ""
	if flags.Changed("kind") || a.kind != f.kind {
		asked = a.kind
	}
	resolved, err := f.call.resolve(ctx, at, a.foreign.Security, f.seed)
	if err != nil {
		return a, err
	}
	if a.kind, err = f.call.kindOf(resolved, asked); err != nil {
		return a, err
	}
	if a.method, err = f.call.method(resolved, at); err != nil {
		return a, err
	}
	a.foreign.Recipe = control.FromRecipe(resolved)
	if a.messageRate, err = f.call.rate(a.kind); err != nil {
		return a, err
	}
	return a, f.checkAccept(flags, a)
}

// scenario makes load's scenario of one case.
func (a aim) scenario(list []scenario.Override) ([]scenario.Scenario, error) {
	title := a.kind
	if a.method != nil {
		title = a.method.Name
	}
	s, err := scenario.Parse("load", fmt.Appendf(nil, loadScenario, strconv.Quote(title), a.kind))
	if err != nil || stack.IsCodec(a.kind) {
		return nil, fmt.Errorf(
			"--kind %s: there are connect, first_call, unary, stream, ping_pong, burst, upload, download", a.kind)
	}
	return scenario.Apply([]scenario.Scenario{s}, list)
}

// chooseStack sets the client of a method's calls where nobody says which.
func (a aim) chooseStack(flags *pflag.FlagSet, infos []stack.Info, mode string) error {
	if a.method == nil || flags.Changed("stack") {
		return nil
	}
	compression, ok := given(flags, "compression")
	if !ok {
		compression = stack.CompressionNone
	}
	names := methodStacks
	if a.isHTTP() {
		names = urlStacks
	}
	return flags.Set("stack", stackFor(names, infos, a.kind, compression, mode))
}

// checkAgent refuses a user-agent for gRPC that the client's library would drop, or add its own to.
func (a aim) checkAgent(flags *pflag.FlagSet) error {
	name, _ := given(flags, "stack")
	if a.method == nil || a.isHTTP() || name == agentStack || !slices.Contains(a.method.Metadata, "user-agent") {
		return nil
	}
	return fmt.Errorf("the user-agent of %s is its library's to set, and --metadata gives one: leave it out, or give --stack %s",
		name, agentStack)
}

// agentStack is the client of gRPC that sends any user-agent.
const agentStack = "grpc-wire"

// config is what the plan needs to know.
func (f *loadFlags) config(flags *pflag.FlagSet, a aim) plan.Config {
	return plan.Config{
		Seed: f.seed, Target: a.address, LengthsOnly: !f.verify, Method: a.method,
		MethodMessages:    flags.Changed("messages") || byAlias(flags, "messages"),
		MessageRatePerSec: a.messageRate, Unverified: a.foreign.Security.GetSkipVerify(),
		Schedule: cmp.Or(f.schedule, f.ramp),
	}
}

// plan makes the trials that the flags mean.
func (f *loadFlags) plan(ctx context.Context, e *env, flags *pflag.FlagSet, args []string) (work, error) {
	at, err := f.target(flags, args)
	if err == nil {
		err = f.call.check(flags, at)
	}
	if err == nil {
		at, err = f.settle(flags, at)
	}
	if err == nil {
		err = f.saveFlags.check(f.files())
	}
	if err != nil {
		return work{}, badInput(err)
	}
	if err := mayLoad(ctx, at, f.mayLoad); err != nil {
		return work{}, err
	}
	f.call.allow = e.allowVariables(f)
	a, err := f.aim(ctx, flags, at)
	if err == nil {
		err = a.chooseStack(flags, e.infos(), f.mode())
	}
	if err == nil {
		err = a.checkAgent(flags)
	}
	if err != nil {
		return work{}, badInput(err)
	}
	overrides, err := f.overrides(flags, at)
	if err != nil {
		return work{}, badInput(err)
	}
	scenarios, err := a.scenario(overrides)
	if err != nil {
		return work{}, badInput(err)
	}
	all, err := e.fleet(f.workers)
	if err != nil {
		return work{}, err
	}
	w, err := all.plan(ctx, scenarios, f.config(flags, a))
	if err != nil {
		return w, err
	}
	w.foreign, w.files = a.foreign, f.call.requestFiles()
	return w, badInput(checkCallLeast(w.plan.Trials))
}
