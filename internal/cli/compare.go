package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/require"
	"rpcbench/internal/results/source"
)

type compareFlags struct {
	by      string // an axis; empty compares files
	base    string // with by
	metrics []string
	failOn  []string
	format  string
	output  string

	limits []compare.Limit
}

// compare sets results side by side and tests every difference.
func (e *env) compare() *cobra.Command {
	var flags compareFlags
	command := &cobra.Command{
		Use:   "compare BASE.jsonl OTHER.jsonl ...\n  rpcbench compare FILE.jsonl --by AXIS",
		Short: "Compare results, and tell differences from noise",
		Example: `  rpcbench compare before.jsonl after.jsonl
  rpcbench compare results.jsonl --by stack --metric response_p99`,
		Args: func(_ *cobra.Command, files []string) error {
			switch {
			case flags.by == "" && len(files) < 2:
				return errors.New("compare needs two results files or more, or one and --by, such as --by stack")
			case flags.by != "" && len(files) == 0:
				return errors.New("compare needs a results file")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error { return e.compareFiles(files, flags) },
	}
	f := command.Flags()
	f.StringVar(&flags.by, "by", "", "compare within the files by this `axis`: "+strings.Join(compare.AxisNames(), ", "))
	f.StringVar(&flags.base, "base", "", "with --by: baseline `value` (default: the first)")
	f.StringArrayVar(&flags.metrics, "metric", nil,
		"`metric` to compare, a CSV column, with or without its unit; repeatable (default: the headlines of each row)")
	f.StringArrayVar(&flags.failOn, "fail-on", nil,
		"exit with code 3 on a significant `change`, such as 'response_p99>+5%'; repeatable")
	f.StringVar(&flags.format, "format", report.FormatText, "output `format`: "+strings.Join(document.Formats(), ", "))
	f.StringVar(&flags.output, "output", "", "write to `file`")
	return command
}

func (e *env) compareFiles(names []string, flags compareFlags) error {
	if err := checkFormat(flags.format, document.Formats()); err != nil {
		return err
	}
	if flags.output != "" {
		if err := checkOverwrite(namedFile{"--output", flags.output}, arguments(names)); err != nil {
			return badInput(err)
		}
	}
	compared, err := flags.compare(names)
	if err != nil {
		return badInput(err)
	}
	if err := e.print(flags.output, report.Options{}, func(w io.Writer, options report.Options) error {
		return report.WriteComparison(w, flags.format, compared, options.Style)
	}); err != nil {
		return err
	}
	return e.checkLimits(flags.limits, compared)
}

// compare reads the flags, then the files.
func (f *compareFlags) compare(names []string) (*compare.Comparison, error) {
	for _, text := range f.failOn {
		limit, err := compare.ParseLimit(text)
		if err != nil {
			return nil, fmt.Errorf("--fail-on: %w", err)
		}
		f.limits = append(f.limits, limit)
	}
	selection, err := f.selection()
	if err != nil {
		return nil, err
	}
	sides, err := source.Sides(names, selection, f.by, f.base)
	if err != nil {
		return nil, err
	}
	return compare.Of(sides[0], sides[1:]...)
}

func (f *compareFlags) selection() (compare.Selection, error) {
	var s compare.Selection
	if f.by != "" {
		axis, ok := compare.AxisOf(f.by)
		if !ok {
			return s, fmt.Errorf("--by: %q is no axis that results are compared by%s", f.by,
				hint.Of(f.by, compare.AxisNames()))
		}
		s.By, s.Floor = axis, f.base == plan.FloorStack
	} else if f.base != "" {
		return s, errors.New("--base names a value of --by, which is not there; without it the first file is the base")
	}
	for _, name := range f.metrics {
		metric, err := require.Metric(name)
		if err != nil {
			return s, fmt.Errorf("--metric: %w", err)
		}
		s.Metrics = append(s.Metrics, metric)
	}
	return s, nil
}

// checkLimits says which changes are over the limits of --fail-on.
func (e *env) checkLimits(limits []compare.Limit, c *compare.Comparison) error {
	over := 0
	for _, limit := range limits {
		breaches, open, err := limit.Check(c)
		if err != nil {
			return badInput(fmt.Errorf("--fail-on: %w", err))
		}
		for _, breach := range breaches {
			percent, _, _, _ := breach.Line.Percent()
			fmt.Fprintf(e.err, "%s: over it: %s, %s: %+.1f%%\n", limit, breach.Line.Point, breach.Line.Side, percent)
		}
		for _, line := range open {
			fmt.Fprintf(e.err, "%s: can't be told of %s, %s: it needs at least %d trials a side\n", limit, line.Point, line.Side,
				line.Trials)
		}
		over += len(breaches)
	}
	if over > 0 {
		return &exitError{exitNotMet, fmt.Errorf("--fail-on: %s over a limit", number.Count(over, "change"))}
	}
	return nil
}
