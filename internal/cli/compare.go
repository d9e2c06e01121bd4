package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/plan"
	"rpcbench/internal/report"
	"rpcbench/internal/report/comparison"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/require"
	"rpcbench/internal/results/source"
)

type compareFlags struct {
	by      string // an axis; empty compares files
	base    string // with by
	metrics []string
	byCall  bool
	format  string
	output  string
	choiceFlags
	changeFlags
}

// compare sets results side by side and tests every difference.
func (e *env) compare() *cobra.Command {
	var flags compareFlags
	command := &cobra.Command{
		Use: "compare BASE.jsonl OTHER.jsonl ...\n  rpcbench compare BASE*.jsonl -- OTHER*.jsonl\n" +
			"  rpcbench compare FILE.jsonl --by AXIS",
		Short: "Compare results, and test whether differences are noise",
		Example: `  rpcbench compare before.jsonl after.jsonl
  rpcbench compare old1.jsonl old2.jsonl -- new1.jsonl new2.jsonl
  rpcbench compare results.jsonl --by stack --metric response_p99`,
		Args: func(command *cobra.Command, files []string) error {
			misplaced := slices.IndexFunc(files, func(f string) bool { return f != "--" && strings.HasPrefix(f, "--") })
			switch {
			case misplaced >= 0:
				return fmt.Errorf("%s: write flags before --, which separates the files of one side from those of the next", files[misplaced])
			case flags.by == "" && len(groupsOf(files, command.ArgsLenAtDash())) < 2:
				return errors.New("compare needs two results files or more, or one and --by, such as --by stack")
			case flags.by != "" && len(files) == 0:
				return errors.New("compare needs a results file")
			}
			return nil
		},
		RunE: func(command *cobra.Command, files []string) error {
			return e.compareFiles(groupsOf(files, command.ArgsLenAtDash()), flags)
		},
	}
	f := command.Flags()
	f.StringVar(&flags.by, "by", "", "compare within the files by this `axis`: "+strings.Join(compare.AxisNames(), ", "))
	f.StringVar(&flags.base, "base", "", "with --by: baseline `value` (default: the first)")
	f.BoolVar(&flags.byCall, "by-call", false, "of mixed calls compare each by itself, too")
	f.StringArrayVar(&flags.metrics, "metric", nil,
		"`metric` to compare, a CSV column, with or without its unit, or of other tools' files one of theirs, such as ns/op; "+
			"repeatable (default: the headlines of each row)")
	flags.choiceFlags.flags(f)
	flags.changeFlags.flags(f)
	addFormat(f, &flags.format, outputFormat, comparison.Formats())
	f.StringVar(&flags.output, "output", "", "write to `file`")
	return command
}

// groupsOf returns the files of each side: separated by "--", or else each file by itself.
func groupsOf(files []string, dash int) [][]string {
	var groups [][]string
	if dash < 0 {
		for _, file := range files {
			groups = append(groups, []string{file})
		}
		return groups
	}
	rest := slices.Insert(slices.Clone(files), dash, "--")
	for len(rest) > 0 {
		end := slices.Index(rest, "--")
		if end < 0 {
			end = len(rest)
		}
		if end > 0 {
			groups = append(groups, rest[:end])
		}
		rest = rest[min(end+1, len(rest)):]
	}
	return groups
}

func (e *env) compareFiles(groups [][]string, flags compareFlags) error {
	if err := checkFormat(flags.format, comparison.Formats()); err != nil {
		return err
	}
	if flags.output != "" {
		if err := checkOverwrite(namedFile{"--output", flags.output}, arguments(slices.Concat(groups...))); err != nil {
			return badInput(err)
		}
	}
	compared, err := flags.compare(groups)
	if err != nil {
		return badInput(err)
	}
	all, unknown := flags.limitations(compared)
	limits := document.Checks{Of: strings.Join(slices.Concat(groups...), ", "), List: flags.checks(all)}
	if err := e.print(flags.output, report.Options{}, func(w io.Writer, options report.Options) error {
		return comparison.Write(w, flags.format, compared, limits, options.Style)
	}); err != nil {
		return err
	}
	if unknown != nil {
		return unknown
	}
	return flags.judge(e.err, all)
}

// compare reads the flags, then the files.
func (f *compareFlags) compare(groups [][]string) (*compare.Comparison, error) {
	if err := errors.Join(f.check(), f.checkJUnit(f.format)); err != nil {
		return nil, err
	}
	selection, err := f.selection()
	if err != nil {
		return nil, err
	}
	sides, err := source.Sides(groups, selection, f.by, f.base)
	if err != nil {
		return nil, err
	}
	if err := f.checkNames(func(unit string) bool {
		return slices.ContainsFunc(sides, func(s compare.Set) bool { return s.Has(unit) })
	}); err != nil {
		return nil, err
	}
	return compare.Of(f.same, sides[0], sides[1:]...)
}

// checkNames refuses a name that is neither a metric of rpcbench nor one that the files of other tools have.
func (f *compareFlags) checkNames(have func(unit string) bool) error {
	for _, name := range f.metrics {
		if _, err := require.Metric(name); err != nil && !have(name) {
			return fmt.Errorf("--metric: %w", err)
		}
	}
	for _, limit := range f.limits {
		if _, err := require.Metric(limit.Metric()); err != nil && !have(limit.Metric()) {
			return fmt.Errorf("--fail-on %s: %w", limit, err)
		}
	}
	return nil
}

func (f *compareFlags) selection() (compare.Selection, error) {
	s := compare.Selection{ByCall: f.byCall}
	if f.by != "" {
		axis, ok := compare.AxisOf(f.by)
		if !ok {
			return s, fmt.Errorf("--by: %q is not an axis of comparison%s", f.by,
				hint.Of(f.by, compare.AxisNames()))
		}
		s.By, s.Floor = axis, f.base == plan.FloorStack
	} else if f.base != "" {
		return s, errors.New("--base requires --by; without --by the first file is the base")
	}
	for _, name := range f.metrics {
		if metric, err := require.Metric(name); err == nil {
			s.Metrics = append(s.Metrics, metric)
		} else {
			s.Units = append(s.Units, name)
		}
	}
	for _, limit := range f.limits {
		if metric, err := require.Metric(limit.Metric()); err == nil {
			s.Also = append(s.Also, metric)
		} else if s.Units != nil {
			s.Units = append(s.Units, limit.Metric())
		}
	}
	var err error
	s.Choice, err = f.choice()
	return s, err
}
