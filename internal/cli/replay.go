package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/trust"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/credential"
)

// replayFlags are all that replay is told.
type replayFlags struct {
	outputFlags

	workers     string // a folder
	credentials string // a folder, for a server that ran already
	as          string
	mayLoad     bool
}

// replay carries the plan of a results file out again.
func (e *env) replay() *cobra.Command {
	var f replayFlags
	command := &cobra.Command{
		Use:   "replay FILE.jsonl",
		Short: "Measure again: carry out the plan of a results file, into a new one",
		Args:  oneFile,
		RunE: func(command *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			w, err := f.plan(command.Context(), e, args[0])
			if err != nil {
				return err
			}
			err = e.execute(command.Context(), f.outputFlags, w)
			if exit, ok := errors.AsType[*exitError](err); err == nil || ok && exit.code == exitNotMet {
				fmt.Fprintf(e.err, "what changed: rpcbench compare %s %s\n", shellWord(args[0]), shellWord(f.out))
			}
			return err
		},
	}
	flags := command.Flags()
	workersFlag(flags, &f.workers)
	flags.StringVar(&f.credentials, "credentials", "", "the folder of keys that serve made, for a plan against that server")
	flags.StringVar(&f.as, "as", "", "the name of the client, one that rpcbench credentials has added")
	flags.BoolVar(&f.mayLoad, consentFlag, false, "load a server that is not on this machine, for a plan against one")
	f.flags(flags)
	return command
}

// plan makes the plan of the file's header one of this binary's.
func (f *replayFlags) plan(ctx context.Context, e *env, name string) (work, error) {
	file, err := result.ReadFile(name)
	if err != nil {
		return work{}, badInput(err)
	}
	if len(file.Header.Plan) == 0 {
		return work{}, badInput(fmt.Errorf("%s: its header has no plan, because its trials were decided one by one", name))
	}
	if err := campaign.CheckReplayable(file.Header.Plan); err != nil {
		return work{}, badInput(fmt.Errorf("%s: %w", name, err))
	}
	asks, err := f.asks(name, file.Header.Plan)
	if err != nil {
		return work{}, badInput(err)
	}
	all, err := e.fleet(f.workers)
	if err != nil {
		return work{}, err
	}
	notes, err := all.askFor(ctx, stacksOf(file.Header.Plan), "")
	if err != nil {
		return work{}, err
	}
	config, err := all.config(plan.Config{})
	if err != nil {
		return work{}, badInput(err)
	}
	again, err := plan.Replay(file.Header.Plan, file.Header.Seed, all.infos(), config.Elsewhere)
	if err != nil {
		return work{}, badInput(fmt.Errorf("%s: %w", name, err))
	}
	keys, err := f.keys(file.Header.Plan)
	if err != nil {
		return work{}, badInput(err)
	}
	replayed := plan.Note{Code: plan.NoteReplayed, Text: campaign.ReplayNote(file, binary(), all.libraries())}
	again.Notes = slices.Concat(file.Header.Notes, notes, []plan.Note{replayed})
	return work{
		plan: again, fleet: all, keys: keys, replayed: file.Header.Scenarios, files: []string{name}, asks: asks,
	}, nil
}

// libraries are those of all stacks that can be planned.
func (f *fleet) libraries() []campaign.Library {
	var libraries []campaign.Library
	for _, o := range f.all() {
		libraries = append(libraries, campaign.Library{Stack: o.Name, Text: o.library})
	}
	return libraries
}

// asks are what the plan asks for, without the servers that the user may load.
func (f *replayFlags) asks(name string, trials []plan.Trial) ([]trust.Ask, error) {
	var left []trust.Ask
	for _, ask := range trust.OfPlan(name, trials) {
		may := ask.Kind == trust.Target && f.mayLoad
		if host := ask.Host(); host != "" && !may {
			var err error
			if may, err = isListed(consentPath(), host); err != nil {
				return nil, err
			}
		}
		if !may {
			left = append(left, ask)
		}
	}
	return left, nil
}

// stacksOf names the stacks of a plan, each once.
func stacksOf(trials []plan.Trial) []string {
	var names []string
	for _, t := range trials {
		for _, name := range []string{t.Spec.Stack, t.Spec.Server} {
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// keys are fresh ones, nil, where the servers are our own; a server that ran already has its own folder of them.
func (f *replayFlags) keys(trials []plan.Trial) (*credential.Set, error) {
	theirs := slices.DeleteFunc(slices.Clone(trials), func(t plan.Trial) bool { return t.Spec.Target == "" })
	if len(theirs) == 0 {
		if f.credentials != "" || f.as != "" {
			return nil, errors.New("--credentials and --as are for a server that runs already, and this plan has none")
		}
		return nil, nil
	}
	spec := theirs[0].Spec
	if i := slices.IndexFunc(theirs, func(t plan.Trial) bool { return t.Spec.Security != stack.SecurityPlaintext }); i >= 0 {
		spec = theirs[i].Spec
	}
	if spec.Security != stack.SecurityPlaintext && f.credentials == "" {
		return nil, fmt.Errorf("%s needs --credentials, the folder of its keys", spec)
	}
	id := identity{security: spec.Security, credentials: f.credentials, as: f.as, isClient: true}
	return id.client()
}
