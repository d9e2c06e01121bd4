package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"rpcbench/internal/report/document"
	"rpcbench/internal/report/hosttable"
	"rpcbench/internal/run/hosts"
)

// hostsCommand has the commands for other machines.
func (e *env) hostsCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "hosts",
		Short: "Check the machines that workers can run on",
		Args:  noArguments,
		RunE:  help,

		DisableFlagsInUseLine: true,
	}
	addVerbs(command, "Commands", e.hostsCheck())
	return command
}

// hostsCheck connects to each machine, and describes it.
func (e *env) hostsCheck() *cobra.Command {
	var f hostFlags
	var format string
	command := &cobra.Command{
		Use:     "check [HOST ...]",
		Short:   "Connect to every host, and print what it is and can measure",
		Example: "  rpcbench hosts check\n  rpcbench hosts check db1 db2 --hosts lab.yaml",
		RunE: func(command *cobra.Command, names []string) error {
			if err := checkFormat(format, textOrJSON); err != nil {
				return err
			}
			list, err := f.read()
			if err != nil {
				return badInput(err)
			}
			if len(names) == 0 {
				names = list.Names()
			}
			wanted, err := list.Named(names)
			if err != nil {
				return badInput(err)
			}
			if len(wanted) == 0 {
				return badInput(fmt.Errorf("%s lists no host", f.file))
			}
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			checks, left := hosts.Check(ctx, wanted, e.said())
			interrupted := ctx.Err() != nil
			if format == "json" {
				err = document.WriteJSON(e.out, hosttable.Describe(checks))
			} else {
				err = document.WriteText(e.out, hosttable.Document(checks), document.Style{})
			}
			if err != nil {
				return failed(err)
			}
			if interrupted {
				return &exitError{exitInterrupted, errors.Join(errors.New("interrupted"), left)}
			}
			for _, check := range checks {
				if check.Err != nil {
					return failed(errors.New("not every host can be used"))
				}
			}
			if left != nil {
				return failed(left)
			}
			return nil
		},
	}
	f.flags(command.Flags())
	addFormat(command.Flags(), &format, outputFormat, textOrJSON)
	return command
}
