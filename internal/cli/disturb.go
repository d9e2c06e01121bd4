package cli

import (
	"context"
	"io"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"rpcbench/internal/check/calibrate"
	"rpcbench/internal/check/disturb"
	"rpcbench/internal/run/child"
)

// disturber disturbs other processes until its input ends. It is hidden, as worker is.
func disturber() *cobra.Command {
	return &cobra.Command{
		Use: "disturber KIND", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			kind, err := disturb.Find(args[0])
			if err != nil {
				return badInput(err)
			}
			ctx, cancel := context.WithCancel(command.Context())
			go func() {
				_, _ = io.Copy(io.Discard, os.Stdin)
				cancel()
			}()
			kind.Run(ctx)
			return nil
		},
	}
}

// disturbances returns those of processes of this binary.
func disturbances() []calibrate.Disturbance {
	var all []calibrate.Disturbance
	for _, kind := range disturb.Kinds() {
		all = append(all, calibrate.Disturbance{Name: kind.Name, Is: kind.Is, Begin: func() (end func(), err error) {
			self, err := os.Executable()
			if err != nil {
				return nil, err
			}
			piped, err := child.StartPiped(exec.Command(self, "selftest", "disturber", kind.Name), nil)
			if err != nil {
				return nil, err
			}
			return func() {
				_ = piped.In.Close()
				_ = piped.Wait()
			}, nil
		}})
	}
	return all
}
