package cli

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/stacktable"
	"rpcbench/internal/run/fleet"
)

// stacksCommand prints what this binary can measure.
func (e *env) stacksCommand() *cobra.Command {
	var format string
	var workers workerFlags
	command := &cobra.Command{
		Use:     "stacks [STACK...]",
		Short:   "List the stacks, what each supports, and options of those named",
		Example: "  rpcbench stacks --format json\n  rpcbench stacks grpc-go",
		RunE: func(command *cobra.Command, names []string) error {
			if err := checkFormat(format, textOrJSON); err != nil {
				return err
			}
			f, err := e.fleet(workers)
			if err != nil {
				return err
			}
			offers, err := e.offers(command.Context(), f, names)
			if err != nil {
				return err
			}
			if format == "json" {
				return document.WriteJSON(e.out, stacktable.Describe(offers))
			}
			list := document.Document{stacktable.Table(offers)}
			if len(names) > 0 {
				list = append(list, stacktable.Options(offers)...)
			}
			return document.WriteText(e.out, list, styleOf(os.Stdout))
		},
	}
	command.ValidArgsFunction = e.completeStack
	addFormat(command.Flags(), &format, outputFormat, textOrJSON)
	workers.add(command.Flags())
	return command
}

// offers returns the named stacks, or all if none is.
func (e *env) offers(ctx context.Context, f *fleet.Fleet, names []string) ([]fleet.Offer, error) {
	if len(names) == 0 {
		for _, err := range f.Ask(ctx, f.Others()) {
			fmt.Fprintf(e.err, "left out: %v\n", err)
		}
		return f.All(), nil
	}
	known := f.Names()
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, badInput(fmt.Errorf("%q is not a stack%s", name, hint.Of(name, known)))
		}
	}
	if _, err := f.AskFor(ctx, names, nil); err != nil {
		return nil, failed(err)
	}
	return slices.DeleteFunc(f.All(), func(o fleet.Offer) bool { return !slices.Contains(names, o.Name) }), nil
}
