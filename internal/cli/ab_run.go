package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign/ab"
	"rpcbench/internal/run/server"
)

// serverPatience is how long a server may take to end before it is killed.
const serverPatience = 5 * time.Second

// An experiment measures two servers by turns.
type experiment struct {
	*steps
	flags    abFlags
	base     plan.Trial
	at       server.Address
	settings ab.Settings
	end      time.Time      // no pair begins that would not be over by then
	starting sync.Mutex     // held while a server is started, and for ever once rpcbench ends at once
	running  *server.Server // nil while none runs; guarded by starting

	outcomes []ab.Outcome
	figures  []map[ab.Side]map[analysis.Metric]float64 // of each pair
	slowest  time.Duration                             // of the pairs so far
	timeUp   bool
}

// experiment carries the pairs out, says the answer, and reports the file.
func (e *env) experiment(ctx context.Context, f abFlags, w work) error {
	base := w.plan.Trials[0]
	x := &experiment{
		flags: f, base: base, at: server.Address{Network: base.Spec.Network, Text: base.Spec.Target}, end: time.Now().Add(f.time),
		settings: ab.Settings{Seed: f.seed, Alike: f.alike, Width: f.width, Most: abPairsMost},
	}
	ctx, restore := interruptible(ctx, x.killRunning)
	defer restore()
	if err := x.rehearse(ctx); err != nil {
		return err
	}
	s, err := e.newSteps(f.outputFlags, w, x.scenarios())
	if err != nil {
		return err
	}
	defer s.writer.Close()
	x.steps = s
	fmt.Fprintf(e.err, "pairs of trials of about %s each, at most %v, into %s\n", about(2*expected(base.Spec)), f.time, s.file)
	err = x.run(ctx)
	reported := e.finish(s, x.answer(err), f.judgeFlags)
	switch {
	case errors.Is(err, context.Canceled):
		return s.ended(err)
	case err != nil:
		return failed(err)
	case ab.Failing(x.outcomes):
		return failed(fmt.Errorf("three pairs in a row failed; the last because: %s", s.last.Failure))
	case reported != nil:
		return reported
	}
	return e.checkLimits(f.limits, x.comparison())
}

// scenarios say what the sides are.
func (x *experiment) scenarios() []result.Scenario {
	a, b := strings.Join(x.flags.commands[false], " "), strings.Join(x.flags.commands[true], " ")
	return []result.Scenario{
		{Name: string(ab.A), Question: "How does server A answer? It is " + a, Trials: 1},
		{Name: string(ab.B), Question: "How does server B answer? It is " + b, Trials: 1},
		{Name: string(ab.First), Question: "How does server A answer beside itself, in the part of A?", Trials: 1},
		{Name: string(ab.Second), Question: "How does server A answer beside itself, in the part of B?", Trials: 1},
	}
}

// rehearse starts each server once, so that what is wrong with a command is known before anything is measured.
func (x *experiment) rehearse(ctx context.Context) error {
	if x.at.Accepts(ctx) {
		return badInput(fmt.Errorf("something listens on %s already: end it, so that nothing but --a and --b is measured", x.at))
	}
	log, err := os.CreateTemp("", "rpcbench-ab-*.log")
	if err != nil {
		return failed(err)
	}
	defer func() { _ = errors.Join(log.Close(), os.Remove(log.Name())) }() // a file for the moment
	for _, side := range []ab.Side{ab.A, ab.B} {
		started, err := x.start(ctx, side, log)
		if err != nil && ctx.Err() != nil {
			return &exitError{exitInterrupted, errors.New("interrupted before anything was measured")}
		}
		if err != nil {
			return badInput(withLastWords(err, started))
		}
		if err := x.stop(started); err != nil {
			return failed(err)
		}
	}
	return nil
}

// withLastWords adds to an error what the server said last.
func withLastWords(err error, s *server.Server) error {
	if s == nil || s.LastWords() == "" {
		return err
	}
	return fmt.Errorf("%w; its last words: %s", err, s.LastWords())
}

// start has a side's server listen. A server that does not is stopped, and returned with the error for its last words.
func (x *experiment) start(ctx context.Context, side ab.Side, log *os.File) (*server.Server, error) {
	name := "server A"
	if side.IsB() {
		name = "server B"
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	started, err := x.launch(name, x.flags.commands[side.IsB()], log)
	if err != nil {
		return nil, err
	}
	if err = started.Await(ctx, x.at, x.flags.ready); err == nil {
		err = pause(ctx, x.flags.settle)
	}
	if err != nil {
		return started, errors.Join(err, x.stop(started))
	}
	return started, nil
}

func (x *experiment) launch(name string, words []string, log *os.File) (started *server.Server, err error) {
	x.starting.Lock()
	defer x.starting.Unlock()
	started, err = server.Start(name, words, log)
	x.running = started
	return started, err
}

func (x *experiment) stop(s *server.Server) error {
	err := s.Stop(x.at, serverPatience)
	x.starting.Lock()
	defer x.starting.Unlock()
	x.running = nil
	return err
}

// pause waits, unless ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// run measures pairs until they are enough, or the time is up.
func (x *experiment) run(ctx context.Context) error {
	for {
		next, more := x.settings.Next(x.outcomes)
		if !more {
			return nil
		}
		begun := time.Now()
		if begun.Add(max(x.slowest, 2*expected(x.base.Spec))).After(x.end) {
			x.timeUp = true
			return nil
		}
		if err := x.pair(ctx, next); err != nil {
			return err
		}
		x.slowest = max(x.slowest, time.Since(begun))
	}
}

// pair measures both sides of a pair, and its ratio where neither failed.
func (x *experiment) pair(ctx context.Context, next ab.Step) error {
	figures := map[ab.Side]map[analysis.Metric]float64{}
	for _, side := range next.Sides {
		var err error
		if figures[side], err = x.trial(ctx, side, next); err != nil {
			return err
		}
	}
	x.figures = append(x.figures, figures)
	ratio, _ := ratioOf(next, figures, x.flags.metric)
	x.outcomes = append(x.outcomes, ab.Outcome{Step: next, Ratio: ratio})
	return nil
}

// ratioOf is that of B to A, or of A to itself; false where one of them has no such figure.
func ratioOf(s ab.Step, figures map[ab.Side]map[analysis.Metric]float64, metric analysis.Metric) (float64, bool) {
	under, over := ab.A, ab.B
	if s.Alike {
		under, over = ab.First, ab.Second
	}
	a, b := figures[under][metric], figures[over][metric]
	if a <= 0 || b <= 0 {
		return 0, false
	}
	return b / a, true
}

// trial measures one side: its server is started, loaded and ended. A server that is not there, or does not stay, makes a
// trial that failed; an error is that nothing more can be measured.
func (x *experiment) trial(ctx context.Context, side ab.Side, pair ab.Step) (map[analysis.Metric]float64, error) {
	next := step{
		base: x.base, spec: x.base.Spec, use: plan.Case{Scenario: string(side), Title: string(side)}, repetition: pair.Number,
		label: fmt.Sprintf("pair %d, %s", pair.Number, side),
	}
	log, err := x.log(side)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	started, err := x.start(ctx, side, log)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil && x.at.Accepts(ctx) {
		return nil, err // the next server could not be told from what listens there
	}
	if err != nil {
		words := ""
		if started != nil {
			words = started.LastWords()
		}
		return nil, x.keep(next, err.Error(), words)
	}
	x.amend = func(t *result.Trial) {
		if t.Status == result.StatusFailed && !x.at.Accepts(ctx) {
			started.AwaitEnd(serverPatience) // it listens no longer, so that it is about to end, and how says more than its calls
		}
		if ended := started.Ended(); ended != nil {
			t.Status, t.Failure, t.LastWords = result.StatusFailed, ended.Error()+" while it was measured", started.LastWords()
		}
	}
	row, err := x.steps.run(ctx, next)
	x.amend = nil
	if err := errors.Join(err, x.stop(started)); err != nil {
		return nil, err
	}
	return figuresOf(row), nil
}

// figuresOf are all figures of a trial; none of one that failed.
func figuresOf(row *analysis.Row) map[analysis.Metric]float64 {
	figures := map[analysis.Metric]float64{}
	for _, trial := range row.Trials {
		for _, metric := range analysis.Metrics() {
			if value, ok := trial.Value(metric); ok {
				figures[metric] = value
			}
		}
	}
	return figures
}

// log opens what a side's server prints, beside the results.
func (x *experiment) log(side ab.Side) (*os.File, error) {
	name := "server-a.log"
	if side.IsB() {
		name = "server-b.log"
	}
	folder := x.config.Evidence
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	return os.OpenFile(filepath.Join(folder, name), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
}
