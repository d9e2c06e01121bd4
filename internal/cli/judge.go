package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/require"
)

// judgeFlags turn the findings of a report into an exit code.
type judgeFlags struct {
	strict  bool
	require []string

	requirements []require.Requirement
}

func (f *judgeFlags) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&f.strict, "strict", false, "exit with code 3 unless every verdict is OK")
	flags.StringArrayVar(&f.require, "require", nil,
		"exit with code 3 unless the worst row meets this `requirement`, such as 'response_p99<5ms', 'errors<0.1%' or "+
			"'calls_per_sec>=1000', and with 4 if that is inconclusive; repeatable")
}

// check reads the requirements.
func (f *judgeFlags) check() error {
	var err error
	if f.requirements, err = require.ParseAll(f.require); err != nil {
		return fmt.Errorf("--require: %w", err)
	}
	return nil
}

// judge says on out which requirements are met. Its error has exit code 3 where the rows don't hold, and 4 where that can't be
// told.
func (f *judgeFlags) judge(out io.Writer, rows []*analysis.Row) error {
	findings, err := require.CheckAll(f.requirements, rows)
	if err != nil {
		return badInput(fmt.Errorf("--require: %w", err))
	}
	for _, finding := range findings {
		fmt.Fprintln(out, requirementLine(finding))
	}
	outcome := require.Worst(findings)
	var problems []error
	if outcome == require.NotMet {
		problems = append(problems, errors.New("a requirement is not met"))
	}
	if f.strict {
		problems = append(problems, doubtful(rows))
	}
	if err := errors.Join(problems...); err != nil {
		return &exitError{exitNotMet, err}
	}
	if outcome == require.Inconclusive {
		return &exitError{exitInconclusive, errors.New("whether a requirement is met is inconclusive")}
	}
	return nil
}

// requirementLine says which row decides, by which value, and why that is inconclusive.
func requirementLine(f require.Finding) string {
	value := f.Text()
	if interval := f.Interval(); interval != "" {
		value += " (" + interval + ")"
	}
	line := fmt.Sprintf("%s: %s; the worst row has %s: %s", f.Requirement, f.Outcome, value, rowText(f.Row))
	if f.Why != "" {
		line += "; " + f.Why
	}
	return line
}

// doubtful says how many rows are not OK, and names the first of them.
func doubtful(rows []*analysis.Row) error {
	var first *analysis.Row
	n := 0
	for _, row := range rows {
		if row.Verdict() == analysis.VerdictOK {
			continue
		}
		if n++; first == nil {
			first = row
		}
	}
	if first == nil {
		return nil
	}
	return fmt.Errorf("--strict: %s of %d not OK; the first is %s: %s", number.Count(n, "row"), len(rows), first.Verdict(),
		rowText(first))
}

// rowText names a row as progress names its trials.
func rowText(row *analysis.Row) string {
	trials := row.Trials
	if len(trials) == 0 {
		trials = row.Failed
	}
	return strings.TrimPrefix(row.Key.Scenario+": ", "load: ") + trials[0].Spec.String()
}

// graver prefers an error over an inconclusive result.
func graver(a, b error) error {
	if exit, ok := errors.AsType[*exitError](a); b == nil || ok && exit.code != exitInconclusive {
		return a
	}
	return b
}

// measured reports whether everything was measured, whatever the figures.
func measured(err error) bool {
	exit, ok := errors.AsType[*exitError](err)
	return err == nil || ok && (exit.code == exitNotMet || exit.code == exitInconclusive)
}
