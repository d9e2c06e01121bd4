package capacity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/require"
	"rpcbench/internal/results/result"
)

// The scenarios of a file of capacity. They keep short and long trials at one rate apart.
const (
	ScenarioProbe    = "probe"
	ScenarioSearch   = "search"
	ScenarioCapacity = "capacity"
	ScenarioLoad     = "latency against load"
	ScenarioScaling  = "connections"
)

// probeInFlight limits the calls in flight of the probe: enough for a rate near the highest.
const probeInFlight = 16

// guessShare is the part of the probe's rate that is tried first.
const guessShare = 0.7

// searchCalls is the minimum number of calls of a trial, if no requirement needs more. At a low rate the trial gets longer for
// them.
const searchCalls = 200

// longestTimes limits how much a confirming trial is prolonged for its calls, as a multiple.
const longestTimes = 6

// connectionCounts are the numbers of connections for the scalability law.
var connectionCounts = []int{1, 2, 4, 8, 16}

// A Course finds one stack's capacity, and latency around it: a probe makes the first guess, then come the steps of
// Settings.Next, and trials over connections if they confirmed a rate. It is asked for a trial, is shown the trial, and so on.
type Course struct {
	Base         plan.Trial    // one that confirms, at any rate
	Trials       int           // that confirm
	Search       time.Duration // how long a trial of the search lasts
	Requirements []require.Requirement

	// Results.
	File     string // the results file; empty while it is measured
	Settings Settings
	Outcomes []Outcome
	Reasons  map[float64]string        // by rate, why it did not meet the requirements
	Client   map[float64]string        // by rate, how the client was the limit
	Excuses  map[float64]string        // by rate, how the host was disturbed in all trials that did not meet the requirements
	Rows     map[float64]*analysis.Row // by rate, of trials that confirm
	Shares   map[float64]*analysis.Row // of the trials at parts of the capacity
	Noisy    int                       // trials that confirm which were on a noisy host, whatever they came to
	Added    []Added
	Ending   Ending
	Failure  string // what it ended with, if it is Broken

	running   Request
	begun     bool
	again     int // the number of a trial that was interrupted, which the next one replaces
	scaled    int // trials over connections
	doublings int // of the clients
	unreached int // trials in a row that could not connect
}

// An Ending is why a course has no further trials.
type Ending string

// Endings.
const (
	Complete    Ending = ""            // nothing is left to measure, or it goes on
	Interrupted Ending = "interrupted" // by the user
	TimeUp      Ending = "time_up"
	Broken      Ending = "broken"  // by an error
	Unknown     Ending = "unknown" // the file does not say
)

// A Request is a trial that a course asks for.
type Request struct {
	Scenario string // one of those above
	Label    string // what the trial is for
	Spec     plan.Spec

	step Step // of the search and what follows it
}

// ID returns that of a trial of the course, by the number of the trial in its file.
func (c *Course) ID(number int) string { return fmt.Sprintf("%s-%d", c.Base.ID, number) }

// Number returns that of the next trial, which is next unless it replaces one that was interrupted.
func (c *Course) Number(next int) int { return cmp.Or(c.again, next) }

// IsBegun reports whether the course has a trial, which may be one that was interrupted.
func (c *Course) IsBegun() bool { return c.begun }

// Find returns what the course has found so far.
func (c *Course) Find() Found { return c.Settings.Find(c.Outcomes) }

// HasRate reports whether a rate is confirmed.
func (c *Course) HasRate() bool {
	state := c.Find().State
	return len(c.Outcomes) > 0 && (state == Confirmed || state == Bounding)
}

// Next returns the trial that is to be shown to See next; false says that there is none.
func (c *Course) Next() (Request, bool) {
	next, more := c.next()
	c.running = next
	return next, more
}

func (c *Course) next() (Request, bool) {
	if c.Settings == (Settings{}) {
		return Request{Label: ScenarioProbe, Scenario: ScenarioProbe, Spec: c.closed(min(probeInFlight, c.Base.Spec.InFlight))}, true
	}
	if step := c.Settings.Next(c.Outcomes); step.Phase != Over {
		return Request{Label: string(step.Phase), Scenario: scenarioOf(step.Phase), Spec: c.open(step), step: step}, true
	}
	counts := c.connectionCounts()
	if c.scaled == len(counts) || c.Find().State != Confirmed {
		return Request{}, false
	}
	spec := c.closed(1)
	spec.Connections = counts[c.scaled]
	return Request{Label: ScenarioScaling, Scenario: ScenarioScaling, Spec: spec}, true
}

// connectionCounts returns the numbers of connections with at least one for every client.
func (c *Course) connectionCounts() []int {
	clients := c.spec().ClientCount()
	return slices.DeleteFunc(slices.Clone(connectionCounts), func(n int) bool { return n < clients })
}

// See takes in the row of the trial that Next returned. An error says that there is nothing to search with.
func (c *Course) See(row *analysis.Row) error {
	c.begun, c.again = true, 0
	switch {
	case c.running.Scenario == ScenarioProbe:
		return c.guess(row)
	case couldNotConnect(row):
		return c.missed(row)
	}
	c.unreached = 0
	switch c.running.Scenario {
	case ScenarioScaling:
		c.scaled++
	default:
		c.judge(c.running.step, row)
	}
	return nil
}

// Stopped sets the ending after an error of measuring, nil for none.
func (c *Course) Stopped(err error) {
	switch {
	case errors.Is(err, context.Canceled):
		c.Ending = Interrupted
	case err != nil:
		c.Ending, c.Failure = Broken, err.Error()
	}
}

// guess makes the settings of the search by the probe.
func (c *Course) guess(row *analysis.Row) error {
	rate, ok := row.Summary(analysis.CallsPerSec)
	switch {
	case len(row.Failed) > 0:
		return fmt.Errorf("the first trial failed: %s", plain.Short(row.Failed[0].Failure, 2*plain.Example))
	case !ok || rate.Median <= 0:
		return fmt.Errorf("no call was completed within the %s of the first trial: search with longer ones (--search-duration)",
			number.Span(c.Search))
	}
	c.Reasons, c.Client, c.Excuses = map[float64]string{}, map[float64]string{}, map[float64]string{}
	c.Rows, c.Shares = map[float64]*analysis.Row{}, map[float64]*analysis.Row{}
	least := max(rate.Median/1000, float64(c.calls())/(longestTimes*c.Confirmation().Seconds()))
	c.Settings = Settings{
		Guess: guessShare * rate.Median, Least: Round(least), Most: point.PerSecMax, Precision: 0.05, Trials: c.Trials,
	}
	return nil
}

// unreachedMost is the number of trials in a row that could not connect which ends a course: the server is gone.
const unreachedMost = 3

// missed takes in a trial that could not connect. It says nothing of the rate, which is asked for again.
func (c *Course) missed(row *analysis.Row) error {
	if c.unreached++; c.unreached%unreachedMost != 0 { // a course that is resumed counts anew
		return nil
	}
	return fmt.Errorf("%d trials in a row could not connect; the last because: %s", unreachedMost,
		plain.Short(row.Failed[0].Failure, 2*plain.Example))
}

// couldNotConnect reports whether a client's connections failed, before any call.
func couldNotConnect(row *analysis.Row) bool {
	return len(row.Failed) > 0 && row.Failed[0].FailureCode == result.FailureFault && row.Failed[0].FailureField == "connect"
}

// judge stores the result of a step's trial. On a noisy host neither success nor failure is measured again: repeating only one of
// them would move the capacity.
func (c *Course) judge(done Step, row *analysis.Row) {
	reason, limit := ShortOf(row, c.Requirements), clientLimit(row)
	if reason != "" && limit != "" && c.add(done, limit) {
		return
	}
	c.Outcomes = append(c.Outcomes, Outcome{Step: done, Met: reason == ""})
	if reason != "" || c.Reasons[done.PerSec] == "" {
		c.Reasons[done.PerSec], c.Client[done.PerSec] = reason, limit
	}
	if known, failed := c.Excuses[done.PerSec]; reason != "" && (!failed || known != "") {
		c.Excuses[done.PerSec] = excuse(row, c.Requirements)
	}
	switch done.Phase {
	case Load:
		c.Shares[done.Share] = row
	case Confirm:
		c.Rows[done.PerSec] = row
		if _, ok := noise(row); ok {
			c.Noisy++
		}
	default:
	}
}

// Confirmation returns how long a trial that confirms lasts.
func (c *Course) Confirmation() time.Duration { return time.Duration(c.Base.Spec.DurationNs) }

func scenarioOf(phase Phase) string {
	switch phase {
	case Confirm:
		return ScenarioCapacity
	case Load:
		return ScenarioLoad
	default:
		return ScenarioSearch
	}
}

// closed is a short trial of a closed load.
func (c *Course) closed(inFlight int) plan.Spec {
	spec := c.spec()
	spec.Load, spec.OfferedPerSec, spec.DurationNs = plan.LoadClosed, 0, int64(c.Search)
	if spec.Streams == spec.InFlight {
		spec.Streams = inFlight
	}
	spec.InFlight = inFlight
	return spec
}

// open is the trial of a step: a short one for the search. Where it would have too few calls it lasts longer.
func (c *Course) open(next Step) plan.Spec {
	spec := c.spec()
	spec.OfferedPerSec = next.PerSec
	long := spec.DurationNs
	if next.Phase == Search {
		spec.DurationNs = int64(c.Search)
	}
	calls := time.Duration(float64(c.calls()) / next.PerSec * float64(time.Second))
	spec.DurationNs = min(max(spec.DurationNs, int64(calls)), longestTimes*long)
	return spec
}

// calls returns how many calls a trial should have: as many as the requirements' percentiles need.
func (c *Course) calls() int {
	most := searchCalls
	for _, r := range c.Requirements {
		most = max(most, r.Samples())
	}
	return most
}
