// Package driver runs trials: for each trial it starts the clients, the servers and, if there is one, the process of the
// link between them, or takes over those of an earlier trial, makes them measure, and appends the evidence to the results. It
// judges nothing and formats nothing.
//
// A trial that goes wrong is marked failed, with the reason and the worker's last words, and the plan continues. Every wait
// is bounded: a worker that falls silent is abandoned.
package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/scratch"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
	"rpcbench/internal/worker/host"
)

// Results takes each trial's evidence when it is over.
type Results interface {
	Append(trial result.Trial) error
}

// Progress is informed of trials.
type Progress interface {
	// Begun is called before trials[i] is carried out.
	Begun(trials []plan.Trial, i int)
	// Ended is called when its evidence is in the results.
	Ended(trial result.Trial)
}

// A Watcher is a Progress that also hears of trials while they run.
type Watcher interface {
	Progress
	// Passed is called after every interval of a phase (result.PhaseWarmup or result.PhaseMeasured) of each client, counted from
	// 0, never concurrently. It must return at once, because it delays the reading of clients' events.
	Passed(trial plan.Trial, phase string, client int, interval result.Interval)
}

// A Meter watches this host while a trial is measured.
type Meter interface {
	// Begin begins to watch. The returned function ends it and returns what was observed; call it once.
	Begin() (end func() *control.Watched)
}

// Config configures a run.
type Config struct {
	Trials   []plan.Trial // in order
	Seed     uint64
	Launcher launch.Launcher
	Results  Results
	Progress Progress
	Keys     *credential.Set  // for TLS; nil makes fresh ones
	Windows  int              // the most windows of a trial to keep; 0 keeps none
	Seconds  bool             // keep a window for each second instead
	Silence  time.Duration    // how long a worker may say nothing while it measures; 0 is DefaultSilence
	Now      func() time.Time // stamps trials
	Meter    Meter            // of this host while a trial is measured; nil watches none

	Foreign func(plan.Trial) Foreign // of trials whose server is somebody else's; nil where there are none
	// Target reads what the server at the trials' target has used, with all that it has started; false where it is unknown. nil
	// knows nothing of it.
	Target func() (host.Usage, bool)

	Temporary *scratch.Dir // for sockets; nil makes their folders the system's

	Suspension Suspension // has trials end when this process is to be stopped; nil has them go on

	// Steady judges the calls per second in the intervals of a warm-up so far. It ends a warm-up whose length is not fixed.
	Steady func(perSec []float64) bool
	// Warming reports whether calls were still becoming faster, by what the clients measured. If the length of the warm-up is not
	// fixed, such a measured phase counts as warm-up, and another follows. nil accepts any.
	Warming func(spec plan.Spec, clients []result.Client) bool

	Profile bool // both processes, while they are measured
	// Stall is how long calls may be in flight without one completing before a trial is stalled; 0 is DefaultStall, or a longer
	// deadline.
	Stall     time.Duration
	HeapDumps bool   // dump heaps as well when a trial stalls
	Evidence  string // the folder of profiles and dumps, made when it is first needed; empty keeps none
}

// A Foreign holds what calls of a foreign server need besides their Spec. It holds secrets, and nothing of it is written to
// results.
type Foreign struct {
	Security *control.Security // in place of what Keys give; nil leaves that. Its mode is the Spec's.
	Recipe   *control.Recipe   // of trials with a Spec.Method; nil with a Mix
	Mix      *control.Mix      // of trials with several calls
	// Token returns the token of all calls as it is now, for every Connect; nil where the recipes' does not change.
	Token func() (string, error)
}

// DefaultSilence is how long a measuring worker may be silent. It reports ten times per second.
const DefaultSilence = 10 * time.Second

// DefaultStall is how long a trial may go on without completing a call while calls are in flight.
const DefaultStall = 10 * time.Second

// Run carries out the trials in order and returns how many failed. The error is that results can't be written, or that
// ctx ended. The trial that was being measured then ends early and is in the results, marked as interrupted; one in
// which no call had been answered is not. One that was suspended is so too, and is carried out again.
func Run(ctx context.Context, config Config) (failed int, err error) {
	if err := config.complete(); err != nil {
		return 0, err
	}
	d := &driver{Config: config, pool: newPool(config)}
	defer d.pool.end()
	for i, trial := range config.Trials {
		config.Progress.Begun(config.Trials, i)
		evidence, measured, suspended, err := d.carryOutWhole(ctx, trial)
		if err != nil {
			return failed, err
		}
		if ctx.Err() != nil && !measured {
			return failed, context.Cause(ctx)
		}
		if evidence.Status == result.StatusFailed {
			failed++
		}
		if err := config.Results.Append(evidence); err != nil {
			return failed, err
		}
		config.Progress.Ended(evidence)
		if suspended {
			d.Suspension.Stop()
		}
		if ctx.Err() != nil {
			return failed, context.Cause(ctx)
		}
	}
	return failed, nil
}

// complete checks the configuration, and sets defaults.
func (c *Config) complete() error {
	if c.Silence == 0 {
		c.Silence = DefaultSilence
	}
	if c.Profile && c.Evidence == "" {
		return errors.New("profiles need a folder to be kept in")
	}
	if c.Steady == nil && slices.ContainsFunc(c.Trials, untilSteady) {
		return errors.New("a warm-up that ends when it is steady needs something that tells when")
	}
	if c.Keys != nil {
		return nil
	}
	keys, err := credential.New()
	c.Keys = &keys
	return err
}

// untilSteady reports whether the trial's warm-up goes on until it is steady.
func untilSteady(trial plan.Trial) bool { return trial.Spec.WarmupMostNs > trial.Spec.WarmupNs }

type driver struct {
	Config

	pool pool
}

// carryOutWhole runs a trial, and runs it again if it ended early because the process is to be stopped. What was measured by then
// is in the results, in case the process never continues. suspended says that the process is still to be stopped.
func (d *driver) carryOutWhole(
	ctx context.Context, trial plan.Trial,
) (evidence result.Trial, measured, suspended bool, err error) {
	for {
		within, over := d.during(ctx)
		evidence, measured = d.carryOut(within, trial)
		isCut := within.Err() != nil && ctx.Err() == nil && (!measured || evidence.Interrupted)
		if suspended = over(); !isCut {
			return evidence, measured, suspended, nil
		}
		if measured {
			err = d.Results.Append(evidence)
		}
		if err != nil {
			return evidence, measured, false, err
		}
		d.Suspension.Stop()
	}
}

// carryOut measures one trial, and returns its evidence however it went, and whether the measured phase is in it.
func (d *driver) carryOut(ctx context.Context, trial plan.Trial) (evidence result.Trial, measured bool) {
	evidence = result.Trial{
		ID: trial.ID, Repetition: trial.Repetition, Spec: trial.Spec, Cases: trial.Cases, Floor: trial.Floor,
		Started: d.Now().UTC(), Status: result.StatusOK,
	}
	s := d.sidesOf(ctx, trial, &evidence)
	evidence.Layout = &result.Layout{EnvironmentBytes: s.layout.EnvironmentBytes, DirectoryBytes: s.layout.DirectoryBytes}
	err := s.measure(ctx)
	if evidence.ProcessesOf != "" {
		forgetFirst(&evidence)
	}
	if err != nil || ctx.Err() != nil || !d.pool.keep(s) {
		err = errorOf(err, s.close(ctx.Err() != nil || lost(err)))
	}
	if err == nil {
		err = judge(evidence)
	}
	if err != nil {
		fail(&evidence, err)
	}
	return evidence, s.measured
}

// errorOf is of a trial, of which its end is a part.
func errorOf(measuring, closing error) error {
	if measuring != nil && closing != nil {
		return fmt.Errorf("%w; %w", measuring, closing)
	}
	return cmp.Or(measuring, closing)
}

// fail marks a trial as failed. Errors without a code of their own get the general one.
func fail(evidence *result.Trial, err error) {
	code := result.FailureRun
	if failure, ok := errors.AsType[*result.FailureError](err); ok {
		code = failure.Code
	} else if fault, ok := errors.AsType[*control.FaultError](err); ok {
		code, evidence.FailureField = result.FailureFault, fault.Field
	}
	evidence.Fail(code, err.Error())
}

// lost reports whether the conversation with a worker broke down, so that there is no sense in waiting for a good end.
func lost(err error) bool {
	var fault *control.FaultError
	return err != nil && !errors.As(err, &fault)
}
