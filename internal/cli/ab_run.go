package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"rpcbench/internal/call/secret"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/answer"
	"rpcbench/internal/results/evidence"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign"
	"rpcbench/internal/run/campaign/ab"
	"rpcbench/internal/run/leash"
	"rpcbench/internal/run/server"
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
		A:       f.commands[0], B: f.commands[1], At: server.Address{Network: base.Spec.Network, Text: base.Spec.Target},
		Ready: f.ready, Settle: f.settle, Folder: evidence.Folder(evidence.FolderOf(f.out)),
		Seed: w.plan.Seed, Temporary: w.fleet.Temporary(),
	}
	ctx, restore := interruptible(ctx, nothing, servers.Kill)
	defer restore()
	if err := rehearse(ctx, servers); err != nil {
		return err
	}
	s, err := e.newSearch(ctx, &f.outputFlags, w, abScenarios(f))
	if err != nil {
		return err
	}
	defer s.close()
	servers.Folder = evidence.Folder(evidence.FolderOf(f.out)) // the file may have got another name
	s.runner.Stage = servers
	defer suspendable(&s.runner.Driver)()
	fmt.Fprintf(e.err, "pairs of trials of about %s each, at most %v, into %s\n",
		number.About(2*expected(base.Spec)), f.time, f.where())
	x := answer.Experiment{Experiment: &ab.Experiment{
		Settings: ab.Settings{Seed: f.seed, Alike: f.alike, Same: f.same, Width: f.width, Most: maxABPairs},
		Base:     base, Metric: f.metric, End: end,
	}}
	err = s.runner.Run(ctx, x)
	limitations, unknown := f.limitations(x.Comparison())
	f.limited = f.checks(limitations)
	reported := e.finish(s, x.Answer(err), f.judgeFlags)
	switch {
	case err != nil:
		return interruptedOr(err, f.where())
	case ab.Failing(x.Outcomes):
		return failed(fmt.Errorf("three pairs in a row failed; the last because: %s; servers' output is in %s", x.Failure,
			servers.Folder))
	case !measured(reported):
		return reported
	case unknown != nil:
		return unknown
	}
	return graver(reported, f.judge(e.err, limitations))
}

// abScenarios describes the sides for results, which hold no secrets.
func abScenarios(f abFlags) []result.Scenario {
	a, b := strings.Join(secret.Words(f.commands[0]), " "), strings.Join(secret.Words(f.commands[1]), " ")
	return []result.Scenario{
		{Name: string(ab.A), Question: "How does server A perform? It is " + a, Trials: 1},
		{Name: string(ab.B), Question: "How does server B perform? It is " + b, Trials: 1},
		{Name: string(ab.First), Question: "How does server A perform in the part of A, compared with itself?", Trials: 1},
		{Name: string(ab.Second), Question: "How does server A perform in the part of B, compared with itself?", Trials: 1},
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
