package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rpcbench/internal/check/conform"
	"rpcbench/internal/plan/point"
)

// conform judges a worker by the protocol.
func (e *env) conform() *cobra.Command {
	config := conform.Config{Temporary: e.temporary, Notice: func(format string, args ...any) {
		fmt.Fprintf(e.err, format+"\n", args...)
	}}
	var list bool
	var step, pattern string
	command := &cobra.Command{
		Use:   "conform [-- COMMAND ARGS…]",
		Short: "Check that a worker conforms to worker.v1",
		Long: "Conform runs the conformance suite against a worker in any language, started as\n" +
			"COMMAND, and prints a line per case. Without COMMAND it checks this binary's own\n" +
			"worker.\n\n" +
			"Each case tests a step of docs/new-worker.md, a tutorial for writers of workers.\n" +
			"If cases fail, the last line names the step to begin with.\n\n" +
			"Timing cases run last, one at a time. Where this machine is too late to judge\n" +
			"one, the case is inconclusive and the exit code is 4.",
		Example: `  rpcbench conform --case unary -- java/grpc-java/worker
  rpcbench conform --list`,
		RunE: func(command *cobra.Command, args []string) error {
			own, err := os.Executable()
			if err != nil {
				return failed(fmt.Errorf("find this binary: %w", err))
			}
			if config.Step, err = conform.ParseStep(step); err != nil {
				return badInput(fmt.Errorf("--step: %w", err))
			}
			if config.Case, err = point.CasePattern(pattern); err != nil {
				return badInput(err)
			}
			config.Reference = []string{own, "worker"}
			if config.Command = args; len(args) == 0 {
				config.Command = config.Reference
			}
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			err = e.judge(ctx, config, list)
			if ctx.Err() != nil {
				return errInterrupted
			}
			return err
		},
	}
	flags := command.Flags()
	flags.StringSliceVar(&config.Stacks, "stack", nil, "comma-separated `stacks` of the worker to check (default all)")
	flags.StringVar(&pattern, "case", "", "run only the cases whose names match this `regexp`")
	flags.StringVar(&step, "step", "", "run only the cases of this step of docs/new-worker.md: a `number`")
	flags.StringVar(&config.Timing, "timing", conform.TimingToo, "run the `timing` cases: too, no or only")
	flags.BoolVar(&config.Share, "share", false,
		"run cases that do not judge processes in shared ones, if the worker can hold several sessions")
	flags.BoolVar(&list, "list", false, "list the cases, each with its step, without running them")
	return command
}

func (e *env) judge(ctx context.Context, config conform.Config, list bool) error {
	if err := checkTiming(config.Timing); err != nil {
		return badInput(err)
	}
	config.Share = config.Share && !list
	suite, err := conform.New(ctx, config)
	switch {
	case errors.Is(err, conform.ErrUnknownStack), errors.Is(err, conform.ErrNoWorker), errors.Is(err, conform.ErrNoSessions):
		return badInput(err)
	case err != nil:
		return failed(err)
	case len(suite.Cases) == 0:
		return badInput(noCase(config))
	}
	if list {
		names := make([]string, len(suite.Cases))
		for i, c := range suite.Cases {
			names[i] = fmt.Sprintf("%d  %s", c.Step, c.Name)
		}
		_, err := fmt.Fprintln(e.out, strings.Join(names, "\n"))
		return err
	}
	verdict, err := suite.Run(ctx, e.out)
	switch {
	case err != nil:
		return failed(err)
	case verdict.Failed > 0:
		return failed(fmt.Errorf("%d cases failed", verdict.Failed))
	case verdict.Inconclusive > 0:
		return &exitError{exitInconclusive, fmt.Errorf("%d timing cases could not be judged, because this machine was late",
			verdict.Inconclusive)}
	}
	return nil
}

// noCase says why there is nothing to run.
func noCase(config conform.Config) error {
	if config.Step == 0 {
		return fmt.Errorf("no case's name matches %q", config.Case)
	}
	return fmt.Errorf("step %v of this worker has no case whose name matches %q", config.Step, config.Case)
}

func checkTiming(word string) error {
	words := []string{conform.TimingToo, conform.NoTiming, conform.OnlyTiming}
	if !slices.Contains(words, word) {
		return fmt.Errorf("--timing: %q is not one of %s", word, strings.Join(words, ", "))
	}
	return nil
}
