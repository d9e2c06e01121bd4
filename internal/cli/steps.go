package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"rpcbench/internal/plan"
	"rpcbench/internal/report"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/worker/credential"
	"rpcbench/internal/worker/host"
)

// onTheWay is the note of a results file whose trials nobody planned.
const onTheWay = "The trials were decided one by one, by what those before had found: the header holds no plan, and the file " +
	"can't be resumed."

// A step is one trial that is decided on the way.
type step struct {
	base       plan.Trial // of the plan that the flags mean
	spec       plan.Spec  // its own, with what was decided
	use        plan.Case
	repetition int
	label      string // for the line of progress
}

// steps carries out trials that are decided one after another, all into one results file.
type steps struct {
	config driver.Config
	header result.Header
	file   string
	writer *result.Writer
	out    outputFlags
	made   int
	bar    *progress
	amend  func(*result.Trial) // changes the evidence before it is written; nil leaves it
	last   result.Trial
}

// newSteps makes the results file. The scenarios say what its reports are about.
func (e *env) newSteps(f outputFlags, w work, scenarios []result.Scenario) (*steps, error) {
	if err := e.consent(f.strangerFlags, w.files, w.asks); err != nil {
		return nil, err
	}
	if err := checkProcessors(w.plan.Trials, host.Online()); err != nil {
		return nil, err
	}
	keys := w.keys
	if keys == nil {
		fresh, err := credential.New()
		if err != nil {
			return nil, failed(err)
		}
		keys = &fresh
	}
	head := header(w.plan, nil)
	head.Plan, head.Scenarios = []plan.Trial{}, scenarios
	head.Notes = append(head.Notes, plan.Note{Code: plan.NoteOnTheWay, Text: onTheWay})
	writer, _, err := f.open(head)
	if err != nil {
		return nil, err
	}
	s := &steps{header: head, file: f.out, writer: writer, out: f, bar: &progress{out: e.err, terminal: isTerminal(os.Stderr)}}
	s.config = driver.Config{
		Seed: w.plan.Seed, Keys: keys, Launcher: w.fleet.launcher(), Results: s, Progress: s, Now: time.Now,
		Meter: driver.NewMeter(), Steady: stat.Steady, Foreign: w.foreign,
	}
	if f.intervals == "merged" {
		s.config.Windows = windowsKept
	}
	f.watch(&s.config, f.out)
	return s, nil
}

// run carries a step out and returns the row of its trial. A trial that failed has a row too; an error is that ctx ended,
// or that the file can't be written.
func (s *steps) run(ctx context.Context, next step) (*analysis.Row, error) {
	config := s.config
	config.Trials = []plan.Trial{s.trial(next)}
	if s.bar.terminal {
		fmt.Fprintf(s.bar.out, "%s[%s] %s", clearLine, next.label, next.spec)
	}
	if _, err := driver.Run(ctx, config); err != nil {
		return nil, err
	}
	return s.row()
}

// keep writes the evidence of a step that came to no measurement.
func (s *steps) keep(next step, failure, lastWords string) error {
	t := s.trial(next)
	evidence := result.Trial{
		ID: t.ID, Repetition: t.Repetition, Spec: t.Spec, Cases: t.Cases, Started: s.config.Now().UTC(),
		Status: result.StatusFailed, Failure: failure, LastWords: lastWords, Outcomes: []result.Outcome{},
	}
	if err := s.Append(evidence); err != nil {
		return err
	}
	s.Ended(s.last)
	return nil
}

// trial numbers a step. Its id is that of the trial that the flags mean, and its number in the file: files of evidence are
// named by it.
func (s *steps) trial(next step) plan.Trial {
	s.made++
	return plan.Trial{
		ID: fmt.Sprintf("%s-%d", next.base.ID, s.made), Repetition: next.repetition, Spec: next.spec, Cases: []plan.Case{next.use},
	}
}

// row reads the last trial as reports do.
func (s *steps) row() (*analysis.Row, error) {
	built, err := analysis.Build([]*result.File{{Name: s.file, Header: s.header, Trials: []result.Trial{s.last}}})
	if err != nil {
		return nil, err
	}
	return built.Rows[0], nil
}

// Append implements driver.Results.
func (s *steps) Append(trial result.Trial) error {
	if s.amend != nil {
		s.amend(&trial)
	}
	s.last = trial
	return s.writer.Append(trial)
}

// Begun implements driver.Progress.
func (s *steps) Begun([]plan.Trial, int) {}

// Ended implements driver.Progress.
func (s *steps) Ended(trial result.Trial) { s.bar.Ended(trial) }

// expected is how long a step takes when all goes well.
func expected(spec plan.Spec) time.Duration { return plan.Expected([]plan.Trial{{Spec: spec}}) }

// finish says the answer and reports the file: on standard output together, where the format is one for readers. It
// returns what the report's requirements say.
func (e *env) finish(s *steps, answer string, judging judgeFlags) error {
	s.bar.clear()
	out := e.err
	if f := s.out.format; f == report.FormatText || f == report.FormatMarkdown {
		out = e.out
		answer += "\n"
	}
	if _, err := fmt.Fprintln(out, answer); err != nil {
		return failed(err)
	}
	if s.made == 0 {
		return nil
	}
	return e.reportFiles([]string{s.file}, reportFlags{format: s.out.format, judgeFlags: judging})
}

// ended tells an interruption from an error, when nothing can be resumed.
func (s *steps) ended(err error) error {
	if errors.Is(err, context.Canceled) {
		return &exitError{exitInterrupted, fmt.Errorf("interrupted; every finished trial is in %s", s.file)}
	}
	return failed(err)
}

// withhold hides flags of load that a verb has no use for.
func withhold(flags *pflag.FlagSet, reasons map[string]string) {
	for name := range reasons {
		_ = flags.MarkHidden(name) // it is there
	}
}

// checkWithheld refuses those that somebody gave nevertheless, and says why.
func checkWithheld(flags *pflag.FlagSet, verb string, reasons map[string]string) error {
	var problems []string
	flags.Visit(func(f *pflag.Flag) {
		if reason, ok := reasons[f.Name]; ok {
			problems = append(problems, fmt.Sprintf("--%s: %s %s", f.Name, verb, reason))
		}
	})
	if len(problems) == 0 {
		return nil
	}
	return badInput(errors.New(strings.Join(problems, "; ")))
}

// setUnlessGiven gives a flag of load another value where neither it nor an alias of it is given.
func setUnlessGiven(flags *pflag.FlagSet, name, value string) error {
	if flags.Changed(name) || byAlias(flags, name) {
		return nil
	}
	return flags.Set(name, value)
}
