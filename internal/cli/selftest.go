package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/check/floor"
	"rpcbench/internal/check/script"
	"rpcbench/internal/check/selftest"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/stack"
)

// selftestFlags are those of selftest.
type selftestFlags struct {
	stacks      []string
	quick, full bool
	workers     string // a folder
}

// selftest measures servers whose behaviour is known.
func (e *env) selftest() *cobra.Command {
	var f selftestFlags
	command := &cobra.Command{
		Use:   "selftest",
		Short: "Tell whether this machine can be trusted to measure: what is reported beside what is true",
		Long: "Selftest measures servers whose behaviour is known, under every load, and prints what was reported beside what is\n" +
			"true by formula; then what the machine can't go below. It exits with 1 where a figure is further from the truth than\n" +
			"its tolerance, and with 4 where only figures are that the machine may have put off by doing other things.",
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error { return e.testSelf(command.Context(), f) },
	}
	flags := command.Flags()
	flags.StringSliceVar(&f.stacks, "stacks", nil, "only these stacks, with commas between them (those of this binary)")
	flags.BoolVar(&f.quick, "quick", false, "little of everything: some 7 seconds a stack instead of some 40")
	flags.BoolVar(&f.full, "full", false, "20,000 calls to every queue: some eleven minutes a stack")
	workersFlag(flags, &f.workers)
	command.AddCommand(e.scriptedWorker())
	return command
}

// scriptedWorker is a worker whose servers obey scripts. It is hidden, as worker is.
func (e *env) scriptedWorker() *cobra.Command {
	scripted := &env{out: e.out, err: e.err}
	for _, s := range e.stacks {
		scripted.stacks = append(scripted.stacks, script.Wrap(s))
	}
	return scripted.worker()
}

func (e *env) testSelf(ctx context.Context, f selftestFlags) error {
	if f.quick && f.full {
		return badInput(errors.New("--quick and --full exclude each other"))
	}
	all, err := e.fleet(f.workers)
	if err != nil {
		return err
	}
	pairs, err := all.pairs(ctx, f.stacks)
	if err != nil {
		return err
	}
	ctx, restore := interruptible(ctx, nothing)
	defer restore()
	bar := &progress{out: e.err, terminal: isTerminal(os.Stderr)}
	report, err := selftest.Run(ctx, selftest.Config{
		Pairs: pairs, Effort: f.effort(), Launcher: process.Launcher(all.scripted), Drive: driver.Run, Floor: floor.Measure,
		Now: time.Now, Meter: driver.NewMeter(), Begun: bar.begun,
	})
	bar.clear()
	if errors.Is(err, context.Canceled) {
		return &exitError{exitInterrupted, errors.New("interrupted")}
	}
	if err == nil {
		err = report.Write(e.out)
	}
	if err != nil {
		return failed(err)
	}
	if n := report.Failed(); n > 0 {
		return failed(fmt.Errorf("%s of %d not within tolerance", count(n, "figure"), len(report.Lines)))
	}
	if n := report.Inconclusive(); n > 0 {
		return &exitError{exitInconclusive, fmt.Errorf("%s of %d inconclusive: the machine did other things meanwhile",
			count(n, "figure"), len(report.Lines))}
	}
	return nil
}

func (f selftestFlags) effort() selftest.Effort {
	switch {
	case f.quick:
		return selftest.Quick()
	case f.full:
		return selftest.Full()
	default:
		return selftest.Usual()
	}
}

// begun shows what is running, on a terminal.
func (p *progress) begun(i, n int, what string) {
	if p.terminal {
		fmt.Fprintf(p.out, "%s[%d/%d] %s", clearLine, i+1, n, what)
	}
}

// pairs finds a server of this binary for every client: its own, or the first of its protocol.
func (f *fleet) pairs(ctx context.Context, names []string) ([]selftest.Pair, error) {
	if len(names) == 0 {
		for _, info := range f.own {
			if info.Calls && info.Serves {
				names = append(names, info.Name)
			}
		}
	}
	for _, name := range names {
		if worker, other := f.hostOf(name); other {
			if errs := f.ask(ctx, append(f.workers[:0:0], worker)); len(errs) > 0 {
				return nil, failed(errors.Join(errs...))
			}
		}
	}
	var pairs []selftest.Pair
	for _, name := range names {
		pair, err := f.pair(name)
		if err != nil {
			return nil, badInput(err)
		}
		pairs = append(pairs, pair)
	}
	return pairs, nil
}

func (f *fleet) pair(name string) (selftest.Pair, error) {
	offers := f.all()
	i := slices.IndexFunc(offers, func(o offer) bool { return o.Name == name })
	if i < 0 {
		return selftest.Pair{}, fmt.Errorf("--stacks: %q is unknown%s", name, hint.Of(name, f.names()))
	}
	client := offers[i]
	var servers []stack.Info
	for _, info := range f.own {
		if info.Serves && info.Protocol == client.Protocol {
			servers = append(servers, info)
		}
	}
	if !client.Calls || len(servers) == 0 || !slices.Contains(client.Kinds, stack.KindUnary) {
		return selftest.Pair{}, fmt.Errorf("--stacks: %s makes no unary calls that a server of this binary could answer", name)
	}
	own := slices.IndexFunc(servers, func(info stack.Info) bool { return info.Name == name })
	return selftest.Pair{
		Client: client.Info, Server: servers[max(own, 0)], LeastWarmup: client.leastWarmup,
	}, nil
}

// scripted is the command of the worker that hosts a stack, this binary's as one whose servers obey scripts.
func (f *fleet) scripted(order launch.Order) ([]string, error) {
	if _, other := f.hostOf(order.Stack); other {
		return f.command(order)
	}
	self, err := os.Executable()
	return []string{self, "selftest", "worker"}, err
}
