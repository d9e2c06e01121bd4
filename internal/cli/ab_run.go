package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"rpcbench/internal/call/secret"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/pairtable"
	"rpcbench/internal/results/evidence"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign"
	"rpcbench/internal/run/campaign/ab"
	"rpcbench/internal/run/fleet"
	"rpcbench/internal/run/leash"
	"rpcbench/internal/run/server"
	"rpcbench/internal/stack"
)

// experiment carries the pairs out, says the answer, and reports the file.
func (e *env) experiment(ctx context.Context, f abFlags, w work) error {
	base, end := w.plan.Trials[0], time.Now().Add(f.time)
	through, err := leash.Through()
	if err != nil {
		return failed(err)
	}
	servers := &ab.Servers{
		Through: through,
		A:       f.commands[0], B: f.commands[1], At: addressOf(base.Spec),
		Ready: f.ready, Settle: f.settle, Folder: evidence.Folder(evidence.FolderOf(f.out)),
		Seed: w.plan.Seed,
	}
	ctx, restore := interruptible(ctx, nothing, func() { servers.Kill(); f.sink.rescued() })
	defer restore()
	s, x, err := e.prepare(ctx, &f, w, servers)
	if err != nil {
		return err
	}
	defer s.close()
	defer suspendable(&s.runner.Driver)()
	x.End = end
	fmt.Fprintf(e.err, "pairs of trials of about %s each, at most %s, into %s\n",
		number.About(2*expected(base.Spec)), number.Span(f.time), s.where())
	err = s.runner.Run(ctx, x)
	x.Stopped(err, errors.Is(err, context.Canceled))
	limitations, unknown := f.limitations(x.Comparison())
	f.limited = f.checks(limitations)
	reported := e.finish(s, pairtable.Document(x.Experiment), f.judgeFlags)
	switch {
	case err != nil:
		return gravest(s.interruptedOr(err), unwritten(reported))
	case x.GivesUp():
		return gravest(failed(s.failing(x.Experiment, servers)), unwritten(reported))
	case !measured(reported):
		return reported
	case unknown != nil:
		return unknown
	}
	return graver(reported, f.judge(e.err, limitations))
}

// prepare rehearses, and creates the results file. A file that is resumed is looked at first.
func (e *env) prepare(ctx context.Context, f *abFlags, w work, servers *ab.Servers) (*search, *ab.Experiment, error) {
	if !f.resume {
		if err := rehearse(ctx, servers); err != nil {
			return nil, nil, err
		}
	}
	base := w.plan.Trials[0]
	design := f.design(base)
	if pairs.IsSame(design) {
		fmt.Fprintln(e.err, "warning: --a and --b start the same program with the same arguments, so a difference is chance or bias")
	}
	s, err := e.newSearch(ctx, &f.outputFlags, w, result.Header{Scenarios: abScenarios(design), AB: &design})
	if err != nil {
		return nil, nil, err
	}
	servers.Folder = evidence.Folder(evidence.FolderOf(f.out)) // the file may have got another name
	s.runner.Stage = servers
	x := &ab.Experiment{Experiment: pairs.New(&design), Settings: ab.Settings{Seed: f.seed, Alike: f.alike}, Base: base}
	x.Most = maxPairs
	if err = x.Recall(s.file); err != nil {
		err = badInput(fmt.Errorf("--resume: %w", err))
	} else if f.resume {
		err = s.rehearse(ctx, servers)
	}
	if err != nil {
		s.close()
		return nil, nil, err
	}
	return s, x, nil
}

// rehearse starts the servers of a file that is resumed. An interruption loses nothing.
func (s *search) rehearse(ctx context.Context, servers *ab.Servers) error {
	err := rehearse(ctx, servers)
	if ctx.Err() != nil {
		return s.interruptedOr(context.Canceled)
	}
	return err
}

// addressOf returns where servers listen. WebSockets are over TCP.
func addressOf(spec plan.Spec) server.Address {
	if spec.Network == stack.NetworkUnix {
		return server.Address{Network: stack.NetworkUnix, Text: spec.Target}
	}
	return server.Address{Network: stack.NetworkTCP, Text: spec.Target}
}

// failing says why pairs kept failing. Without a results file the servers' output is in a folder that is about to be removed.
func (s *search) failing(x *pairs.Experiment, servers *ab.Servers) error {
	if x.Failure == "" {
		return fmt.Errorf("three pairs in a row have no ratio of %s, which is unknown or 0: decide on another --metric",
			x.Metrics[0].Declare().Name)
	}
	if s.out.sink.name != "" {
		return fmt.Errorf("three pairs in a row failed; the last because: %s; with a file as --out, servers' output is kept", x.Failure)
	}
	return fmt.Errorf("three pairs in a row failed; the last because: %s; servers' output is in %s", x.Failure, servers.Folder)
}

// design describes the experiment for results, which hold no secrets.
func (f *abFlags) design(base plan.Trial) result.AB {
	design := result.AB{
		Base: &base,
		A:    programOf(f.commands[0]), B: programOf(f.commands[1]), SameRatio: f.same, WidthRatio: f.width, AlikePairs: f.alike,
		TimeNs: f.time.Nanoseconds(),
	}
	for _, metric := range f.decides {
		design.Metrics = append(design.Metrics, string(metric))
	}
	return design
}

// programOf describes a command. A program that can't be read has no hash.
func programOf(command []string) result.Program {
	_, hash, _ := fleet.HashOf(command[0])
	return result.Program{Command: secret.Words(command), SHA256: hash}
}

// abScenarios describes the sides.
func abScenarios(design result.AB) []result.Scenario {
	perform := func(server result.Program) string {
		return "How does " + strings.Join(server.Command, " ") + " perform?"
	}
	const alike = "How much do pairs of one server differ?"
	return []result.Scenario{
		{Name: string(pairs.A), Question: perform(design.A), Trials: 1},
		{Name: string(pairs.B), Question: perform(design.B), Trials: 1},
		{Name: string(pairs.First), Question: alike, Trials: 1},
		{Name: string(pairs.Second), Question: alike, Trials: 1},
	}
}

// rehearse starts each server once, where nothing listens yet.
func rehearse(ctx context.Context, servers *ab.Servers) error {
	if servers.At.Accepts(ctx) {
		return badInput(fmt.Errorf("something already listens on %s: stop it first, so that only --a and --b are measured", servers.At))
	}
	err := servers.Rehearse(ctx)
	absent, isAbsent := errors.AsType[*campaign.AbsentError](err)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return &exitError{exitInterrupted, errors.New("interrupted before anything was measured")}
	case isAbsent && absent.LastWords != "":
		return badInput(fmt.Errorf("%w; its last output: %s", err, absent.LastWords))
	case isAbsent:
		return badInput(err)
	default:
		return failed(err)
	}
}
