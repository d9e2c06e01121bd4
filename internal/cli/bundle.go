package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/bundle"
	"rpcbench/internal/results/pack"
)

// bundle packs a results file with all that belongs to it.
func (e *env) bundle() *cobra.Command {
	var output, heapDumps string
	command := &cobra.Command{
		Use:     "bundle FILE.jsonl",
		Short:   "Pack results, evidence and report into one archive",
		Example: "  rpcbench bundle results.jsonl",
		Args:    oneFile,
		RunE: func(command *cobra.Command, args []string) error {
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			return e.bundleFile(ctx, args[0], output, heapDumps)
		},
	}
	command.Flags().StringVar(&output, "output", "", "archive `file` (default FILE.tar.gz)")
	command.Flags().StringVar(&heapDumps, "heap-dumps", "",
		"what to do with heap dumps, which hold keys and payloads: `include` or omit (required if there are any)")
	return command
}

func oneFile(command *cobra.Command, args []string) error {
	if len(args) != 1 {
		return badInput(fmt.Errorf("%s needs one results file", command.Name()))
	}
	return nil
}

func (e *env) bundleFile(ctx context.Context, results, output, heapDumps string) error {
	if output == "" {
		output = strings.TrimSuffix(results, ".jsonl") + ".tar.gz"
	}
	if heapDumps != "" && heapDumps != bundle.IncludeHeapDumps && heapDumps != bundle.OmitHeapDumps {
		return badInput(fmt.Errorf("--heap-dumps %s: must be include or omit", heapDumps))
	}
	packed, lost, err := bundle.Of(results, heapDumps)
	if dump, ok := errors.AsType[*bundle.HeapDumpError](err); ok {
		err = fmt.Errorf("%w: give --heap-dumps omit, or --heap-dumps include", dump)
	}
	if err != nil {
		return badInput(err)
	}
	for _, path := range lost {
		fmt.Fprintf(e.err, "warning: %s of a trial is missing\n", path)
	}
	err = pack.Create(ctx, output, packed)
	switch {
	case ctx.Err() != nil:
		return errInterrupted
	case errors.Is(err, fs.ErrExist):
		return badInput(fmt.Errorf("--output: %s exists already: choose another name", output))
	case err != nil:
		return failed(err)
	}
	fmt.Fprintf(e.err, "%s in %s; its README.txt says how to read them\n", number.Count(len(packed.Files), "file"), output)
	return nil
}
