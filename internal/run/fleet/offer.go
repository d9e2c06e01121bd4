package fleet

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/run/manifest"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/control"
)

// An Offer is a stack, with what its worker reports about it.
type Offer struct {
	stack.Info
	plan.Abilities

	Library string
	Worker  string // its name; "" is this binary
	Runtime string
}

// stacksMax is more stacks than any worker hosts.
const stacksMax = 1000

// offersOf reads a worker's Hello, which must offer what its manifest says and nothing else.
func offersOf(w manifest.Worker, hello *control.Hello) ([]Offer, error) {
	if err := checkHello(w.String(), hello); err != nil {
		return nil, err
	}
	abilities := abilitiesOf(hello)
	abilities.LeastWarmup = max(abilities.LeastWarmup, w.LeastWarmup)
	var offers []Offer
	for _, s := range hello.GetStacks() {
		offers = append(offers, Offer{
			Info: infoOf(s), Abilities: abilities, Library: s.GetLibrary(), Worker: w.Name, Runtime: hello.GetRuntime(),
		})
	}
	if names := stacksIn(hello); !sameWords(w.Stacks, names) {
		return nil, fmt.Errorf("%s hosts %s, and its manifest says %s", w, orNone(names), strings.Join(w.Stacks, ", "))
	}
	return offers, nil
}

// abilitiesOf reads what a worker reports about itself, whatever its stacks support.
func abilitiesOf(hello *control.Hello) plan.Abilities {
	return plan.Abilities{
		LeastWarmup:      time.Duration(hello.GetLeastWarmupNs()),
		CompilerPatience: time.Duration(hello.GetCompilerPatienceNs()),
		Stages:           hello.GetStages(),
		Ports:            hello.GetPorts(),
		IdleStreams:      hello.GetIdleStreams(),
		Mixes:            hello.GetMixes(),
		Reconnects:       hello.GetReconnects(),
	}
}

// stacksIn names the stacks of a Hello.
func stacksIn(hello *control.Hello) []string {
	var names []string
	for _, s := range hello.GetStacks() {
		names = append(names, s.GetName())
	}
	return names
}

// checkHello refuses the Hello of a worker, who, that no plan could use.
func checkHello(who string, hello *control.Hello) error {
	within := func(ns int64) bool { return 0 <= ns && time.Duration(ns) <= manifest.WarmupMax }
	switch {
	case len(hello.GetStacks()) > stacksMax:
		return fmt.Errorf("%s hosts %d stacks, more than %d", who, len(hello.GetStacks()), stacksMax)
	case !within(hello.GetLeastWarmupNs()):
		return fmt.Errorf("%s says hello.least_warmup_ns %d, which is not between 0 and %s",
			who, hello.GetLeastWarmupNs(), manifest.WarmupMax)
	case !within(hello.GetCompilerPatienceNs()):
		return fmt.Errorf("%s says hello.compiler_patience_ns %d, which is not between 0 and %s",
			who, hello.GetCompilerPatienceNs(), manifest.WarmupMax)
	}
	for _, s := range hello.GetStacks() {
		for _, option := range control.Options(s.GetOptions()) {
			if err := option.Check(); err != nil {
				return fmt.Errorf("%s contradicts itself about its stack %s: %w", who, s.GetName(), err)
			}
		}
	}
	return nil
}

func sameWords(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "no stack"
	}
	return strings.Join(names, ", ")
}

func infoOf(s *control.StackInfo) stack.Info {
	info := stack.Info{
		Name: s.GetName(), Protocol: s.GetProtocol(), Serves: s.GetServes(), Calls: s.GetCalls(), Kinds: s.GetKinds(),
		Networks: s.GetNetworks(), Securities: s.GetSecurities(), Compressions: s.GetCompressions(),
		Multiplexed: s.GetMultiplexed(), Messages: s.GetMessages(), Codecs: s.GetCodecs(),
		Methods: s.GetMethods() || s.GetPreparedMethods(), PreparedMethods: s.GetPreparedMethods(),
		Sizes: s.GetSizes(), Stores: s.GetStores(), Options: control.Options(s.GetOptions()),
	}
	for _, d := range s.GetDeviations() {
		info.Deviations = append(info.Deviations, stack.Deviation{Rule: d.GetRule(), Code: d.GetCode(), Reason: d.GetReason()})
	}
	return info
}

// All are the offers of this binary, and of the workers that were asked.
func (f *Fleet) All() []Offer {
	var offers []Offer
	for _, info := range f.own {
		offers = append(offers, Offer{Info: info, Library: worker.Library(info)})
	}
	for _, w := range f.workers {
		offers = append(offers, f.heard[w.Name].offers...)
	}
	return offers
}
