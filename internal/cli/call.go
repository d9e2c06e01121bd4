package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/call/once"
	"rpcbench/internal/cli/alias"
	"rpcbench/internal/report/answer"
	"rpcbench/internal/run/consent"
)

// ofCall lists the flags of load that define one call. The others define how often, by whom, and what is kept.
var ofCall = []string{
	"call", "data", "data-format", "rows-file", "sample", "metadata", "method", "expect-status", "authority", "http2", "unix-socket",
	"compression",
	"proto", "import-path", "protoset", "reflect-metadata", "security", "cacert", "cert", "key", "server-name",
	"insecure-skip-verify", basicAuth, "token-file", "token-env", consent.Flag, "trust", "deadline", "seed", "format",
}

// call makes one call.
func (e *env) call() *cobra.Command {
	f := loadFlags{verb: "call", single: true}
	command := &cobra.Command{
		Use:   "call TARGET",
		Short: "Make one call and print what was sent and what came back",
		Long: "Call makes one call, with the flags of load, and prints its\n" +
			"metadata, messages, status and timing. The exit code is 1 if the call fails.",
		Example: `  rpcbench call localhost:50051 --call shop.v1.Shop/Get --data '{"id": 7}'
  rpcbench call http://localhost:8080/items --format json`,
		RunE: func(command *cobra.Command, args []string) error {
			written, err := alias.Load.Take(command.Flags(), args)
			if err != nil {
				return badInput(err)
			}
			return e.callOnce(command.Context(), &f, command.Flags(), written)
		},
	}
	f.add(command.Flags())
	f.withheld = notOfCall(command.Flags())
	withhold(command.Flags(), f.withheld)
	setFormats(command.Flags().Lookup("format"), outputFormat, textOrJSON)
	return command
}

// notOfCall are the other flags of load, with why call refuses them.
func notOfCall(flags *pflag.FlagSet) map[string]string {
	reasons := map[string]string{}
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !slices.Contains(ofCall, f.Name) {
			reasons[f.Name] = "makes one call and keeps no results"
		}
	})
	return reasons
}

// callOnce makes the call that the flags describe.
func (e *env) callOnce(ctx context.Context, f *loadFlags, flags *pflag.FlagSet, written *alias.Words) error {
	if err := checkWithheld(flags, "call", f.withheld); err != nil {
		return err
	}
	if err := checkFormat(f.format, []string{"text", "json"}); err != nil {
		return err
	}
	w, err := f.plan(ctx, e, flags, written)
	if err != nil {
		return err
	}
	return e.exchange(ctx, w, f.format)
}

// exchange makes the first call of the work and prints it.
func (e *env) exchange(ctx context.Context, w work, format string) error {
	service, trial := w.scenarios[0].Cases[0].Service(), w.plan.Trials[0]
	if !service.IsForeign() {
		return badInput(errors.New("one call needs --call, a method of the server, or a URL as TARGET"))
	}
	ctx, restore := interruptible(ctx, nothing, nothing)
	defer restore()
	made, err := w.services.Once(ctx, service, trial)
	if ctx.Err() != nil {
		return errInterrupted
	}
	if err != nil {
		return failed(err)
	}
	var bad error
	for _, one := range made {
		if err := e.printExchange(one, service.Target.String(), format); err != nil {
			return failed(err)
		}
		if !one.Status.OK && bad == nil {
			bad = failed(fmt.Errorf("the call failed: %s", one.Status.Code))
		}
	}
	return bad
}

func (e *env) printExchange(made *once.Exchange, server, format string) error {
	if format == "json" {
		encoder := json.NewEncoder(e.out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(made)
	}
	_, err := fmt.Fprint(e.out, answer.Exchange(made, server))
	return err
}
