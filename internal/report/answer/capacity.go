// Package answer describes the results of campaigns in sentences: the capacity of a server, and which of two servers is faster.
package answer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/capacity"
	"rpcbench/internal/results/require"
)

// A Course describes the result of a course in words.
type Course struct{ *capacity.Course }

// Answer says in a few sentences what the course found.
func (c Course) Answer() document.Answer {
	if c.HasRate() {
		return c.sentences(c.Find())
	}
	lines := document.Answer{c.unknown(c.Find())}
	if len(c.Outcomes) > 0 {
		lines = append(lines, c.tried())
	}
	return lines
}

// contradicted says which trials speak against the capacity that is confirmed; "" is none.
func (c Course) contradicted() string {
	if !c.HasRate() {
		return ""
	}
	return c.contradictions(c.Find())
}

// excuse says how the host was disturbed where no rate is confirmed: in all trials that fell short at the lowest. "" is not, and
// that there is such a rate.
func (c Course) excuse() string {
	switch found := c.Find(); found.State {
	case capacity.Unmet, capacity.Unconfirmed:
		return c.Excuses[found.Failed]
	default:
		return ""
	}
}

// Decisions about a capacity.
const (
	Found        = "found"
	Inconclusive = "inconclusive" // trials contradict the rate that is confirmed, or the host may be why none is
	NotMet       = "not_met"      // by any rate that was tried
	Unknown      = "unknown"      // the search ended early
)

// Decision returns which of them holds.
func (c Course) Decision() string {
	switch state := c.Find().State; {
	case c.contradicted() != "" || c.excuse() != "":
		return Inconclusive
	case c.HasRate():
		return Found
	case len(c.Outcomes) > 0 && (state == capacity.Unmet || state == capacity.Unconfirmed):
		return NotMet
	default:
		return Unknown
	}
}

// subject returns the target, or the stack if there is none.
func (c Course) subject() string { return cmp.Or(c.Base.Spec.Target, c.Base.Spec.Stack) }

// unknown says why there is no capacity.
func (c Course) unknown(found capacity.Found) string {
	subject, wanted := c.subject(), Wanted(c.Requirements)
	switch {
	case len(c.Outcomes) == 0:
		return fmt.Sprintf("There is no result for %s%s.", subject, c.why())
	case c.excuse() != "":
		return fmt.Sprintf("The capacity of %s with %s is inconclusive: %s, but the host was noisy then: %s. Measure again with "+
			"nothing else running, or require less.", subject, wanted, c.shortfall(found), c.excuse())
	case found.State == capacity.Unmet:
		return fmt.Sprintf("%s does not meet %s at any rate: at %s calls/s, the lowest that was tried, %s. Lower "+
			"rates need longer trials (--duration).", subject, wanted, number.None.Text(found.Failed), c.Reasons[found.Failed])
	case found.State == capacity.Unconfirmed:
		return fmt.Sprintf("No rate of %s is confirmed with %s: %s.", subject, wanted, c.shortfall(found))
	case found.PerSec == 0:
		return fmt.Sprintf("No rate of %s is known with %s%s: at %s calls/s %s.",
			subject, wanted, c.why(), number.None.Text(found.Failed), c.Reasons[found.Failed])
	default:
		return fmt.Sprintf("%s sustained %s calls/s with %s in short trials, which is not confirmed%s.",
			subject, number.None.Text(found.PerSec), wanted, c.why())
	}
}

// shortfall says what was tried where no rate is confirmed.
func (c Course) shortfall(found capacity.Found) string {
	tried := "short trials met it, and those of " + number.Span(c.Confirmation()) + " did not, down to"
	if found.State == capacity.Unmet {
		tried = "no rate met it, down to"
	}
	return fmt.Sprintf("%s %s calls/s, where %s", tried, number.None.Text(found.Failed), c.Reasons[found.Failed])
}

// why says what cut the course short.
func (c Course) why() string {
	switch c.Ending {
	case capacity.Interrupted:
		return ", because it was interrupted"
	case capacity.TimeUp:
		return ", because the time was up: go on with --resume, raise --time, or use shorter trials"
	case capacity.Broken:
		return ": " + c.Failure
	case capacity.Unknown:
		return ", because the search ended early: its time was up, or it was interrupted"
	default:
		return ""
	}
}

// sentences describe a capacity: the rate, what lies beyond it, latency below and above, and the rate per core.
func (c Course) sentences(found capacity.Found) document.Answer {
	lines := document.Answer{c.carries(found), c.interval(found), c.tried()}
	if against := c.contradictions(found); against != "" {
		lines = document.Answer{c.inconclusive(found, against), c.tried()}
	}
	if mixed := c.mixed(); mixed != "" {
		lines = append(lines, "Trials contradict each other at "+mixed+" calls/s: there, chance decides whether the rate is sustained.")
	}
	if c.Noisy > 0 {
		lines = append(lines, fmt.Sprintf("The host was noisy in %d of %s. All of them count, so on a quiet host the capacity may "+
			"be higher.", c.Noisy, number.Count(count(capacity.LongTrials(c.Outcomes)), "confirming trial")))
	}
	lines = append(lines, c.clients(found)...)
	if below := c.latencies(0.2, 0.5, 0.8); below != "" {
		lines = append(lines, "Latency below it: "+below+".")
	}
	if above := c.latencies(1.1, 1.3); above != "" {
		lines = append(lines, "Past it: "+above+".")
	}
	if core := c.perCore(found.PerSec); core != "" {
		lines = append(lines, core)
	}
	if why := c.why(); why != "" {
		lines = append(lines, "Some trials are missing"+why+".")
	}
	return lines
}

// clients says where clients were added, and what helps if they were still the limit.
func (c Course) clients(found capacity.Found) (lines []string) {
	for _, added := range c.Added {
		lines = append(lines, fmt.Sprintf("At %s calls/s the client was the limit (%s), so the search went on with %s.",
			number.None.Text(added.PerSec), added.Why, number.Count(added.Clients, "client")))
	}
	limit := c.Client[found.Failed]
	if limit == "" {
		return lines
	}
	return append(lines, fmt.Sprintf("The client was the limit: %s. More clients on the same processors would not help. The server "+
		"may sustain more: give clients more processors (--client-cpus 0-1/2-3 pins a client to each set), or load from more hosts "+
		"(--client-hosts).", limit))
}

// inconclusive replaces the capacity and its interval if trials at a fraction of it contradict it.
func (c Course) inconclusive(found capacity.Found, against string) string {
	return fmt.Sprintf("The capacity of %s with %s is inconclusive: %s calls/s were confirmed in %s of %s, but %s. The server or "+
		"the machine was not the same all the time: take longer trials (--duration), and more of them (--trials), with nothing "+
		"else running.", c.subject(), Wanted(c.Requirements), number.None.Text(found.PerSec), number.Count(c.Trials, "trial"),
		number.Span(c.Confirmation()), against)
}

// carries is the rate that is confirmed, and why the next is not.
func (c Course) carries(found capacity.Found) string {
	text := fmt.Sprintf("%s sustains %s calls/s with %s, confirmed in %s of %s", c.subject(), number.None.Text(found.PerSec),
		Wanted(c.Requirements), number.Count(c.Trials, "trial"), number.Span(c.Confirmation()))
	switch reason := c.Reasons[found.Failed]; {
	case found.Failed == 0 && c.isHighest(found.PerSec):
		text += "; no higher rate was tried"
	case found.Failed == 0:
		text += "; no higher rate is known to be too high"
	case reason != "":
		text += fmt.Sprintf("; at %s it does not: %s", number.None.Text(found.Failed), reason)
	}
	return text + "."
}

// isHighest reports whether no higher rate was tried.
func (c Course) isHighest(perSec float64) bool {
	return !slices.ContainsFunc(c.Outcomes, func(o capacity.Outcome) bool { return o.PerSec > perSec })
}

// surest is the least confidence that is called a 95% interval, and surestTrials how many trials reach it.
const (
	surest       = 0.95
	surestTrials = 6
)

// interval says between which rates the capacity is, and how sure that is.
func (c Course) interval(found capacity.Found) string {
	low, high := number.None.Text(found.PerSec), number.None.Text(found.Failed)
	switch {
	case found.Failed == 0:
		return fmt.Sprintf("The capacity is at least %s calls/s.", low)
	case !found.Bound:
		return fmt.Sprintf("The capacity is at least %s calls/s; that %s is too high is not confirmed.", low, high)
	}
	text := fmt.Sprintf("The capacity is between %s and %s calls/s, by %s of each rate", low, high, number.Count(c.Trials, "trial"))
	sure := capacity.Confidence(c.Trials)
	if sure > 0 {
		text += fmt.Sprintf(" (%s confidence if trials are independent)", number.Percent(sure, 0))
	}
	if sure < surest {
		text += fmt.Sprintf("; --trials %d gives %s", surestTrials, number.Percent(capacity.Confidence(surestTrials), 0))
	}
	return text + "."
}

// tried lists the rates of all search and confirmation trials, with their results.
func (c Course) tried() string {
	var long, short []string
	for _, l := range capacity.LongTrials(c.Outcomes) {
		long = append(long, fmt.Sprintf("%d of %d at %s", l.Met, l.Trials, number.None.Text(l.PerSec)))
	}
	for _, o := range c.Outcomes {
		if o.Phase == capacity.Search {
			short = append(short, number.None.Text(o.PerSec)+map[bool]string{true: " met", false: " not"}[o.Met])
		}
	}
	search := "In the search: " + strings.Join(short, ", ") + "."
	if len(long) == 0 {
		return search
	}
	return "Confirming trials that met the requirements, by rate: " + strings.Join(long, ", ") + ". " + search
}

// mixed lists the rates that some trials met and others did not.
func (c Course) mixed() string {
	var rates []string
	for _, l := range capacity.LongTrials(c.Outcomes) {
		if l.Verdict(c.Trials) == capacity.Mixed {
			rates = append(rates, number.None.Text(l.PerSec))
		}
	}
	return strings.Join(rates, ", ")
}

func count(all []capacity.Long) (trials int) {
	for _, l := range all {
		trials += l.Trials
	}
	return trials
}

// farPast is the part of the capacity from which on no trial may meet the requirements: just past it one may by chance.
const farPast = 1.2

// contradictions lists the trials below the capacity that fell short, and those far past it that did not.
func (c Course) contradictions(found capacity.Found) string {
	var parts []string
	for _, share := range slices.Sorted(maps.Keys(c.Shares)) {
		short := capacity.ShortOf(c.Shares[share], c.Requirements)
		mustFail := share >= farPast && found.Failed > 0 && share*found.PerSec >= found.Failed
		switch {
		case share < 1 && short != "":
			parts = append(parts, fmt.Sprintf("at %s of this rate %s", number.Percent(share, 0), short))
		case mustFail && short == "":
			parts = append(parts, fmt.Sprintf("at %s of it all requirements were met", number.Percent(share, 0)))
		}
	}
	return strings.Join(parts, "; ")
}

// latencies lists the percentiles at parts of the capacity that were measured.
func (c Course) latencies(shares ...float64) string {
	var parts []string
	for _, share := range shares {
		row := c.Shares[share]
		if row == nil {
			continue
		}
		p50, ok50 := row.Summary(analysis.ResponseP50Ns)
		p99, ok99 := row.Summary(analysis.ResponseP99Ns)
		if !ok50 || !ok99 {
			parts = append(parts, fmt.Sprintf("none at %s, whose trial failed", number.Percent(share, 0)))
			continue
		}
		parts = append(parts, fmt.Sprintf("p50 %s and p99 %s at %s",
			number.Duration(p50.Median), number.Duration(p99.Median), number.Percent(share, 0)))
	}
	return strings.Join(parts, "; ")
}

// perCore says what rate one processor of the server carries. The CPU time of a foreign server is unknown.
func (c Course) perCore(rate float64) string {
	row := c.Rows[rate]
	if c.Base.Spec.Target != "" || row == nil {
		return "The rate per core of the server is unknown, because the server was not started here."
	}
	cpu, ok := row.Summary(analysis.ServerCPUPerCall)
	if !ok || cpu.Median <= 0 {
		return ""
	}
	text := fmt.Sprintf("A core of the server sustains %s calls/s: at this rate the server uses %.2f cores",
		number.None.Text(1e9/cpu.Median), rate*cpu.Median/1e9)
	if row.SharesProcessors() {
		text += ". Client and server share the machine's processors, so this is what they sustain together"
	}
	return text + "."
}

// Wanted lists requirements: "response_p99<10ms and errors<1%".
func Wanted(requirements []require.Requirement) string {
	var texts []string
	for _, r := range requirements {
		texts = append(texts, r.String())
	}
	return strings.Join(texts, " and ")
}
