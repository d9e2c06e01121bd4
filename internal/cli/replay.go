package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/plan/trust"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign"
	"rpcbench/internal/run/consent"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/credential"
)

// replayFlags holds the flags of replay.
type replayFlags struct {
	outputFlags

	workers     workerFlags
	credentials string // a folder, for a server that ran already
	as          string
	mayLoad     bool
}

// replay carries the plan of a results file out again.
func (e *env) replay() *cobra.Command {
	var f replayFlags
	command := &cobra.Command{
		Use:     "replay FILE.jsonl",
		Short:   "Repeat the plan of a results file, into a new file",
		Example: "  rpcbench replay results.jsonl --out again.jsonl",
		Args:    oneFile,
		RunE: func(command *cobra.Command, args []string) error {
			if err := f.check(e.temporary); err != nil {
				return err
			}
			w, err := f.plan(command.Context(), e, args[0])
			if err != nil {
				return err
			}
			err = e.execute(command.Context(), &f.outputFlags, w)
			if measured(err) && f.sink.name == "" {
				fmt.Fprintf(e.err, "what changed: rpcbench compare %s %s\n", point.Quoted(args[0]), point.Quoted(f.out))
			}
			return err
		},
	}
	flags := command.Flags()
	f.workers.add(flags)
	flags.StringVar(&f.credentials, "credentials", "",
		"`folder` of keys that rpcbench serve made, for a plan that loads that server")
	flags.StringVar(&f.as, "as", "", "client `name`, one added by rpcbench credentials")
	flags.BoolVar(&f.mayLoad, consent.Flag, false, "allow a plan that loads servers on other machines")
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
		return work{}, badInput(fmt.Errorf("%s: its header has no plan, because its trials were chosen one by one", name))
	}
	if err := campaign.CheckReplayable(file.Header.Plan); err != nil {
		return work{}, badInput(fmt.Errorf("%s: %w", name, err))
	}
	asks, err := withoutMine(trust.OfPlan(name, file.Header.Plan), f.mayLoad)
	if err != nil {
		return work{}, badInput(err)
	}
	all, err := e.fleet(f.workers)
	if err != nil {
		return work{}, err
	}
	allowed := executes(asks) // to plan is to ask the program what it hosts
	if allowed {
		if err := e.consent(f.strangerFlags, []string{name}, asks); err != nil {
			return work{}, err
		}
	}
	again, err := all.Replay(ctx, file.Header.Plan, file.Header.Seed)
	if bad, ok := errors.AsType[*scenario.Error](err); ok {
		err = fmt.Errorf("%s: %w", name, bad)
	}
	if err != nil {
		return work{}, badOrNotStarted(err)
	}
	keys, err := f.keys(file.Header.Plan)
	if err != nil {
		return work{}, badInput(err)
	}
	replayed := plan.Note{Code: plan.NoteReplayed, Text: campaign.ReplayNote(file, binary(), all.Libraries())}
	again.Notes = slices.Concat(file.Header.Notes, again.Notes, []plan.Note{replayed})
	return work{
		plan: again, fleet: all, keys: keys, replayed: file.Header.Scenarios, files: []string{name}, asks: asks,
		allowed: allowed,
	}, nil
}

// keys returns nil, for fresh keys, if the servers are our own; a server that was already running has its own folder of keys.
func (f *replayFlags) keys(trials []plan.Trial) (*credential.Set, error) {
	theirs := slices.DeleteFunc(slices.Clone(trials), func(t plan.Trial) bool { return t.Spec.Target == "" })
	if len(theirs) == 0 {
		if f.credentials != "" || f.as != "" {
			return nil, errors.New("--credentials and --as apply to a running server, and this plan has none")
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
	return f.open(spec.Security)
}

// open opens the keys of the client; nil in plaintext.
func (f *replayFlags) open(security string) (*credential.Set, error) {
	switch {
	case security == stack.SecurityPlaintext && f.credentials != "":
		return nil, errors.New("--credentials: plaintext has none")
	case security != stack.SecurityMTLS && f.as != "":
		return nil, errors.New("--as needs --security mtls: only then clients have names")
	case f.credentials == "":
		return nil, nil
	}
	keys, err := credential.OpenClient(f.credentials, f.as)
	if err != nil {
		return nil, fmt.Errorf("--credentials: %w", err)
	}
	return &keys, nil
}
