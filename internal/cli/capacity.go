package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/cli/alias"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/report"
)

// Defaults of capacity. capacityInFlight is more than a server that keeps up has at once: 256 calls in flight are 25,600 calls/s
// at 10 ms each.
const (
	capacityRequirement = "response_p99<10ms"
	capacityDuration    = "10s"
	capacityTrials      = "3"
	capacityInFlight    = "256"
	capacityTime        = 5 * time.Minute
	capacitySearch      = 2 * time.Second
)

// notOfCapacity lists flags of load that capacity does not take, with what it does instead.
var notOfCapacity = map[string]string{
	"rate":           "finds the rate",
	"ramp":           "finds the rate, and --in-flight bounds the calls in flight",
	"poisson":        "always uses Poisson arrivals unless --constant is given",
	"calls":          "offers rates for a duration: --duration",
	"strict":         "goes past the capacity, where verdicts are bad",
	"save-histogram": "has trials at many rates: report a file with --format hgrm",
	"save-hlog":      "has trials at many rates: report a file with --format hgrm",
	saveScenario:     "finds the rate, which a scenario has to state: save the flags of load",
}

type capacityFlags struct {
	loadFlags
	stacks     string
	serverCPUs string
	constant   bool
	time       time.Duration
	search     time.Duration
}

// capacity finds the highest rate that meets a requirement.
func (e *env) capacity() *cobra.Command {
	f := capacityFlags{loadFlags: loadFlags{verb: "capacity"}}
	command := &cobra.Command{
		Use:   "capacity [TARGET]",
		Short: "Find the highest rate that meets a requirement",
		Long: "Capacity searches for the highest arrival rate that meets the requirements with\n" +
			"short trials and confirms it with longer ones. It then measures latency at 20%\n" +
			"to 130% of that rate, and the rate at other numbers of connections.\n\n" +
			"TARGET is a running server: host:port, unix:PATH or a URL. Without one, capacity\n" +
			"starts the servers of --stacks, one after the other.",
		Example: `  rpcbench capacity localhost:8888 --require 'response_p99<5ms'
  rpcbench capacity --stacks grpc-go,connect-go --connections 4`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			written, err := alias.Load.Take(command.Flags(), args)
			if err == nil {
				_, err = alias.Capacity.Take(command.Flags(), args)
			}
			if err != nil {
				return badInput(err)
			}
			w, err := f.work(command.Context(), e, command.Flags(), written)
			if err != nil {
				return err
			}
			return e.findCapacities(command.Context(), f, w)
		},
	}
	flags := command.Flags()
	f.add(flags)
	withhold(flags, notOfCapacity)
	flags.Lookup("resume").Usage = resumeSearch
	withoutFormat(flags.Lookup("format"), report.FormatJUnit,
		"capacity searches for a rate that meets the requirements, and fails at none; hold a load at that rate against them")
	alias.Capacity.Add(flags)
	flags.StringVar(&f.stacks, "stacks", "",
		"without a TARGET: comma-separated `stacks`, each with its own server (default grpc-go)")
	flags.StringVar(&f.serverCPUs, "server-cpus", "", "without a TARGET: `processors` to pin the server to, such as 0-1")
	flags.BoolVar(&f.constant, "constant", false, "evenly spaced arrivals instead of random (Poisson) ones")
	durationVar(flags, &f.time, "time", capacityTime, "stop after this `duration`, for each stack")
	durationVar(flags, &f.search, "search-duration", capacitySearch, "`duration` of each trial of the search")
	for name, usage := range map[string]string{
		"require": "`requirement` that the rate must meet, such as 'response_p99<5ms' or 'errors<0.1%'; repeatable (default " +
			capacityRequirement + ")",
		"duration": "measured `duration` of each trial that confirms, and of each point of the curve (default " +
			capacityDuration + ")",
		"trials": "`number` of trials that confirm a rate, each in fresh processes (default " + capacityTrials + ")",
	} {
		flags.Lookup(name).Usage = usage
	}
	flags.Lookup("in-flight").DefValue = capacityInFlight
	return command
}

// work checks the flags and makes the trials that they mean, one for each stack.
func (f *capacityFlags) work(ctx context.Context, e *env, flags *pflag.FlagSet, written *alias.Words) (work, error) {
	if err := checkWithheld(flags, "capacity", notOfCapacity); err != nil {
		return work{}, err
	}
	if len(f.require) == 0 {
		f.require = []string{capacityRequirement}
	}
	if err := f.outputFlags.check(e.temporary); err != nil {
		return work{}, err
	}
	if err := f.checkRequirements(len(written.Args) > 0); err != nil {
		return work{}, err
	}
	if f.time <= 0 || f.search <= 0 {
		return work{}, badInput(errors.New("--time and --search-duration must be more than 0"))
	}
	f.rate, f.poisson = "1", !f.constant // any rate: the plan is checked as that of an open load
	for name, value := range map[string]string{
		"duration": capacityDuration, "trials": capacityTrials, "in-flight": capacityInFlight,
	} {
		if err := setUnlessGiven(flags, name, value); err != nil {
			return work{}, badInput(err)
		}
	}
	w, err := f.plan(ctx, e, flags, written)
	if err != nil {
		return work{}, err
	}
	if time.Duration(w.plan.Trials[0].Spec.DurationNs) < f.search {
		return work{}, badInput(fmt.Errorf("--search-duration %s is longer than the --duration of the confirmation, %s",
			number.Span(f.search), number.Span(time.Duration(w.plan.Trials[0].Spec.DurationNs))))
	}
	return w, nil
}

// checkRequirements refuses requirements for the rate itself, which no lower rate meets better, and for figures that are unknown
// for a running server.
func (f *capacityFlags) checkRequirements(foreign bool) error {
	for _, r := range f.requirements {
		if foreign && strings.HasPrefix(r.Figure(), "server_cpu_") {
			return badInput(fmt.Errorf("--require %s: the processor time of a TARGET is not known; leave TARGET out, so that capacity "+
				"starts the servers of --stacks", r))
		}
		if r.OfRate() {
			return badInput(fmt.Errorf("--require %s: capacity finds the rate; require a bound on latency or errors", r))
		}
	}
	return nil
}

// plan plans for a TARGET as load does, and for own servers as run does.
func (f *capacityFlags) plan(ctx context.Context, e *env, flags *pflag.FlagSet, written *alias.Words) (work, error) {
	if len(written.Args) == 0 {
		return f.planOwn(ctx, e, flags, written)
	}
	for name, value := range map[string]string{"stacks": f.stacks, "server-cpus": f.serverCPUs} {
		if value != "" {
			return work{}, badInput(fmt.Errorf("--%s %s: it requires a server that capacity starts, without a TARGET", name, value))
		}
	}
	return f.loadFlags.plan(ctx, e, flags, written)
}

// planOwn plans for servers of our own, whose keys are fresh.
func (f *capacityFlags) planOwn(ctx context.Context, e *env, flags *pflag.FlagSet, written *alias.Words) (work, error) {
	if f.stacks != "" && flags.Changed("stack") {
		return work{}, badInput(errors.New("--stack and --stacks exclude each other"))
	}
	c, err := f.caseOf(flags, written, "")
	if err != nil {
		return work{}, badInput(err)
	}
	if f.stacks != "" {
		stacks, err := scenario.Shorthand("stacks", f.stacks)
		if err != nil {
			return work{}, badInput(err)
		}
		c.overrides = replaced(c.overrides, stacks)
	}
	if f.serverCPUs != "" {
		c.overrides = append(c.overrides,
			scenario.Override{Key: "server_cpus", Value: f.serverCPUs, Flag: "--server-cpus " + f.serverCPUs})
	}
	if c.Scenario, err = scenario.Written("load", loadQuestion, c.title, c.overrides); err != nil {
		return work{}, badInput(err)
	}
	return f.planCase(ctx, e, c)
}
