// Package plan turns scenarios into an ordered list of trials: it expands the axes of each case, pairs stacks, adds the
// floor, repeats and interleaves. It is pure: the same scenarios, stacks and seed always give the same plan, and nothing is
// read, written or started.
//
// Identical trials of several cases are planned once. Repetitions are blocks: repetition r of every point comes before
// repetition r+1 of any. Within a block the order is random, so a machine that warms up or slows down affects all stacks
// alike. Points that a stack does not support are left out, with a note. Bad input is a *scenario.Error.
//
// A case that names no stack uses the binary's own. Stacks of other workers are selected by name, or by point.All.
package plan

import (
	"time"

	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// Config is the input of a plan besides the scenarios.
type Config struct {
	Seed  uint64 // of the order
	Floor bool   // add a trial of the stack tcp for every distinct point
	Reuse bool   // have trials go on with the processes of earlier ones: see Trial.Processes
	// Methods holds the resolved methods of foreign services, by scenario.Service.Identity.
	Methods map[string]*Method
	// Hosts are the workers of the stacks that are not the binary's own, by stack.
	Hosts map[string]Host
	// Elsewhere holds stacks that are known but not available, and how to get each, such as "make java builds it", or "".
	Elsewhere  map[string]string
	JVMOptions string // of the environment: every JVM gets them, before those of the case
	// Binaries describes the programs that cases name, by path.
	Binaries map[string]Binary
	// Sizes holds the contents of the files of lengths that cases name, by path.
	Sizes map[string][]stack.SizeBin
	// Expand replaces a name that stands for several hosts by those hosts; nil if no name does.
	Expand func(hosts string) (string, error)
}

// Abilities are what a worker reports about itself, whatever its stacks support.
type Abilities struct {
	// LeastWarmup is the minimum warm-up of its runtime. A shorter warm-up is extended to it, unless the command line set it.
	LeastWarmup time.Duration
	// CompilerPatience is the maximum time before the warm-up in which its compilers become quiet; 0 is no compiler. It does not
	// apply if the command line set the warm-up.
	CompilerPatience time.Duration
	Stages           bool // its loads can change over time
	Ports            bool // its servers can listen on several ports
	IdleStreams      bool // its clients can hold idle streams open
	Mixes            bool // its clients can make several calls by weights
	Reconnects       bool // its clients begin anew with a further Connect
}

// A Host describes a worker that hosts stacks, as far as the plan needs it.
type Host struct {
	Abilities

	Worker  string // its name
	JVM     bool   // it takes options for a JVM
	Payload string // the only content that its messages have, where no case asks for another; empty is any
	// ServerOptions holds the options that its clients need of servers. A server without one of them can't serve them.
	ServerOptions map[string]string
	// Lacks returns what of a point it does not support, or "". nil means that only its stacks limit it.
	Lacks func(s Spec) string
	Note  string // what a reader must know of its figures; empty is nothing
}

// A Plan is what to carry out.
type Plan struct {
	Seed   uint64
	Trials []Trial // in order of execution
	Notes  []Note  // what was left out, and why
}

// TrialsMax limits a plan. At 150 ms per trial it takes at least four hours: a longer plan is a mistake in an axis.
const TrialsMax = 100_000

// FloorStack is the stack that others are set against.
const FloorStack = stack.ProtocolTCP

// New plans the scenarios on the given stacks.
func New(scenarios []scenario.Scenario, stacks []stack.Info, config Config) (Plan, error) {
	if err := distinct(scenarios); err != nil {
		return Plan{}, err
	}
	b := newBuilder(stacks, config)
	for _, s := range scenarios {
		b.notes.cases = append(b.notes.cases, s.LeftOut...)
		for _, c := range s.Cases {
			if err := b.add(s.Name, c); err != nil {
				return Plan{}, err
			}
		}
	}
	if err := b.check(scenarios); err != nil {
		return Plan{}, err
	}
	trials := interleave(b.demands.list, config.Seed)
	if config.Reuse {
		b.share(trials)
	}
	return Plan{Seed: config.Seed, Trials: trials, Notes: b.notes.all()}, nil
}

// Expected returns how long the plan takes; see the function Expected.
func (p Plan) Expected() time.Duration { return Expected(p.Trials) }

func distinct(scenarios []scenario.Scenario) error {
	seen := map[string]bool{}
	for _, s := range scenarios {
		if seen[s.Name] {
			return scenario.Errorf("", "scenario %q is given twice", s.Name)
		}
		seen[s.Name] = true
	}
	return nil
}
