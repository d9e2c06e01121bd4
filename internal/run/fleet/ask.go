package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/manifest"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// An answer is what a worker's stacks support, or why it did not answer.
type answer struct {
	hello  *control.Hello
	offers []Offer
	err    error
}

// A StartError says that a worker which is needed can't be started.
type StartError struct{ err error }

// NotStarted returns a StartError of what Ask returned.
func NotStarted(errs []error) *StartError { return &StartError{errors.Join(errs...)} }

func (e *StartError) Error() string { return e.err.Error() }
func (e *StartError) Unwrap() error { return e.err }

// Ask starts workers that were not asked yet, in parallel, to ask what their stacks support. It returns an error for each that
// did not answer well, now or before, in the order of the workers.
func (f *Fleet) Ask(ctx context.Context, workers []manifest.Worker) []error {
	answers := make([]answer, len(workers))
	var asking sync.WaitGroup
	for i, w := range workers {
		var known bool
		if answers[i], known = f.heard[w.Name]; !known {
			asking.Go(func() { answers[i] = f.askOne(ctx, w) })
		}
	}
	asking.Wait()
	var errs []error
	for i, w := range workers {
		f.heard[w.Name] = answers[i]
		if answers[i].err != nil {
			errs = append(errs, answers[i].err)
		}
	}
	return errs
}

func (f *Fleet) askOne(ctx context.Context, w manifest.Worker) answer {
	launcher, err := f.asking(w)
	if err != nil {
		return answer{err: fmt.Errorf("%s can't be started: %w", w, err)}
	}
	hello, err := launch.Ask(ctx, launcher, launch.Order{Stack: w.Stacks[0]})
	if err != nil {
		return answer{err: fmt.Errorf("%s %w", w, err)}
	}
	offers, err := offersOf(w, hello)
	return answer{hello, offers, err}
}

// AskFor asks the workers that the named stacks need. A worker that does not answer is an error if its stack is named, and a note
// if all stacks are. The stacks in serverless need one of our servers.
func (f *Fleet) AskFor(ctx context.Context, names, serverless []string) (notes []plan.Note, err error) {
	named := slices.DeleteFunc(slices.Clone(f.workers), func(w manifest.Worker) bool {
		return !slices.ContainsFunc(w.Stacks, func(s string) bool { return slices.Contains(names, s) })
	})
	if errs := f.Ask(ctx, named); len(errs) > 0 {
		return nil, NotStarted(errs)
	}
	if slices.Contains(names, point.All) || f.alone(serverless) {
		for _, err := range f.Ask(ctx, f.workers) {
			notes = append(notes, plan.Note{Code: plan.NoteWorkerMissing, Text: err.Error() + "."})
		}
	}
	return notes, nil
}

// serverless are the stacks of cases whose clients need a server of a worker's.
func serverless(scenarios []scenario.Scenario) []string {
	var names []string
	for _, s := range scenarios {
		for _, c := range s.Cases {
			if c.Service().IsZero() {
				names = append(names, namesOf(c)...)
			}
		}
	}
	return names
}

// StackNames are all that the cases say of stacks, on either side.
func StackNames(scenarios []scenario.Scenario) []string {
	var names []string
	for _, s := range scenarios {
		for _, c := range s.Cases {
			names = append(names, namesOf(c)...)
		}
	}
	return names
}

// namesOf returns the names of stacks in a case.
func namesOf(c scenario.Case) []string {
	var names []string
	for _, p := range c.Each("stack") {
		names = append(names, p.Stack)
	}
	for _, p := range c.Each("server") {
		if p.Program == nil {
			names = append(names, p.Server)
		}
	}
	return names
}

// alone reports whether a client among the names has no server of its protocol yet, so that one must be looked for.
func (f *Fleet) alone(names []string) bool {
	infos := f.Infos()
	return slices.ContainsFunc(infos, func(client stack.Info) bool {
		return slices.Contains(names, client.Name) && client.Calls && client.Protocol != stack.ProtocolCodec &&
			!slices.ContainsFunc(infos, func(server stack.Info) bool {
				return server.Serves && server.Protocol == client.Protocol
			})
	})
}
