package capacity

import (
	"fmt"
	"slices"
	"time"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/require"
	"rpcbench/internal/run/campaign"
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

// A Course finds one stack's capacity, and latency around it. It is a campaign.Decision: a probe makes the first guess, then
// come the steps of Settings.Next, and trials over connections if they confirmed a rate.
type Course struct {
	Base         plan.Trial    // one that confirms, at any rate
	Trials       int           // that confirm
	Search       time.Duration // how long a trial of the search lasts
	End          time.Time     // nothing begins that would not be over by then
	Requirements []require.Requirement

	// Results.
	Settings Settings
	Outcomes []Outcome
	Reasons  map[float64]string        // by rate, why it did not meet the requirements
	Client   map[float64]string        // by rate, how the client was the limit
	Rows     map[float64]*analysis.Row // by rate, of trials that confirm
	Shares   map[float64]*analysis.Row // of the trials at parts of the capacity
	Noisy    int                       // trials that confirm which were on a noisy host, whatever they came to
	TimeUp   bool
	Added    []Added

	running   request
	scaled    int // trials over connections
	doublings int // of the clients
}

// A request is a trial that the course asks for.
type request struct {
	label, scenario string
	spec            plan.Spec
	step            Step // of the search and what follows it
}

// Find returns what the course has found so far.
func (c *Course) Find() Found { return c.Settings.Find(c.Outcomes) }

// Next implements campaign.Decision.
func (c *Course) Next(now time.Time, made int) campaign.Batch {
	next, more := c.next()
	if !more {
		return campaign.Batch{}
	}
	trial := plan.Trial{
		ID: fmt.Sprintf("%s-%d", c.Base.ID, made+1), Repetition: made + 1, Spec: next.spec,
		Cases: []plan.Case{{Scenario: next.scenario, Title: next.scenario}},
	}
	trials := []plan.Trial{trial}
	if now.Add(plan.Expected(trials)).After(c.End) {
		c.TimeUp = true
		return campaign.Batch{}
	}
	c.running = next
	return campaign.Batch{Trials: trials, Label: next.label}
}

func (c *Course) next() (next request, more bool) {
	if c.Settings == (Settings{}) {
		return request{label: ScenarioProbe, scenario: ScenarioProbe, spec: c.closed(min(probeInFlight, c.Base.Spec.InFlight))}, true
	}
	if step := c.Settings.Next(c.Outcomes); step.Phase != Over {
		return request{label: string(step.Phase), scenario: scenarioOf(step.Phase), spec: c.open(step), step: step}, true
	}
	counts := c.connectionCounts()
	if c.scaled == len(counts) || c.Find().State != Confirmed {
		return request{}, false
	}
	spec := c.closed(1)
	spec.Connections = counts[c.scaled]
	return request{label: ScenarioScaling, scenario: ScenarioScaling, spec: spec}, true
}

// connectionCounts returns the numbers of connections with at least one for every client.
func (c *Course) connectionCounts() []int {
	clients := c.spec().ClientCount()
	return slices.DeleteFunc(slices.Clone(connectionCounts), func(n int) bool { return n < clients })
}

// See implements campaign.Decision.
func (c *Course) See(trial campaign.Measured) error {
	row, err := trial.Row()
	if err != nil {
		return err
	}
	switch c.running.scenario {
	case ScenarioProbe:
		return c.guess(row, trial.Failure)
	case ScenarioScaling:
		c.scaled++
	default:
		c.judge(c.running.step, row)
	}
	return nil
}

// guess makes the settings of the search by the probe.
func (c *Course) guess(row *analysis.Row, failure string) error {
	rate, ok := row.Summary(analysis.CallsPerSec)
	switch {
	case !ok:
		return fmt.Errorf("the first trial failed: %s", plain.Short(failure, 2*plain.Example))
	case rate.Median <= 0:
		return fmt.Errorf("no call was completed within the %v of the first trial: search with longer ones (--search-duration)",
			c.Search)
	}
	c.Reasons, c.Client = map[float64]string{}, map[float64]string{}
	c.Rows, c.Shares = map[float64]*analysis.Row{}, map[float64]*analysis.Row{}
	least := max(rate.Median/1000, float64(c.calls())/(longestTimes*c.Confirmation().Seconds()))
	c.Settings = Settings{
		Guess: guessShare * rate.Median, Least: Round(least), Most: point.PerSecMax, Precision: 0.05, Trials: c.Trials,
	}
	return nil
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
	switch done.Phase {
	case Load:
		c.Shares[done.Share] = row
	case Confirm:
		c.Rows[done.PerSec] = row
		if noisy(row) {
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
