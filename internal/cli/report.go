package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/plan/schedule"
	"rpcbench/internal/report"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/published"
	"rpcbench/internal/results/source"
)

type reportFlags struct {
	format string
	output string // a file, or a folder for formats of several files; empty is standard output
	// reference names published figures to be set beside the measured ones; empty is none.
	reference  string
	maxLatency string // a duration; empty is no limit
	shownAs    string // the name of a file that is a temporary one; empty is its own
	by         string // client: a row for each
	trials     bool
	answer     document.Document // what a campaign found
	covered    []string          // scenarios about which text has only the answer
	choiceFlags
	judgeFlags
}

// report prints results files.
func (e *env) report() *cobra.Command {
	var flags reportFlags
	command := &cobra.Command{
		Use:   "report FILE.jsonl ...",
		Short: "Report results files, in any format",
		Example: `  rpcbench report results.jsonl
  rpcbench report results.jsonl --format csv --output results.csv
  rpcbench report monday.jsonl tuesday.jsonl --format markdown`,
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return errors.New("report needs at least one results file")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error {
			if err := flags.check(flags.format); err != nil {
				return badInput(err)
			}
			err := e.reportFiles(files, flags)
			if _, misfit := errors.AsType[*document.MisfitError](err); misfit {
				return badInput(err) // nothing was run, where the verbs that measure have done their work
			}
			return err
		},
	}
	addFormat(command.Flags(), &flags.format, outputFormat, report.Formats())
	command.Flags().StringVar(&flags.reference, "reference", "",
		"show published figures next to the same cases, of `source`: "+
			strings.Join(slices.Concat(published.Names(), published.MicroNames()), ", "))
	command.Flags().StringVar(&flags.by, "by", "", "`client`: a row for each client of a trial, and a table of their hosts")
	command.Flags().StringVar(&flags.maxLatency, "max-latency", "",
		"name the best batch with a p99 within this `latency`, such as 5ms (text, markdown, html)")
	command.Flags().StringVar(&flags.output, "output", "", "write to `file` (hgrm and svg: into this folder)")
	command.Flags().BoolVar(&flags.trials, "trials-shown", false, trialsShown)
	flags.choiceFlags.flags(command.Flags())
	flags.judgeFlags.flags(command.Flags())
	return command
}

// trialsShown is the help of --trials-shown.
const trialsShown = "show each trial of every row as a mark, the worst trial, and percentiles of all calls together (text, " +
	"markdown, html)"

// checkPlace checks that the format supports what was requested, and that its output can go where it should.
func (f reportFlags) checkPlace(names []string) error {
	if report.IsFolder(f.format) && f.output == "" {
		return fmt.Errorf("--format %s writes several files: give a directory with --output", f.format)
	}
	if f.trials {
		if err := report.CheckTrials(f.format); err != nil {
			return err
		}
	}
	return f.checkOutput(names)
}

func (e *env) reportFiles(names []string, flags reportFlags) error {
	if err := checkFormat(flags.format, report.Formats()); err != nil {
		return err
	}
	if err := flags.checkPlace(names); err != nil {
		return badInput(err)
	}
	limit, err := flags.latencyLimit()
	if err != nil {
		return badInput(err)
	}
	if theirs, err := source.JMH(names); err != nil || len(theirs) > 0 {
		return e.reportJMH(theirs, flags, err)
	}
	published, err := flags.published()
	if err != nil {
		return badInput(err)
	}
	read, err := flags.reader()
	if err != nil {
		return badInput(err)
	}
	built, err := read(names)
	if err != nil {
		return badInput(err)
	}
	if flags.shownAs != "" {
		built.Sources[0].Name = flags.shownAs
	}
	for _, warning := range built.Warnings {
		fmt.Fprintf(e.err, "warning: %s\n", warning)
	}
	shown := built
	if flags.format == report.FormatText {
		shown = built.Without(flags.covered)
	}
	judged := flags.judge(built.Rows)
	options := report.Options{Reference: published, MaxLatency: limit, Trials: flags.trials, Answer: flags.answer,
		Checks: document.Checks{Of: naming.Sources(built), List: slices.Concat(flags.limited, judged.checks())}}
	if err := e.write(shown, flags, options); err != nil {
		return err
	}
	return judged.say(e.err)
}

// byClient is --by's only value.
const byClient = "client"

// reader reads the files as --by, --case and --kind ask.
func (f reportFlags) reader() (func([]string) (*analysis.Report, error), error) {
	choice, err := f.choice()
	read := source.Report
	switch {
	case err != nil:
		return nil, err
	case f.by == "":
	case f.by != byClient:
		return nil, fmt.Errorf("--by %s: report supports only client; compare --by supports other keys", f.by)
	case !slices.Contains(document.Formats(), f.format):
		return nil, fmt.Errorf("--by client: --format %s does not show clients; %s do", f.format,
			strings.Join(document.Formats(), ", "))
	default:
		read = source.ReportByClient
	}
	return func(names []string) (*analysis.Report, error) { return read(names, choice) }, nil
}

// checkOutput refuses an output that is one of the files reported.
func (f reportFlags) checkOutput(names []string) error {
	if f.output == "" || report.IsFolder(f.format) {
		return nil
	}
	return checkOverwrite(namedFile{"--output", f.output}, arguments(names))
}

func (e *env) write(built *analysis.Report, flags reportFlags, options report.Options) error {
	if report.IsFolder(flags.format) {
		return e.reportFolder(built, flags)
	}
	return e.print(flags.output, options, func(w io.Writer, options report.Options) error {
		return report.Write(w, flags.format, built, options)
	})
}

// latencyLimit reads --max-latency; 0 without one.
func (f reportFlags) latencyLimit() (time.Duration, error) {
	if f.maxLatency == "" {
		return 0, nil
	}
	limit, err := schedule.ParseDuration(f.maxLatency)
	switch {
	case errors.Is(err, schedule.ErrTooLong):
		return 0, fmt.Errorf("--max-latency: %s %w", f.maxLatency, err)
	case err != nil:
		return 0, fmt.Errorf("--max-latency: %q is not a duration such as 5ms", f.maxLatency)
	case limit <= 0:
		return 0, fmt.Errorf("--max-latency %s: it is not more than 0", f.maxLatency)
	case !report.IsForPeople(f.format):
		return 0, fmt.Errorf("--max-latency: %s does not show it; text, markdown and html do", f.format)
	}
	return limit, nil
}

// published finds the figures of --reference; nil without one.
func (f reportFlags) published() (*published.Reference, error) {
	if f.reference == "" {
		return nil, nil //nolint:nilnil // no reference is what most reports have
	}
	if micro, _ := published.FindMicro(f.reference); micro != nil {
		return nil, fmt.Errorf("--reference %s: it is of JMH's results, such as those of make microbench", f.reference)
	}
	found, err := published.Find(f.reference)
	if err == nil {
		err = report.CheckReference(f.format)
	}
	if err != nil {
		return nil, fmt.Errorf("--reference: %w", err)
	}
	return found, nil
}

func (e *env) reportFolder(built *analysis.Report, flags reportFlags) error {
	if info, err := os.Stat(flags.output); err == nil && !info.IsDir() {
		return badInput(fmt.Errorf("--output: %s is a file, where --format %s needs a folder", flags.output, flags.format))
	}
	written, err := report.WriteFolder(flags.output, flags.format, built)
	if err != nil {
		return failed(err)
	}
	fmt.Fprintf(e.err, "%s in %s\n", number.Count(len(written), "file"), flags.output)
	return nil
}

// print has something written to a file, or to standard output, in colors where that is a terminal.
func (e *env) print(output string, options report.Options, write func(io.Writer, report.Options) error) error {
	if output == "" {
		options.Style = styleOf(os.Stdout)
		return orFailed(write(e.screen, options))
	}
	var text bytes.Buffer // an error or an interrupt leaves what is there
	if err := write(&text, options); err != nil {
		return failed(err)
	}
	file, err := os.Create(output)
	if err != nil {
		return badInput(fmt.Errorf("--output %s: %w", output, plain.Cause(err)))
	}
	_, err = text.WriteTo(file)
	return orFailed(errors.Join(err, file.Close()))
}

func orFailed(err error) error {
	if err == nil {
		return nil
	}
	return failed(err)
}

// streams are the formats that are one stream.
func streams() []string {
	return slices.DeleteFunc(report.Formats(), report.IsFolder)
}
