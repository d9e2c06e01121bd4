package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strings"
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
	command.Flags().StringVar(&flags.format, "format", report.FormatText, "of the report on standard output: "+strings.Join(streams(), ", "))
	command.Flags().StringVar(&flags.intervals, "intervals", "merged", "merged keeps at most 20 interval histograms a trial, full keeps all")
	return command
}

func (e *env) runScenarios(ctx context.Context, flags runFlags, names []string) error {
	if err := flags.check(); err != nil {
		return err
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
		return failed(fmt.Errorf("%s of %d failed; the same command with --resume --out %s runs what failed again",
			count(broken, "trial"), len(trials), flags.out))
	}
	return nil
}

// check refuses flags that don't go together, and fills in the name of the file.
func (f *runFlags) check() error {
	named := f.given.Changed("out")
	switch {
	case f.resume && !named:
		return badInput(errors.New("--resume needs --out, the file to continue"))
	case named && f.out == "":
		return badInput(errors.New("--out: the name of the file is empty"))
	case f.format == report.FormatHgrm:
		return badInput(errors.New("--format hgrm makes a folder of files: run first, then report it with --output"))
	case f.intervals != "merged" && f.intervals != "full":
		return badInput(fmt.Errorf("--intervals %s: it is merged or full", f.intervals))
	}
	if !named {
		f.out = "rpcbench-" + time.Now().UTC().Format("20060102T150405Z") + ".jsonl"
	}
	return checkFormat(f.format, streams())
}

// open makes the results file, or continues it, and returns the trials to carry out.
func (f *runFlags) open(head result.Header) (*result.Writer, []plan.Trial, error) {
	if !f.resume {
		writer, err := result.Create(f.out, head)
		switch {
		case errors.Is(err, fs.ErrExist):
			err = fmt.Errorf("--out: %s exists already: choose another name, or continue it with --resume", f.out)
		case err != nil:
			err = fmt.Errorf("--out: %w", err)
		}
		return writer, head.Plan, badInput(err)
	}
	writer, old, err := result.OpenAppend(f.out)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s does not exist, so there is nothing to continue", f.out)
	}
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

// drive carries the trials out, until they are over or the user interrupts.
func (e *env) drive(
	ctx context.Context, flags runFlags, seed uint64, trials []plan.Trial, results driver.Results, bar driver.Progress,
) (broken int, err error) {
	ctx, restore := interruptible(ctx)
	defer restore()
	windows := windowsKept
	if flags.intervals == "full" {
		windows = 0
	}
	return driver.Run(ctx, driver.Config{
		Trials: trials, Seed: seed, Launch: launchSelf, Results: results, Progress: bar, Windows: windows, Now: time.Now,
	})
}

// interruptible ends the context with Ctrl-C or a SIGTERM. A second one ends rpcbench at once, with the same code: the
// workers then meet the end of their input.
func interruptible(parent context.Context) (ctx context.Context, restore func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
			return
		}
		<-signals
		os.Exit(exitInterrupted)
	}()
	return ctx, func() {
		if ctx.Err() == nil { // what was interrupted stays so to its end
			signal.Stop(signals)
		}
		cancel()
	}
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
		return &exitError{exitInterrupted, fmt.Errorf(
			"interrupted; every finished trial is in %s, and the same command with --resume --out %s goes on", f.out, f.out)}
	}
	return failed(err)
}

func isTerminal(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }
