package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/archivetable"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/require"
	"rpcbench/internal/results/stat"
)

// maxSame is a difference in percent beyond which two things are not the same in any sense.
const maxSame = 100

// changeFlags hold the limits of differences, and the bound of sameness.
type changeFlags struct {
	failOn     []string
	unlessSure bool
	sameText   string

	limits []compare.Limit
	same   float64
}

func (f *changeFlags) flags(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.failOn, "fail-on", nil,
		"exit with code 3 if all of the interval of a `change` is beyond this, such as 'response_p99>+5%', and with 4 if part "+
			"of it is; repeatable")
	flags.BoolVar(&f.unlessSure, "unless-sure", false, "with --fail-on: exit with code 3 also if part of the interval is beyond")
	flags.StringVar(&f.sameText, "same-within", number.Bound(compare.SameUsually),
		"`percentage` within which two figures are the same")
}

// check reads the flags.
func (f *changeFlags) check() error {
	for _, text := range f.failOn {
		limit, err := compare.ParseLimit(text)
		if err != nil {
			return fmt.Errorf("--fail-on: %w", err)
		}
		if metric, err := require.Metric(limit.Metric()); err == nil {
			limit = limit.Of(metric.Declare().Name)
		}
		f.limits = append(f.limits, limit)
	}
	percent, ok := percentOf(f.sameText)
	if !ok || percent > maxSame {
		return fmt.Errorf("--same-within: %q is not a percentage above 0 and at most %d%%, such as 5%%", f.sameText, maxSame)
	}
	f.same = percent / 100
	if f.unlessSure && len(f.limits) == 0 {
		return fmt.Errorf("--unless-sure requires --fail-on")
	}
	return nil
}

// checkJUnit refuses a format that has only what came of the limits, where there is none.
func (f *changeFlags) checkJUnit(format string) error {
	if format == document.JUnit && len(f.limits) == 0 {
		return fmt.Errorf("--format %s says which limits are kept: give --fail-on", format)
	}
	return nil
}

// percentOf reads a percentage above 0.
func percentOf(text string) (percent float64, ok bool) {
	digits, isPercent := strings.CutSuffix(strings.TrimSpace(text), "%")
	percent, isNumber := number.Finite(digits)
	return percent, isPercent && isNumber && percent > 0
}

// A limitation is what a comparison says to a limit.
type limitation struct {
	limit    compare.Limit
	findings []compare.Finding // what is not within it
}

// limitations are what a comparison says to the limits. An error says that one is on what was not compared.
func (f *changeFlags) limitations(c *compare.Comparison) ([]limitation, error) {
	var all []limitation
	for _, limit := range f.limits {
		findings, err := limit.Check(c)
		if err != nil {
			return nil, badInput(fmt.Errorf("--fail-on: %w", err))
		}
		all = append(all, limitation{limit, findings})
	}
	return all, nil
}

// checks are what a comparison says to the limits, in a report.
func (f *changeFlags) checks(all []limitation) []document.Check {
	var checks []document.Check
	for _, l := range all {
		check := document.Check{Name: "not " + l.limit.String()}
		for _, finding := range l.findings {
			result := require.Inconclusive
			if f.unlessSure || finding.Outcome == compare.Broken {
				result = require.NotMet
			}
			check.Result = max(check.Result, result)
			check.Why = append(check.Why, findingWords(finding))
		}
		if more := len(check.Why) - whysShown; more > 0 {
			check.Why = append(check.Why[:whysShown], number.Count(more, "more line"))
		}
		checks = append(checks, check)
	}
	return checks
}

// whysShown is the number of lines over a limit that a report names.
const whysShown = 10

func findingWords(f compare.Finding) string {
	words := fmt.Sprintf("%s: %s, %s: %s", outcomeWord(f.Outcome), f.Line.Point, f.Line.Side, changeWords(f.Line, f.Column))
	if metric, ok := analysis.Find(f.Column); ok && f.Line.Few > 0 && f.Outcome == compare.Open {
		words += fmt.Sprintf("; a p%g needs at least %s calls in a trial", 100*metric.Declare().Quantile, number.Whole(f.Line.Few))
	}
	return words
}

// judge says on out which changes don't keep the limits, and returns an error with the exit code.
func (f *changeFlags) judge(out io.Writer, all []limitation) error {
	broken, open := 0, 0
	for _, l := range all {
		for _, finding := range l.findings {
			if f.unlessSure || finding.Outcome == compare.Broken {
				broken++
			} else {
				open++
			}
			fmt.Fprintf(out, "%s: %s\n", l.limit, findingWords(finding))
		}
	}
	switch {
	case broken > 0 && f.unlessSure:
		return &exitError{exitNotMet, fmt.Errorf("--fail-on: %s not certain to be within a limit", number.Count(broken, "change"))}
	case broken > 0:
		return &exitError{exitNotMet, fmt.Errorf("--fail-on: %s over a limit", number.Count(broken, "change"))}
	case open > 0:
		return &exitError{exitInconclusive, fmt.Errorf("--fail-on: inconclusive for %s", number.Count(open, "change"))}
	default:
		return nil
	}
}

func outcomeWord(o compare.Outcome) string {
	if o == compare.Broken {
		return "over it"
	}
	return "can't tell"
}

// changeWords describes a change with its interval, or why there is none and what would help, after the trials that failed.
func changeWords(l compare.Line, metric string) string {
	failed := l.Failed[1]
	switch {
	case l.B.N == 0 && failed > 0:
		return fmt.Sprintf("%s failed, and no other was measured", number.Count(failed, "trial"))
	case l.FailsMore():
		return fmt.Sprintf("%d of %s failed; the others: %s", failed, number.Count(l.B.N+failed, "trial"), ratioWords(l, metric))
	default:
		return ratioWords(l, metric)
	}
}

func ratioWords(l compare.Line, metric string) string {
	_, lo, hi, ok := l.Percent()
	switch {
	case l.Machine != nil && ok:
		return fmt.Sprintf("%s (%s to %s), and %s of the bare socket: the machine changed (MACHINE_CHANGED)",
			number.Change(l.Ratio.Value), number.Signed(lo), number.Signed(hi), number.Change(l.Machine.Ratio.Value))
	case l.TooFew || ok && l.Ratio.Spread != stat.SpreadCI95:
		return "it needs at least " + needed(l.Change)
	case !ok:
		return fmt.Sprintf("from %s to %s", archivetable.TextOf(metric, l.A.Median), archivetable.TextOf(metric, l.B.Median))
	default:
		return fmt.Sprintf("%s (%s to %s)", number.Change(l.Ratio.Value), number.Signed(lo), number.Signed(hi))
	}
}

// needed is how much would do.
func needed(c stat.Change) string {
	switch c.Design {
	case stat.Looks:
		return fmt.Sprintf("%d pairs", 2*c.Trials) // a block has two
	case stat.Blocks:
		return fmt.Sprintf("%d blocks", c.Trials)
	case stat.Occasions:
		return fmt.Sprintf("%d files a side", c.Trials)
	default:
		return fmt.Sprintf("%d trials a side", c.Trials)
	}
}
