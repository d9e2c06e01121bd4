package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/call/target"
	"rpcbench/internal/cli/alias"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/report/formats"
	"rpcbench/internal/run/consent"
	"rpcbench/internal/run/prometheus"
	"rpcbench/internal/run/service"
)

// loadFlags are load's own. Those that are keys of a case are in the tables of load_key.go, and read from the flag set.
type loadFlags struct {
	outputFlags
	saveFlags
	kind        string
	rate        string
	poisson     bool
	connections string
	inFlight    string
	options     []string
	seed        uint64
	workers     workerFlags
	mayLoad     bool
	metrics     string // an address
	scenario    string // the file of --save-scenario

	verb      string            // whose flags they are
	withheld  map[string]string // the flags that the verb refuses, and why
	unstarted bool              // the server does not run yet
	single    bool              // one call is made, and no load
}

// load loads a server that runs already.
func (e *env) load() *cobra.Command {
	f := loadFlags{verb: "load"}
	command := &cobra.Command{
		Use:   "load TARGET",
		Short: "Load-test a running server: host:port, unix:PATH or a URL",
		Example: `  rpcbench load localhost:50051 --call shop.v1.Shop/Get --data '{"id": 7}'
  rpcbench load localhost:50051 --call shop.v1.Shop/Get --rate 1000 --poisson \
    -z 30s --require 'response_p99<20ms'
  rpcbench load http://localhost:8080/items --rate 500
  rpcbench load localhost:8888 --request-bytes 100  # a server of rpcbench serve`,
		RunE: func(command *cobra.Command, args []string) error {
			written, err := alias.Load.Take(command.Flags(), args)
			if err != nil {
				return badInput(err)
			}
			if err := f.outputFlags.check(e.temporary); err != nil {
				return err
			}
			w, err := f.plan(command.Context(), e, command.Flags(), written)
			switch {
			case err != nil:
				return err
			case f.single:
				return e.exchange(command.Context(), w, f.format)
			}
			return e.carryOutLoad(command.Context(), f, w)
		},
	}
	f.add(command.Flags())
	command.Flags().BoolVar(&f.single, "dry-run", false, "make one call instead, and print what was sent and what came back")
	command.Flags().StringVar(&f.metrics, "metrics", "",
		"serve Prometheus metrics during the run at `host:port`, such as 127.0.0.1:9464")
	return command
}

func (e *env) carryOutLoad(ctx context.Context, f loadFlags, w work) error {
	w.live = true
	if f.metrics != "" {
		told, err := prometheus.Listen(f.metrics)
		if err != nil {
			return badInput(fmt.Errorf("--metrics %s: %w", f.metrics, err))
		}
		defer told.Close()
		fmt.Fprintf(e.err, "metrics at http://%s/metrics\n", told.Address)
		w.listeners = append(w.listeners, told)
	}
	err := e.execute(ctx, &f.outputFlags, w)
	if measured(err) {
		return gravest(err, f.save(f.out))
	}
	return err
}

func (f *loadFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.kind, "kind", "unary",
		"`kind` of call: connect, first_call, unary, stream, ping_pong, burst, upload, download or both_ways")
	addKeyFlags(flags)
	flags.StringVar(&f.rate, "rate", "", "arrival `rate` in calls per second: an open loop; without it, the loop is closed")
	flags.BoolVar(&f.poisson, "poisson", false, "random (Poisson) arrivals at --rate instead of evenly spaced ones")
	flags.StringVar(&f.connections, "connections", "1", "`number` of connections")
	flags.StringVar(&f.inFlight, "in-flight", "1", "concurrency limit: `calls` in flight per connection")
	flags.Lookup("in-flight").DefValue = "1; with a rate 50"
	flags.StringArrayVar(&f.options, "option", nil,
		"client option of the stack, `NAME=VALUE`; repeatable; rpcbench stacks lists them")
	flags.Uint64Var(&f.seed, "seed", 1, "`seed` of payloads and of random arrivals")
	f.workers.add(flags)
	flags.BoolVar(&f.mayLoad, consent.Flag, false, "allow a TARGET on another machine")
	flags.StringVar(&f.scenario, saveScenario, "", "write these flags as a scenario to `file`, for rpcbench run")
	f.outputFlags.flags(flags)
	withoutSimple(flags.Lookup("format"))
	f.saveFlags.flags(flags)
	alias.Load.Add(flags)
}

// plan makes the trials that the flags mean.
func (f *loadFlags) plan(ctx context.Context, e *env, flags *pflag.FlagSet, written *alias.Words) (work, error) {
	if err := e.oneTarget(f.verb, written.Args); err != nil {
		return work{}, err
	}
	at, err := target.Parse(written.Args[0])
	if strings.HasSuffix(written.Args[0], ".yaml") {
		err = fmt.Errorf("%s: a scenario has its own targets; use rpcbench run", written.Args[0])
	}
	if err == nil {
		err = written.CheckTarget(at.IsHTTP())
	}
	if err == nil && !at.IsHTTP() {
		err = f.nameOne(ctx, flags, written.Args[0])
	}
	if err != nil {
		return work{}, badInput(err)
	}
	c, err := f.caseOf(flags, written, written.Args[0])
	if err != nil {
		return work{}, badInput(err)
	}
	if err = f.checkFiles(c.Scenario.Cases[0].Service().Files()); err == nil {
		err = f.checkScenario(c)
	}
	if err != nil {
		return work{}, badInput(err)
	}
	w, err := f.planCase(ctx, e, c)
	if err != nil {
		return w, whatWasMeant(flags, err)
	}
	if note := oddBody(flags); note != "" && at.IsHTTP() {
		e.printNotes([]string{note})
	}
	if !f.single {
		e.printNotes(written.Notes)
	}
	return w, nil
}

// printNotes prints what may have been meant otherwise, before anything is measured.
func (e *env) printNotes(notes []string) {
	for _, note := range notes {
		fmt.Fprintf(e.err, "note: %s\n", note)
	}
}

// planCase plans a case that flags have written.
func (f *loadFlags) planCase(ctx context.Context, e *env, c writtenCase) (work, error) {
	all, err := e.fleet(f.workers)
	if err != nil {
		return work{}, err
	}
	r := reach{fleet: all, strangerFlags: f.strangerFlags, hostFlags: f.hostFlags, mayLoad: f.mayLoad}
	w, err := e.planReached(ctx, r, []scenario.Scenario{c.Scenario}, plan.Config{Seed: f.seed},
		service.Config{Seed: f.seed, Unstarted: f.unstarted})
	if foreign, ok := errors.AsType[*recipe.ForeignError](err); ok && len(foreign.Methods) > 0 {
		return w, badInput(f.offer(foreign))
	}
	if err != nil {
		return w, err
	}
	c.Scenario = w.scenarios[0] // with the kind that the server said
	if err := f.saveScenario(c); err != nil {
		return w, badInput(err)
	}
	if f.scenario != "" && (len(f.require) > 0 || f.strict) {
		fmt.Fprintf(e.err, "note: --require and --strict are not in %s: give them to rpcbench run too.\n", f.scenario)
	}
	return w, nil
}

// coldStart reports whether the first call counts, with its connection, as in Vanadium's client.
func (f *loadFlags) coldStart(flags *pflag.FlagSet) bool {
	return f.format == formats.Vanadium && !flags.Changed("warmup")
}
