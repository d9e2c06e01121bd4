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
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/progress"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign"
)

// onTheWay is the note of a results file without a plan.
const onTheWay = "What each trial measured depended on the results of those before it, so the file holds no plan."

// resumeSearch is the help of --resume.
const resumeSearch = "go on with the search in --out, for --time more"

// A search carries out trials that are decided one after another, all into one results file.
type search struct {
	runner *campaign.Runner
	writer *result.Writer
	out    outputFlags
	bar    *progress.Line
	close  func()

	file *result.File // with the trials that it had already; none where the search begins

	covered []string // scenarios about which text has only the answer
}

// newSearch creates the results file, or continues it. Of about its header has the scenarios, which say what reports are about,
// and the design.
func (e *env) newSearch(ctx context.Context, f *outputFlags, w work, about result.Header) (*search, error) {
	if err := e.mayDo(f.strangerFlags, w); err != nil {
		return nil, err
	}
	if err := f.checkPlan(w.plan); err != nil {
		return nil, err
	}
	head := campaign.NewHeader(binary(), w.plan, nil)
	if err := e.place(ctx, f.hostFlags, &w, &head); err != nil {
		return nil, err
	}
	head.Hosts = append(head.Hosts, w.fleet.RemoteHosts()...)
	head.Plan, head.Scenarios, head.AB, head.Capacity = []plan.Trial{}, about.Scenarios, about.AB, about.Capacity
	head.Notes = append(head.Notes, plan.Note{Code: plan.NoteOnTheWay, Text: onTheWay})
	writer, done, err := f.open(head)
	if err != nil {
		w.release()
		return nil, err
	}
	bar := &progress.Line{Out: os.Stderr, Terminal: isScreen(os.Stderr), Width: widthOf(os.Stderr)}
	closing := func() { writer.Close(); w.release() }
	file := &result.File{Name: f.out, Header: head, Trials: done}
	return &search{writer: writer, close: closing, out: *f, bar: bar, file: file, runner: &campaign.Runner{
		Name: f.out, Header: head, Announce: bar.Announce, Driver: f.driver(w, writer, bar), Before: campaign.Last(done),
	}}, nil
}

// kept returns how many trials the file has, those that were replaced included.
func (s *search) kept() int { return len(s.file.Trials) + s.runner.Kept() }

// where says in which file the results are, and how many it has already.
func (s *search) where() string {
	if len(s.file.Trials) == 0 {
		return s.out.where()
	}
	return fmt.Sprintf("%s, which has %s", s.out.where(), number.Count(len(s.file.Trials), "trial"))
}

// expected returns how long a step takes if all goes well.
func expected(spec plan.Spec) time.Duration { return plan.Expected([]plan.Trial{{Spec: spec}}) }

// finish prints the answer and the report: together on standard output, if the format is for readers. It returns the result of
// the report's requirements.
func (e *env) finish(s *search, answer document.Document, judging judgeFlags) error {
	s.bar.Clear()
	e = e.reporting(&s.out)
	if err := e.sayAnswer(s, answer); err != nil {
		return failed(errors.Join(err, s.out.sink.take()))
	}
	if s.kept() == 0 {
		return nil
	}
	judged := e.reportFiles([]string{s.out.out}, reportFlags{format: s.out.format, shownAs: s.out.sink.words(), trials: s.out.trials,
		answer: answer, covered: s.covered, judgeFlags: judging})
	if err := s.out.sink.take(); err != nil {
		return failed(err)
	}
	return judged
}

// sayAnswer prints the answer where the report does not have it.
func (e *env) sayAnswer(s *search, answer document.Document) error {
	forPeople := report.IsForPeople(s.out.format)
	if forPeople && s.kept() > 0 {
		return nil
	}
	to, style := e.err, styleOf(os.Stderr)
	if forPeople {
		to, style = e.out, styleOf(os.Stdout)
	}
	return document.WriteText(to, answer, style)
}

// interruptedOr distinguishes an interruption from another error.
func (s *search) interruptedOr(err error) error {
	switch {
	case !errors.Is(err, context.Canceled):
		return failed(err)
	case s.kept() == 0:
		return &exitError{exitInterrupted, fmt.Errorf("interrupted before a trial was measured, so %s holds none", s.out.where())}
	default:
		return s.out.interrupted("interrupted; the answer covers what was measured until then, and the same command with " +
			"--resume --out %s goes on")
	}
}

// withhold hides flags of load that a verb has no use for.
func withhold(flags *pflag.FlagSet, reasons map[string]string) {
	for name := range reasons {
		_ = flags.MarkHidden(name) // it is there
	}
}

// checkWithheld refuses flags that the verb does not take, and says why.
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

// setUnlessGiven gives a flag of load another value where it is not given.
func setUnlessGiven(flags *pflag.FlagSet, name, value string) error {
	if flags.Changed(name) {
		return nil
	}
	return flags.Set(name, value)
}
