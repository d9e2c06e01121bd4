package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/require"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign/capacity"
)

// The scenarios of a file of capacity. They keep short and long trials at one rate apart.
const (
	scenarioProbe    = "probe"
	scenarioSearch   = "search"
	scenarioCapacity = "capacity"
	scenarioLoad     = "latency against load"
	scenarioScaling  = "connections"
)

// probeInFlight is how many calls the probe has in flight, at the most: enough for a rate near the highest.
const probeInFlight = 16

// guessShare is the part of the probe's rate that is tried first.
const guessShare = 0.7

// rateMost is more than any client offers.
const rateMost = 1e7

// searchCalls is how many calls a trial of the search should have: at a low rate it gets longer for them.
const searchCalls = 200

// leastCalls is how many calls the longest trial has at the lowest rate that is tried.
const leastCalls = 10

// connectionCounts are those of the scalability law.
var connectionCounts = []int{1, 2, 4, 8, 16}

// A course finds one stack's capacity.
type course struct {
	*steps
	base         plan.Trial
	trials       int // that confirm
	search       time.Duration
	end          time.Time // nothing begins that would not be over by then
	requirements []require.Requirement

	settings capacity.Settings
	outcomes []capacity.Outcome
	reasons  map[float64]string // by rate, why it did not meet the requirements
	client   map[float64]string // by rate, how the client was the limit
	rows     map[float64]*analysis.Row
	shares   map[float64]*analysis.Row // of the trials at parts of the capacity
	timeUp   bool
}

// findCapacities carries the course of each stack out, says the answers, and reports the file.
func (e *env) findCapacities(ctx context.Context, f capacityFlags, w work) error {
	bases := firsts(w.plan)
	s, err := e.newSteps(f.outputFlags, w, capacityScenarios(f.requirements))
	if err != nil {
		return err
	}
	defer s.writer.Close()
	fmt.Fprintf(e.err, "the capacity of %s, at most %v each, into %s\n", count(len(bases), "stack"), f.time, s.file)
	ctx, restore := interruptible(ctx, nothing)
	defer restore()
	var answers []string
	var problems []error
	for _, base := range bases {
		c := &course{
			steps: s, base: base, trials: len(w.plan.Trials) / len(bases), search: f.search, end: time.Now().Add(f.time),
			requirements: f.requirements, reasons: map[float64]string{}, client: map[float64]string{},
			rows: map[float64]*analysis.Row{}, shares: map[float64]*analysis.Row{},
		}
		err := c.run(ctx)
		answers = append(answers, c.answer(err))
		if problems = append(problems, c.problem(err)); errors.Is(err, context.Canceled) {
			break
		}
	}
	reported := e.finish(s, strings.Join(answers, "\n"), judgeFlags{})
	return cmp.Or(worst(problems), reported)
}

// worst returns the error with the highest exit code: an interruption before a requirement that is not met, that before a
// failed trial.
func worst(problems []error) error {
	var found error
	code := -1
	for _, problem := range problems {
		if exit, ok := errors.AsType[*exitError](problem); ok && exit.code > code {
			found, code = problem, exit.code
		}
	}
	return found
}

// firsts are the plan's points in the order of their stacks' names.
func firsts(p plan.Plan) []plan.Trial {
	points := slices.DeleteFunc(slices.Clone(p.Trials), func(t plan.Trial) bool { return t.Repetition > 1 })
	slices.SortStableFunc(points, func(a, b plan.Trial) int { return strings.Compare(a.Spec.Stack, b.Spec.Stack) })
	return points
}

// capacityScenarios say what the parts of the file are about.
func capacityScenarios(requirements []require.Requirement) []result.Scenario {
	wanted := wantedText(requirements)
	return []result.Scenario{
		{Name: scenarioCapacity, Question: "Is the rate that the search found carried for longer, with " + wanted + "?", Trials: 1},
		{Name: scenarioLoad, Question: "How does latency grow with the load, up to the capacity and past it?", Trials: 1},
		{Name: scenarioScaling, Question: "How does the rate grow with connections?", Trials: 1},
		{Name: scenarioSearch, Question: "About where is the highest rate with " + wanted + "?", Trials: 1},
		{Name: scenarioProbe, Question: "About how many calls a second are there?", Trials: 1},
	}
}

func wantedText(requirements []require.Requirement) string {
	var texts []string
	for _, r := range requirements {
		texts = append(texts, r.String())
	}
	return strings.Join(texts, " and ")
}

// run measures until the capacity is known and latency around it, or the time is up.
func (c *course) run(ctx context.Context) error {
	if err := c.probe(ctx); err != nil {
		return err
	}
	for {
		next := c.settings.Next(c.outcomes)
		if next.Phase == capacity.Over {
			break
		}
		row, err := c.undisturbed(ctx, next)
		if err != nil || row == nil {
			return err
		}
		c.see(next, row)
	}
	if c.settings.Find(c.outcomes).State != capacity.Confirmed {
		return nil
	}
	for _, n := range connectionCounts {
		spec := c.closed(1)
		spec.Connections = n
		if row, err := c.measure(ctx, scenarioScaling, scenarioScaling, spec); err != nil || row == nil {
			return err
		}
	}
	return nil
}

// disturbedMost is how often a trial that confirms is made, when the machine did other things while it failed.
const disturbedMost = 3

// undisturbed carries the trial of a step out. One that confirms is made again when it fails on a noisy host: that says
// nothing of the server.
func (c *course) undisturbed(ctx context.Context, next capacity.Step) (*analysis.Row, error) {
	for made := 1; ; made++ {
		row, err := c.measure(ctx, string(next.Phase), scenarioOf(next.Phase), c.open(next))
		if err != nil || row == nil || next.Phase != capacity.Confirm || made == disturbedMost ||
			!noisy(row) || shortOf(row, c.requirements) == "" {
			return row, err
		}
	}
}

// probe makes the first guess.
func (c *course) probe(ctx context.Context) error {
	row, err := c.measure(ctx, scenarioProbe, scenarioProbe, c.closed(min(probeInFlight, c.base.Spec.InFlight)))
	if err != nil || row == nil {
		return err
	}
	rate, ok := row.Summary(analysis.CallsPerSec)
	if !ok || rate.Median <= 0 {
		return fmt.Errorf("the first trial failed: %s", c.last.Failure)
	}
	least := max(rate.Median/1000, leastCalls/c.confirmation().Seconds())
	c.settings = capacity.Settings{
		Guess: guessShare * rate.Median, Least: capacity.Round(least), Most: rateMost, Precision: 0.05, Trials: c.trials,
	}
	return nil
}

func scenarioOf(phase capacity.Phase) string {
	switch phase {
	case capacity.Confirm:
		return scenarioCapacity
	case capacity.Load:
		return scenarioLoad
	default:
		return scenarioSearch
	}
}

// closed is a short trial of a closed load.
func (c *course) closed(inFlight int) plan.Spec {
	spec := c.base.Spec
	spec.Load, spec.OfferedPerSec, spec.DurationNs = plan.LoadClosed, 0, int64(c.search)
	if spec.Streams == spec.InFlight {
		spec.Streams = inFlight
	}
	spec.InFlight = inFlight
	return spec
}

// open is the trial of a step: a short one for the search, which lasts longer where it would have too few calls.
func (c *course) open(next capacity.Step) plan.Spec {
	spec := c.base.Spec
	spec.OfferedPerSec = next.PerSec
	if next.Phase == capacity.Search {
		calls := time.Duration(searchCalls / next.PerSec * float64(time.Second))
		spec.DurationNs = min(max(int64(c.search), int64(calls)), spec.DurationNs)
	}
	return spec
}

// measure carries a trial out. No row says that there is no time left for it.
func (c *course) measure(ctx context.Context, label, scenario string, spec plan.Spec) (*analysis.Row, error) {
	if time.Now().Add(expected(spec)).After(c.end) {
		c.timeUp = true
		return nil, nil //nolint:nilnil // the end of the time is no error
	}
	return c.steps.run(ctx, step{
		base: c.base, spec: spec, use: plan.Case{Scenario: scenario, Title: scenario}, repetition: c.made + 1, label: label,
	})
}

// see judges the trial of a step, and keeps what it found.
func (c *course) see(done capacity.Step, row *analysis.Row) {
	reason := shortOf(row, c.requirements)
	c.outcomes = append(c.outcomes, capacity.Outcome{Step: done, Met: reason == ""})
	c.reasons[done.PerSec], c.client[done.PerSec] = reason, clientLimit(row)
	switch done.Phase {
	case capacity.Load:
		c.shares[done.Share] = row
	case capacity.Confirm:
		c.rows[done.PerSec] = row
	default:
	}
}
