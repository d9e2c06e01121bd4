// Package plan turns scenarios into trials in the order in which they are to be carried out: it expands the axes of
// each case, pairs stacks, adds the floor, repeats and interleaves. It is pure: the same scenarios, stacks and seed
// always give the same plan, and nothing is read, written or started.
//
// Identical trials of several cases are planned once. Repetitions are blocks: repetition r of every point comes before
// repetition r+1 of any, and within a block the order is random, so that a machine that warms up or slows down does so
// to every stack alike. What a stack can't do is left out with a note. Bad input is a *scenario.Error.
//
// A case that names no stack takes the binary's own; those of other workers are taken by their name, or by
// point.All.
package plan

import (
	"time"

	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// Config is what the plan needs beside the scenarios.
type Config struct {
	Seed  uint64 // of the order
	Floor bool   // add a trial of the stack tcp for every distinct point
	// Methods are what foreign services turned out to be, by scenario.Service.Identity.
	Methods map[string]*Method
	// Hosts are the workers of the stacks that are not the binary's own, by stack.
	Hosts map[string]Host
	// Elsewhere are stacks that are known and not here: what brings each here, "make java builds it", or "".
	Elsewhere  map[string]string
	JVMOptions string // of the environment: every JVM gets them, before those of the case
	// Binaries are what is known of the programs that cases name, by their paths.
	Binaries map[string]Binary
	// Sizes are what files of lengths have that cases name, by their paths.
	Sizes map[string][]stack.SizeBin
	// Expand puts the hosts in place of a name that stands for several; nil where none does.
	Expand func(hosts string) (string, error)
}

// A Host is what counts of a worker that hosts stacks.
type Host struct {
	Worker string // its name
	JVM    bool
	// LeastWarmup is what its runtime wants before it is measured: a shorter warm-up is made as long, unless the
	// command line gave it.
	LeastWarmup time.Duration
	// CompilerPatience is how long its compilers may take, before the warm-up, until they are quiet; not where the
	// command line gave the warm-up.
	CompilerPatience time.Duration
	Stages           bool   // its loads can change over time
	Ports            bool   // its servers can listen on several ports
	IdleStreams      bool   // its clients can hold idle streams open
	Payload          string // the only content that its messages have, where no case asks for another; empty is any
	// ServerOptions are those that servers of its clients need. A server without one of them can't serve these.
	ServerOptions map[string]string
	// Lacks says what of a point it can't do, "" where it can; nil lacks nothing but what its stacks lack.
	Lacks func(s Spec) string
	Note  string // what a reader must know of its figures; empty is nothing
}

// A Plan is what is to be carried out.
type Plan struct {
	Seed   uint64
	Trials []Trial // in order of execution
	Notes  []Note  // what was left out, and why
}

// TrialsMax bounds a plan. At 150 ms a trial it is four hours and more: what is longer came from a slip in an axis.
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
	return Plan{Seed: config.Seed, Trials: interleave(b.demands.list, config.Seed), Notes: b.notes.all()}, nil
}

// Expected is how long the plan takes, see the function of that name.
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
