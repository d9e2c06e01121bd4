package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/require"
)

// judgeFlags turn the findings of a report into an exit code.
type judgeFlags struct {
	strict  bool
	require []string

	requirements []require.Requirement
	isLimited    bool             // the report is held against limits of changes, too
	limited      []document.Check // these
}

func (f *judgeFlags) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&f.strict, "strict", false, "exit with code 3 unless every verdict is OK")
	flags.StringArrayVar(&f.require, "require", nil,
		"exit with code 3 unless the worst row meets this `requirement`, such as 'response_p99<5ms', 'errors<0.1%', "+
			"errors:UNAVAILABLE==0 or 'calls_per_sec>=1000', and with 4 if that is inconclusive; repeatable")
}

// check reads the requirements. A format that has only what came of them needs some.
func (f *judgeFlags) check(format string) error {
	var err error
	if f.requirements, err = require.ParseAll(f.require); err != nil {
		return fmt.Errorf("--require: %w", err)
	}
	if format == report.FormatJUnit && !f.strict && len(f.requirements) == 0 && !f.isLimited {
		return fmt.Errorf("--format %s says which requirements are met: give --require or --strict", format)
	}
	return nil
}

// A judgement is what rows say to the requirements.
type judgement struct {
	findings []require.Finding
	doubtful error // with strict
	unknown  error // a requirement is on what no row has
	strict   bool
}

func (f *judgeFlags) judge(rows []*analysis.Row) judgement {
	findings, err := require.CheckAll(f.requirements, rows)
	j := judgement{findings: findings, unknown: err, strict: f.strict}
	if f.strict {
		j.doubtful = doubtful(rows)
	}
	return j
}

// checks are the judgement in a report.
func (j judgement) checks() []document.Check {
	var all []document.Check
	for _, f := range j.findings {
		all = append(all, document.Check{Name: f.Requirement.String(), Result: f.Outcome, Why: requirementWhy(f)})
	}
	switch {
	case j.doubtful != nil:
		all = append(all, document.Check{Name: everyVerdictOK, Result: require.NotMet, Why: []string{j.doubtful.Error()}})
	case j.strict:
		all = append(all, document.Check{Name: everyVerdictOK})
	}
	return all
}

// everyVerdictOK is the requirement of --strict.
const everyVerdictOK = "every verdict is OK"

// say prints on out which requirements are met. Its error has exit code 3 where the rows don't hold, and 4 where that can't be
// told.
func (j judgement) say(out io.Writer) error {
	if j.unknown != nil {
		return badInput(fmt.Errorf("--require: %w", j.unknown))
	}
	for _, finding := range j.findings {
		fmt.Fprintln(out, requirementLine(finding))
	}
	outcome := require.Worst(j.findings)
	var problems []error
	if outcome == require.NotMet {
		problems = append(problems, errors.New("a requirement is not met"))
	}
	if j.doubtful != nil {
		problems = append(problems, fmt.Errorf("--strict: %w", j.doubtful))
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
	why := requirementWhy(f)
	why[0] = fmt.Sprintf("%s: %s; the worst row has %s: %s", f.Requirement, f.Outcome, why[0], why[1])
	return strings.Join(slices.Delete(why, 1, 2), "; ")
}

// requirementWhy is the value that decides, its row, and why that is inconclusive.
func requirementWhy(f require.Finding) []string {
	value := f.Text()
	if interval := f.Interval(); interval != "" {
		value += " (" + interval + ")"
	}
	why := []string{value, rowText(f.Row)}
	if f.Why != "" {
		why = append(why, f.Why)
	}
	return why
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
	return fmt.Errorf("%s of %d not OK; the first is %s: %s", number.Count(n, "row"), len(rows), first.Verdict(),
		rowText(first))
}

// rowText names a row as progress names its trials. Rows of the same method differ by requests, which only their cases name.
func rowText(row *analysis.Row) string {
	trials := row.Trials
	if len(trials) == 0 {
		trials = row.Failed
	}
	of, first := row.Key.Scenario, trials[0]
	if method := first.Spec.Method; method != nil && len(first.Cases) > 0 && first.Cases[0].Title != method.Name {
		of += ", " + strconv.Quote(first.Cases[0].Title)
	}
	return strings.TrimPrefix(of+": ", "load: ") + first.Spec.String()
}

// graver prefers an error over an inconclusive result.
func graver(a, b error) error {
	if exit, ok := errors.AsType[*exitError](a); b == nil || ok && exit.code != exitInconclusive {
		return a
	}
	return b
}

// gravity has the exit codes in the order in which one outranks the next: a failure, such as of writing results, an interruption,
// an inconclusive result, a requirement that is not met.
var gravity = []int{exitTrialFailed, exitInterrupted, exitInconclusive, exitNotMet, exitBadInput}

// gravest joins what errors say, the same once, with the exit code of the gravest.
func gravest(errs ...error) error {
	var joined []error
	var said []string
	rank := len(gravity)
	for _, err := range errs {
		if err == nil || slices.Contains(said, err.Error()) {
			continue
		}
		joined, said = append(joined, err), append(said, err.Error())
		if at := slices.Index(gravity, codeOf(err)); at >= 0 {
			rank = min(rank, at)
		}
	}
	if len(joined) == 0 {
		return nil
	}
	return &exitError{gravity[min(rank, len(gravity)-1)], errors.Join(joined...)}
}

// unwritten is the failure to write results or a report; nil where these only say something of the figures.
func unwritten(err error) error {
	if measured(err) {
		return nil
	}
	return err
}

// measured reports whether everything was measured, whatever the figures.
func measured(err error) bool {
	exit, ok := errors.AsType[*exitError](err)
	return err == nil || ok && (exit.code == exitNotMet || exit.code == exitInconclusive)
}
