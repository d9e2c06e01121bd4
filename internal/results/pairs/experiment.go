// Package pairs says what an experiment with two servers found, by its trials alone: those of a results file, or those so far.
//
// Trials come in pairs of A and B, and pairs in blocks of both orders; the first pairs compare A with itself. Which trial is of
// which pair and side, and in which order they ran, the trials say themselves. What was to be decided the file's header says.
// Package run/campaign/ab measures such experiments.
package pairs

import (
	"cmp"
	"maps"
	"slices"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

// An Experiment holds the trials of two servers.
type Experiment struct {
	Rule

	// Metrics are those that the experiment decides on, at least one. The first is the answer's.
	Metrics []analysis.Metric
	Design  result.AB
	File    string // the results file; empty while it is measured
	Ending  Ending
	Resumed bool // after it was interrupted, or its time was up: the Design's time is not all that it had
	// Failure is that of the last trial that failed.
	Failure string

	source  *analysis.Source
	spec    plan.Spec // of both sides
	tallies [2]Tally
	pairs   map[int]*pair // by number
}

// An Ending is why an experiment has no further pairs.
type Ending string

// Endings.
const (
	Complete    Ending = ""            // all was clear, or it goes on
	Interrupted Ending = "interrupted" // by the user
	TimeUp      Ending = "time_up"
	Broken      Ending = "broken"  // pairs kept failing, or a server could not be stopped
	Unknown     Ending = "unknown" // the file does not say
)

// A pair is two trials, or the first of them.
type pair struct {
	number int
	trials []*analysis.Trial // in the order of their start
}

// Of returns the experiments whose trials a report has, of each file by itself.
func Of(r *analysis.Report) []*Experiment {
	var found []*Experiment
	for _, source := range r.Sources {
		if x := New(source.Header.AB); x != nil && x.addAll(source, r.Rows) {
			x.File, x.Ending = source.Name, x.ending()
			found = append(found, x)
		}
	}
	return found
}

// New returns an experiment without trials, of the design in a header; nil if there is none, or if its metrics are unknown here.
func New(design *result.AB) *Experiment {
	if design == nil {
		return nil
	}
	x := &Experiment{Design: *design, Rule: Rule{Same: max(design.SameRatio, 0), Width: design.WidthRatio}}
	for _, name := range design.Metrics {
		if metric, ok := analysis.Find(name); ok {
			x.Metrics = append(x.Metrics, metric)
		}
	}
	if len(x.Metrics) == 0 || len(x.Metrics) < len(design.Metrics) {
		return nil
	}
	return x
}

// addAll adds the trials of a file, in the order in which they were measured, and reports whether there are any.
func (x *Experiment) addAll(source *analysis.Source, rows []*analysis.Row) bool {
	var trials []*analysis.Trial
	for _, row := range rows {
		for _, t := range slices.Concat(row.Trials, row.Failed) {
			if t.Source == source && t.Whole == nil && sideOf(t) != "" {
				trials = append(trials, t)
			}
		}
	}
	slices.SortStableFunc(trials, func(a, b *analysis.Trial) int {
		return cmp.Or(cmp.Compare(a.Repetition, b.Repetition), a.Started.Compare(b.Started))
	})
	for _, t := range trials {
		x.Add(t)
	}
	x.source = source
	return len(trials) > 0
}

// IsOf reports whether a row is a side of the experiment, with the trials of no other file.
func (x *Experiment) IsOf(row *analysis.Row, side Side) bool {
	trials := slices.Concat(row.Trials, row.Failed)
	return !slices.ContainsFunc(trials, func(t *analysis.Trial) bool {
		return t.Source != x.source || t.Whole != nil || sideOf(t) != side
	})
}

// sideOf returns a trial's side; "" if it is of none.
func sideOf(t *analysis.Trial) Side {
	for _, c := range t.Cases {
		if side := Side(c.Scenario); slices.Contains([]Side{A, B, First, Second}, side) {
			return side
		}
	}
	return ""
}

// Add adds the next trial of a side. Interrupted ones are shorter than planned, and don't count.
func (x *Experiment) Add(t *analysis.Trial) {
	x.Resumed = x.Resumed || t.Occasion > 1
	if t.Interrupted {
		x.Ending = Interrupted
		return
	}
	side := sideOf(t)
	x.Tally(side).add(t)
	if t.Status == result.StatusFailed {
		x.Failure = t.Failure
	}
	if x.pairs == nil {
		x.pairs, x.spec = map[int]*pair{}, t.Spec
	}
	p := x.pairs[t.Repetition]
	if p == nil {
		p = &pair{number: t.Repetition}
		x.pairs[t.Repetition] = p
	}
	p.trials = slices.DeleteFunc(p.trials, func(other *analysis.Trial) bool { return sideOf(other) == side })
	p.trials = append(p.trials, t)
}

// over reports whether both trials of a pair are over, and belong together.
func (p *pair) over() bool {
	if len(p.trials) != 2 {
		return false
	}
	one, two := sideOf(p.trials[0]), sideOf(p.trials[1])
	return p.isAlike() == (one == Second || two == Second) && one.PartOfB() != two.PartOfB()
}

func (p *pair) isAlike() bool {
	return slices.ContainsFunc(p.trials, func(t *analysis.Trial) bool { return sideOf(t) == First })
}

func (p *pair) step() Step {
	return Step{
		Number: p.number, Block: BlockOf(p.number), Alike: p.isAlike(),
		Sides: [2]Side{sideOf(p.trials[0]), sideOf(p.trials[1])},
	}
}

// whole returns the pairs that are over, in their order.
func (x *Experiment) whole() []*pair {
	var found []*pair
	for _, number := range slices.Sorted(maps.Keys(x.pairs)) {
		if p := x.pairs[number]; p.over() {
			found = append(found, p)
		}
	}
	return found
}

// Gap returns the number of the first pair that is not over although a later one has begun; 0 if there is none.
func (x *Experiment) Gap() int {
	last := 0
	for number := range x.pairs {
		last = max(last, number)
	}
	for number := 1; number < last; number++ {
		if p := x.pairs[number]; p == nil || !p.over() {
			return number
		}
	}
	return 0
}

// Pairs returns how many pairs are over.
func (x *Experiment) Pairs() int { return len(x.whole()) }

// Outcomes returns the results of the pairs that are over, by a metric.
func (x *Experiment) Outcomes(metric analysis.Metric) []Outcome {
	var so []Outcome
	for _, p := range x.whole() {
		so = append(so, Outcome{Step: p.step(), Ratio: p.ratio(metric)})
	}
	return so
}

// ratio returns the ratio of B to A, or of A to itself; 0 if one of them failed or lacks the figure.
func (p *pair) ratio(metric analysis.Metric) float64 {
	under, over := p.trials[0], p.trials[1]
	if sideOf(under).PartOfB() {
		under, over = over, under
	}
	a, b := figure(under, metric), figure(over, metric)
	if a <= 0 || b <= 0 {
		return 0
	}
	return b / a
}

// figure returns the figure by which a trial is compared; 0 if it has none, or failed.
func figure(t *analysis.Trial, metric analysis.Metric) float64 {
	if t.Status == result.StatusFailed {
		return 0
	}
	value, _ := t.Value(metric.Judged())
	return value
}

// IsOver reports whether all metrics of the decision are clear. One that no pair has is not waited for.
func (x *Experiment) IsOver() bool {
	first := x.Outcomes(x.Metrics[0])
	for i, metric := range x.Metrics {
		so := x.Outcomes(metric)
		if i > 0 && len(Ratios(so, false)) == 0 {
			continue
		}
		if !x.isFull(so) && (x.Judge(metric).Declined || !x.Over(so, first)) {
			return false
		}
	}
	return true
}

// isFailing reports whether the last pairs have all failed.
func (x *Experiment) isFailing() bool { return Failing(x.Outcomes(x.Metrics[0])) }

// Stopped sets the ending after an error of measuring, nil for none.
func (x *Experiment) Stopped(err error, byUser bool) {
	switch {
	case byUser:
		x.Ending = Interrupted
	case err != nil:
		x.Ending = Broken
	}
}

// ending returns why there are no further pairs, as far as the trials say it.
func (x *Experiment) ending() Ending {
	switch {
	case x.Ending == Interrupted:
		return Interrupted
	case x.isFailing():
		return Broken
	case x.IsOver():
		return Complete
	default:
		return Unknown
	}
}

// Judge returns what the pairs show about a metric. See [analysis.Metric.Bound] for ratios of calls that were not served.
func (x *Experiment) Judge(metric analysis.Metric) Finding {
	found := Judge(x.Outcomes(metric), x.Same)
	found.Look.Ratio = metric.Judged().Bound(found.Look.Ratio, x.values(A, metric), x.values(B, metric))
	found.Declined = x.isDeclined(metric, found.Look.Decision)
	return found
}

// isDeclined is Finding.Declined. Pairs of which neither side was served have a ratio of 1, which is no sign of sameness.
func (x *Experiment) isDeclined(metric analysis.Metric, decided stat.Decision) bool {
	judged := metric.Judged()
	a, b := judged.IsServed(x.Summary(A, metric).Median), judged.IsServed(x.Summary(B, metric).Median)
	return !a && !b || decided == stat.Same && (!a || !b)
}

// values returns a side's figures, of its trials in pairs that are over.
func (x *Experiment) values(side Side, metric analysis.Metric) []float64 {
	var values []float64
	for _, t := range x.trials(side) {
		if value, ok := t.Value(metric.Judged()); ok {
			values = append(values, value)
		}
	}
	return values
}

// trials returns a side's trials that succeeded, in pairs that are over.
func (x *Experiment) trials(side Side) []*analysis.Trial {
	var found []*analysis.Trial
	for _, p := range x.whole() {
		for _, t := range p.trials {
			if sideOf(t) == side && t.Status != result.StatusFailed {
				found = append(found, t)
			}
		}
	}
	return found
}

// Summary summarizes a side's figures, of its trials in pairs that are over; the zero Summary if there are none.
func (x *Experiment) Summary(side Side, metric analysis.Metric) stat.Summary {
	values := x.values(side, metric)
	if len(values) == 0 {
		return stat.Summary{}
	}
	return metric.Judged().Summarize(values)
}

// NotServed returns how many of a side's trials have a figure that lies among calls which were not served.
func (x *Experiment) NotServed(side Side, metric analysis.Metric) (trials int) {
	for _, value := range x.values(side, metric) {
		if !metric.Judged().IsServed(value) {
			trials++
		}
	}
	return trials
}

// Tally returns the tally of a side's server, over all its trials: those of pairs that don't count, too.
func (x *Experiment) Tally(side Side) *Tally {
	if side.IsB() {
		return &x.tallies[1]
	}
	return &x.tallies[0]
}
