package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"rpcbench/internal/control"
	"rpcbench/internal/driver"
	"rpcbench/internal/plan"
	"rpcbench/internal/report"
	"rpcbench/internal/result"
)

// windowsKept is how many interval histograms a trial keeps unless all are asked for.
const windowsKept = 20

// runFlags are what run has beside the selection.
type runFlags struct {
	selection
	out       string
	resume    bool
	format    string
	intervals string
}

// run carries a plan out, and reports it.
func (e *env) run() *cobra.Command {
	var flags runFlags
	command := &cobra.Command{
		Use:   "run [SCENARIO | FILE.yaml ...]",
		Short: "Measure: carry out scenarios (quick, when none is named) and report them",
		RunE: func(command *cobra.Command, names []string) error {
			return e.runScenarios(command.Context(), flags, names)
		},
	}
	flags.selection.flags(command)
	command.Flags().StringVar(&flags.out, "out", "", "the results file; rpcbench-<UTC time>.jsonl when not given")
	command.Flags().BoolVar(&flags.resume, "resume", false, "run what --out lacks, or has as failed")
	command.Flags().StringVar(&flags.format, "format", report.FormatText, "of the report on standard output: "+streams())
	command.Flags().StringVar(&flags.intervals, "intervals", "merged", "merged keeps at most 20 interval histograms a trial, full keeps all")
	return command
}

func (e *env) runScenarios(ctx context.Context, flags runFlags, names []string) error {
	if err := flags.check(); err != nil {
		return badInput(err)
	}
	p, scenarios, err := flags.plan(e, names)
	if err != nil {
		return err
	}
	head := header(p, scenarios)
	writer, trials, err := flags.open(head)
	if err != nil {
		return err
	}
	defer writer.Close()
	e.announce(flags, p, trials)
	bar := &progress{out: e.err, terminal: isTerminal(os.Stderr)}
	broken, err := e.drive(ctx, flags, p.Seed, trials, writer, bar)
	bar.clear()
	if err != nil {
		return flags.ended(err)
	}
	if err := e.reportFiles([]string{flags.out}, reportFlags{format: flags.format}); err != nil {
		return err
	}
	if broken > 0 {
		return failed(fmt.Errorf("%s of %d failed; --resume --out %s runs them again", count(broken, "trial"), len(trials), flags.out))
	}
	return nil
}

// check refuses flags that don't go together, and fills in the name of the file.
func (f *runFlags) check() error {
	switch {
	case f.resume && f.out == "":
		return errors.New("--resume needs --out, the file to continue")
	case !slices.Contains(report.Formats(), f.format):
		return unknownFormat(f.format)
	case f.format == report.FormatHgrm:
		return errors.New("--format hgrm makes a folder of files: run first, then report it with --output")
	case f.intervals != "merged" && f.intervals != "full":
		return fmt.Errorf("--intervals %s: it is merged or full", f.intervals)
	}
	if f.out == "" {
		f.out = "rpcbench-" + time.Now().UTC().Format("20060102T150405Z") + ".jsonl"
	}
	return nil
}

// open makes the results file, or continues it, and returns the trials to carry out.
func (f *runFlags) open(head result.Header) (*result.Writer, []plan.Trial, error) {
	if !f.resume {
		writer, err := result.Create(f.out, head)
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("--out: %s exists already: choose another name, or continue it with --resume", f.out)
		}
		return writer, head.Plan, badInput(err)
	}
	writer, old, err := result.OpenAppend(f.out)
	if err != nil {
		return nil, nil, badInput(fmt.Errorf("--resume: %w", err))
	}
	if err := checkResume(f.out, old.Header, head); err != nil {
		return nil, nil, badInput(errors.Join(err, writer.Close()))
	}
	return writer, missing(head.Plan, old.Trials), nil
}

// announce says what is about to happen.
func (e *env) announce(flags runFlags, p plan.Plan, trials []plan.Trial) {
	fmt.Fprintf(e.err, "%s, about %s, into %s\n", count(len(trials), "trial"), about(plan.Expected(trials)), flags.out)
	if flags.format != report.FormatText && flags.format != report.FormatMarkdown {
		for _, note := range p.Notes {
			fmt.Fprintf(e.err, "note: %s\n", note)
		}
	}
}

// drive carries the trials out. Ctrl-C ends it; a second one ends rpcbench at once, and the workers by the end of their
// input.
func (e *env) drive(
	ctx context.Context, flags runFlags, seed uint64, trials []plan.Trial, results driver.Results, bar driver.Progress,
) (broken int, err error) {
	ctx, restore := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer restore()
	context.AfterFunc(ctx, restore)
	windows := windowsKept
	if flags.intervals == "full" {
		windows = 0
	}
	return driver.Run(ctx, driver.Config{
		Trials: trials, Seed: seed, Launch: launchSelf, Results: results, Progress: bar, Windows: windows, Now: time.Now,
	})
}

// launchSelf starts this binary as the worker of its stacks.
func launchSelf(ctx context.Context, _ string, cpus []int) (*control.Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	return control.Start(ctx, []string{self, "worker"}, cpus)
}

// ended tells an interruption from an error.
func (f *runFlags) ended(err error) error {
	if errors.Is(err, context.Canceled) {
		return &exitError{exitInterrupted, fmt.Errorf("interrupted; every finished trial is in %s, --resume --out %s goes on", f.out, f.out)}
	}
	return failed(err)
}

func isTerminal(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }
