package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/plan/trust"
	"rpcbench/internal/report"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/progress"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/require"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/run/campaign"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/run/fleet"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/scratch"
	"rpcbench/internal/run/service"
	"rpcbench/internal/worker/credential"
	"rpcbench/internal/worker/host"
	"rpcbench/internal/worker/meter"
)

// resultsEnding is the extension of results files.
const resultsEnding = ".jsonl"

// outputFlags select the output of run and load.
type outputFlags struct {
	out       string
	sink      sink
	resume    bool
	overwrite bool
	format    string
	intervals string
	trials    bool // each trial of every row is shown
	evidenceFlags
	judgeFlags
	strangerFlags
	hostFlags
	given *pflag.FlagSet // tells which flags the user wrote

	scenarioResult string // the file of gRPC's --scenario_result_file; empty is none
}

// reportFormat begins the help of --format for verbs that measure.
const reportFormat = "`format` of the report on standard output: "

func (f *outputFlags) flags(flags *pflag.FlagSet) {
	f.given = flags
	flags.StringVar(&f.out, "out", "", "results `file` (default rpcbench-<UTC time>.jsonl); - is standard output")
	flags.BoolVar(&f.overwrite, "overwrite", false, "replace --out if it is a results file that exists")
	flags.BoolVar(&f.resume, "resume", false, "run the trials that --out lacks or holds as failed")
	addFormat(flags, &f.format, reportFormat, streams())
	flags.BoolVar(&f.trials, "trials-shown", false, trialsShown)
	flags.StringVar(&f.intervals, "intervals", "merged",
		"interval `histograms` to keep: merged keeps at most 20 per trial, full one for each second")
	f.evidenceFlags.flags(flags)
	f.judgeFlags.flags(flags)
	f.strangerFlags.flags(flags)
	f.hostFlags.flags(flags)
}

// work is what to carry out.
type work struct {
	plan      plan.Plan
	scenarios []scenario.Scenario
	fleet     *fleet.Fleet
	keys      *credential.Set   // nil makes fresh ones
	services  *service.Services // servers that run already; nil without one
	live      bool              // the line of progress is drawn while trials run
	listeners []driver.Watcher  // who hears of trials beside that line
	replayed  []result.Scenario // instead of scenarios, where the plan is that of a results file
	files     []string          // that say what is to be done and may be somebody else's
	asks      []trust.Ask       // what these files ask for
	allowed   bool              // the user was asked already
	launcher  launch.Launcher   // of the workers, here and on hosts
	release   func()            // removes what was made of hosts
}

// execute carries a plan out into a results file, and reports the file.
func (e *env) execute(ctx context.Context, flags *outputFlags, w work) error {
	if err := e.mayDo(flags.strangerFlags, w); err != nil {
		return err
	}
	if err := flags.checkPlan(w.plan); err != nil {
		return err
	}
	head := campaign.NewHeader(binary(), w.plan, w.scenarios)
	head.Scenarios = append(head.Scenarios, w.replayed...)
	if err := e.place(ctx, flags.hostFlags, &w, &head); err != nil {
		return err
	}
	defer w.release()
	head.Hosts = append(head.Hosts, w.fleet.RemoteHosts()...)
	writer, done, err := flags.open(head)
	if err != nil {
		return err
	}
	defer writer.Close()
	trials := campaign.Missing(w.plan.Trials, done)
	e.announce(flags, w.plan, trials)
	bar := &progress.Line{Out: os.Stderr, Terminal: isScreen(os.Stderr), Live: w.live, Width: widthOf(os.Stderr)}
	planned := &campaign.Planned{Left: trials}
	runner := campaign.Runner{
		Name: flags.out, Header: head,
		Driver: flags.driver(w, writer, append(campaign.Audience{bar}, w.listeners...)),
	}
	defer suspendable(&runner.Driver)()
	err = untilInterrupted(ctx, flags.sink, func(ctx context.Context) error { return runner.Run(ctx, planned) })
	bar.Clear()
	if err != nil && !flags.kept() {
		return flags.endedEmpty(err)
	}
	e = e.reporting(flags)
	judged := e.reportFiles([]string{flags.out}, reportFlags{
		format: flags.format, shownAs: flags.sink.words(), trials: flags.trials, judgeFlags: flags.judgeFlags,
	})
	judged = gravest(judged, e.saveScenarioResult(flags))
	taken := flags.sink.take()
	if err != nil {
		return flags.endedEarly(err, taken)
	}
	if taken != nil {
		return failed(taken)
	}
	if planned.Failed > 0 && flags.sink.name != "" {
		return failed(errors.Join(fmt.Errorf("%s of %d failed", number.Count(planned.Failed, "trial"), len(trials)), judged))
	}
	if planned.Failed > 0 {
		return failed(errors.Join(fmt.Errorf("%s of %d failed; repeat the command with --resume --out %s to run failed trials again",
			number.Count(planned.Failed, "trial"), len(trials), flags.out), judged))
	}
	return judged
}

// mayDo asks for consent to what the files of the work ask for, unless that was done before.
func (e *env) mayDo(flags strangerFlags, w work) error {
	if w.allowed {
		return nil
	}
	return e.consent(flags, w.files, w.asks)
}

// checkPlan refuses trials that this machine can't carry out, and requirements on what none of them can have.
func (f *judgeFlags) checkPlan(p plan.Plan) error {
	if err := campaign.CheckProcessors(p.Trials, host.Online()); err != nil {
		return badInput(err)
	}
	if err := require.CheckPlan(f.requirements, p.Trials); err != nil {
		return badInput(fmt.Errorf("--require: %w", err))
	}
	return nil
}

// check refuses flags that don't go together, and fills in the name of the file.
func (f *outputFlags) check(temporary *scratch.Dir) error {
	named := f.given.Changed("out")
	switch {
	case f.resume && !named:
		return badInput(errors.New("--resume needs --out, the file to continue"))
	case named && f.out == "":
		return badInput(errors.New("--out: the name of the file is empty"))
	case report.IsFolder(f.format):
		return badInput(fmt.Errorf("--format %s writes a directory of files: run first, then use rpcbench report --output", f.format))
	case f.intervals != "merged" && f.intervals != "full":
		return badInput(fmt.Errorf("--intervals %s: must be merged or full", f.intervals))
	}
	if err := errors.Join(f.evidenceFlags.check(), f.judgeFlags.check(f.format)); err != nil {
		return badInput(err)
	}
	if err := f.checkScenarioResult(); err != nil {
		return badInput(err)
	}
	if err := report.CheckTrials(f.format); f.trials && err != nil {
		return badInput(err)
	}
	if err := f.divert(temporary); err != nil {
		return badInput(err)
	}
	if !named {
		f.out = "rpcbench-" + time.Now().UTC().Format("20060102T150405Z") + resultsEnding
	}
	return checkFormat(f.format, streams())
}

// divert makes a sink for an --out that is not a file, and refuses flags that need one.
func (f *outputFlags) divert(temporary *scratch.Dir) error {
	var err error
	f.sink, f.out, err = divert(f.out, temporary)
	switch {
	case err != nil || f.sink.name == "" && (!f.resume || !f.overwrite):
		return err
	case f.sink.name == "":
		return errors.New("--resume continues --out, and --overwrite replaces it: give one of them")
	case f.resume:
		return fmt.Errorf("--resume: %s is not a file that can be continued", f.sink.words())
	case f.profile:
		return fmt.Errorf("--profile writes next to the results file, and %s is not a file: name one with --out", f.sink.words())
	default:
		return nil
	}
}

// open makes the results file, or continues it, and returns the trials that it holds.
func (f *outputFlags) open(head result.Header) (*result.Writer, []result.Trial, error) {
	if err := f.sink.open(); err != nil {
		return nil, nil, badInput(fmt.Errorf("--out: %w", err))
	}
	if !f.resume {
		if err := f.clear(); err != nil {
			return nil, nil, badInput(err)
		}
		writer, err := f.create(head)
		return writer, nil, badInput(err)
	}
	writer, done, err := campaign.Continue(f.out, head, f.profile)
	if err != nil {
		err = fmt.Errorf("--resume: %w", err)
	}
	return writer, done, badInput(err)
}

// create creates the results file. A default name that already exists in this second gets a number.
func (f *outputFlags) create(head result.Header) (*result.Writer, error) {
	base := strings.TrimSuffix(f.out, resultsEnding)
	for n := 2; ; n++ {
		writer, err := campaign.Create(f.out, head)
		switch _, missing := os.Lstat(f.out); {
		case err == nil:
			return writer, nil
		case f.given.Changed("out") || missing != nil:
			return nil, fmt.Errorf("--out: %w", err)
		}
		f.out = fmt.Sprintf("%s-%d%s", base, n, resultsEnding)
	}
}

// announce prints what is about to happen.
func (e *env) announce(flags *outputFlags, p plan.Plan, trials []plan.Trial) {
	fmt.Fprintf(e.err, "%s, about %s, into %s\n",
		number.Count(len(trials), "trial"), number.About(plan.Expected(trials)), flags.where())
	if flags.format != report.FormatText && flags.format != report.FormatMarkdown {
		for _, note := range p.Notes {
			fmt.Fprintf(e.err, "note: %s\n", note.Text)
		}
	}
}

// driver configures the driver for the work.
func (f *outputFlags) driver(w work, writer *result.Writer, hears driver.Progress) driver.Config {
	config := driver.Config{
		Seed: w.plan.Seed, Keys: w.keys, Launcher: w.launcher, Results: writer, Progress: hears, Now: time.Now,
		Meter: meter.New(), Steady: stat.Steady, Warming: analysis.Warming, Temporary: w.fleet.Temporary(), Foreign: w.services.Of,
	}
	config.Windows, config.Seconds = plan.WindowsKept, f.intervals == "full"
	f.watch(&config, f.out)
	return config
}

// kept reports whether there is something to report.
func (f *outputFlags) kept() bool {
	file, err := result.ReadFile(f.out)
	return err != nil || len(file.Trials) > 0 // the report says what is wrong with the file
}

// where says in which file the results are.
func (f *outputFlags) where() string {
	if f.sink.name != "" {
		return f.sink.words()
	}
	return f.out
}

// measuresRest says how to go on after a run that ended early, where %s is the file.
const measuresRest = "the report covers what was measured until then, and the same command with --resume --out %s measures " +
	"the rest"

// endedEarly is the end of a run that was interrupted, or failed, after trials that were reported and which the sink has taken.
func (f *outputFlags) endedEarly(err, taken error) error {
	switch {
	case !errors.Is(err, context.Canceled) && f.sink.name != "":
		return failed(errors.Join(err, taken)) // what was measured before is good
	case !errors.Is(err, context.Canceled):
		return failed(fmt.Errorf("%w; "+measuresRest, err, f.out))
	case taken != nil:
		return failed(taken)
	default:
		return f.interrupted("interrupted; " + measuresRest)
	}
}

// endedEmpty is the end of a run that was interrupted, or failed, before it had anything to keep.
func (f *outputFlags) endedEmpty(err error) error {
	if errors.Is(err, context.Canceled) {
		return f.interruptedEmpty()
	}
	return failed(errors.Join(err, f.sink.take()))
}

// interruptedEmpty is the end of a run that was interrupted before it had anything to keep.
func (f *outputFlags) interruptedEmpty() error {
	if f.sink.name != "" {
		return &exitError{exitInterrupted, fmt.Errorf("interrupted before a call was measured, so %s has no trial", f.sink.words())}
	}
	return f.interrupted("interrupted before a call was measured; repeat the command with --resume --out %s to start again")
}

// interrupted is the end of an interrupted run, in a sentence with the name of the file.
func (f *outputFlags) interrupted(sentence string) error {
	if f.sink.name != "" {
		if err := f.sink.take(); err != nil {
			return failed(err)
		}
		return &exitError{exitInterrupted, errors.New("interrupted; the trials measured so far are in " + f.sink.words())}
	}
	return &exitError{exitInterrupted, fmt.Errorf(sentence, f.out)}
}

func isTerminal(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }

// isScreen returns whether a file is a terminal that takes control sequences, which one of TERM=dumb does not.
func isScreen(file *os.File) bool { return isTerminal(file) && os.Getenv("TERM") != "dumb" }

// widthOf asks a terminal for its width; the answer is 0 where there is none.
func widthOf(file *os.File) func() int {
	return func() int {
		width, _, err := term.GetSize(int(file.Fd()))
		if err != nil {
			return 0
		}
		return width
	}
}

// styleOf is how text is printed to a file: for a terminal in colors, unless NO_COLOR is set, and as wide as it is. Elsewhere
// COLUMNS says how wide.
func styleOf(file *os.File) document.Style {
	if !isTerminal(file) {
		width, _ := strconv.Atoi(os.Getenv("COLUMNS")) // 0 is the default
		return document.Style{Width: max(width, 0)}
	}
	return document.Style{Color: isScreen(file) && os.Getenv("NO_COLOR") == "", Width: widthOf(file)()}
}
