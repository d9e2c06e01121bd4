// Package campaign runs trials that a Decision chooses: a plan, whose trials are all known in advance, or a search such as
// capacity and ab, which chooses each trial by the figures of those before it.
//
// A Decision is pure: it starts nothing, and receives the time. The Runner does the rest: it drives trials, keeps their
// evidence, and shows it to the Decision. Measured trials are kept however a campaign ends.
package campaign

import (
	"context"
	"errors"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/worker/credential"
	"rpcbench/internal/worker/host"
)

// A Decision decides which trials come next.
type Decision interface {
	// Next returns the trials to carry out next, based on everything that See was shown. made is the highest number of the trials
	// in the file, including those of earlier decisions. A Batch without trials ends the campaign.
	Next(now time.Time, made int) Batch
	// See takes in a trial when its evidence is kept. An error ends the campaign after the batch.
	See(trial Measured) error
}

// A Batch is carried out before the Decision is asked again.
type Batch struct {
	Trials []plan.Trial
	Label  string // what trials that nobody planned are for; empty for those of a plan
}

// Measured is a trial with its evidence.
type Measured struct {
	result.Trial

	Name   string        // of the results file
	Header result.Header // of the file
}

// Row reads the trial as reports do. A trial that failed has a row too.
func (m Measured) Row() (*analysis.Row, error) {
	return analysis.BuildOne(m.Name, m.Header, m.Trial)
}

// A Stage sets up what a trial needs besides workers, such as a server under test.
type Stage interface {
	// Set sets it up. An *AbsentError fails the trial; any other ends the campaign.
	Set(ctx context.Context, trial plan.Trial) error
	// Amend adds to a trial's evidence what became of what Set has set up.
	Amend(ctx context.Context, evidence *result.Trial)
	// Clear removes what Set has set up.
	Clear() error
}

// A Metered Stage knows what the server that it has set up has used; false where the system does not tell.
type Metered interface {
	Usage() (host.Usage, bool)
}

// An AbsentError says that a trial can't be measured because something that it needs is missing.
type AbsentError struct {
	Reason    error
	LastWords string // of what should be there; may be empty
}

func (e *AbsentError) Error() string { return e.Reason.Error() }

func (e *AbsentError) Unwrap() error { return e.Reason }

// A Runner carries out the trials of Decisions, all into one results file.
type Runner struct {
	Driver   driver.Config      // all but Trials, which a Decision has; Results and Progress hear of every trial
	Name     string             // of the results file
	Header   result.Header      // of it
	Stage    Stage              // nil sets nothing up
	Announce func(label string) // is called before a batch is driven; nil tells nobody
	Before   int                // the highest number of the trials that the results had already; 0 without any

	made, kept int
}

// Made returns how many trials have begun.
func (r *Runner) Made() int { return r.made }

// Kept returns how many trials it has added to the results.
func (r *Runner) Kept() int { return r.kept }

// keep adds a trial to the results.
func (r *Runner) keep(evidence result.Trial) error {
	err := r.Driver.Results.Append(evidence)
	if err == nil {
		r.kept++
	}
	return err
}

// Run carries out what the Decision chooses until it ends. It returns an error if ctx ended, if results can't be written, or if
// the Decision or the Stage can't go on. Every trial that was over by then is in the results.
func (r *Runner) Run(ctx context.Context, decision Decision) error {
	if r.Driver.Keys == nil {
		fresh, err := credential.New()
		if err != nil {
			return err
		}
		r.Driver.Keys = &fresh
	}
	for {
		batch := decision.Next(r.Driver.Now(), r.Before+r.made)
		if len(batch.Trials) == 0 {
			return nil
		}
		if err := r.carryOut(ctx, decision, batch); err != nil {
			return err
		}
	}
}

func (r *Runner) carryOut(ctx context.Context, decision Decision, batch Batch) error {
	if r.Stage == nil {
		return r.drive(ctx, decision, batch)
	}
	for _, trial := range batch.Trials {
		if err := r.onStage(ctx, decision, Batch{Trials: []plan.Trial{trial}, Label: batch.Label}); err != nil {
			return err
		}
	}
	return nil
}

// onStage sets up what a batch of one trial needs, and drives it.
func (r *Runner) onStage(ctx context.Context, decision Decision, batch Batch) error {
	err := r.Stage.Set(ctx, batch.Trials[0])
	if absent, ok := errors.AsType[*AbsentError](err); ok {
		return r.keepAbsent(decision, batch.Trials[0], absent)
	}
	if err != nil {
		return err
	}
	return errors.Join(r.drive(ctx, decision, batch), r.Stage.Clear())
}

func (r *Runner) drive(ctx context.Context, decision Decision, batch Batch) error {
	r.made += len(batch.Trials)
	if r.Announce != nil {
		r.Announce(batch.Label)
	}
	w := &witness{ctx: ctx, runner: r, decision: decision}
	config := r.Driver
	config.Trials, config.Results, config.Progress = batch.Trials, w, w
	if metered, ok := r.Stage.(Metered); ok {
		config.Target = metered.Usage
	}
	if _, err := driver.Run(ctx, config); err != nil {
		return err
	}
	return w.err
}

// keepAbsent writes the evidence of a trial that could not be measured.
func (r *Runner) keepAbsent(decision Decision, t plan.Trial, absent *AbsentError) error {
	r.made++
	evidence := result.Trial{
		ID: t.ID, Repetition: t.Repetition, Spec: t.Spec, Cases: t.Cases, Started: r.Driver.Now().UTC(),
		LastWords: absent.LastWords,
	}
	evidence.Fail(result.FailureServer, absent.Error())
	if err := r.keep(evidence); err != nil {
		return err
	}
	r.Driver.Progress.Ended(evidence)
	return decision.See(r.measured(evidence))
}

func (r *Runner) measured(t result.Trial) Measured {
	return Measured{Trial: t, Name: r.Name, Header: r.Header}
}
