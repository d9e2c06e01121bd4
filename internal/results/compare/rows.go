package compare

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// A Selection specifies what of a report is compared.
type Selection struct {
	Metrics []analysis.Metric // nil is the headlines of each row, and what a call costs
	Also    []analysis.Metric // are compared, too, in the rows that have them
	Units   []string          // metrics of other tools, such as "ns/op"; nil is all
	By      *Axis             // whose values are the sides; nil takes a whole report as one side
	Floor   bool              // with By: the floor is a side too
	Choice  point.Choice      // of what is compared
	ByCall  bool              // the calls of mixes are points, too

	// Scenarios puts the scenario before each point's name, also of a report that has only one: points that are alike must be
	// called alike on all sides.
	Scenarios bool
}

// Chosen is a set of another tool's, with the points whose names the pattern of the choice matches, and with the selected
// metrics. It is an error if no name matches, and if kinds are chosen, which other tools don't have.
func (s *Set) Chosen(of Selection) (Set, error) {
	choice := of.Choice
	if !choice.TakesKind("none") {
		return *s, fmt.Errorf("%s: the file is another tool's, and its benchmarks have no kind", s.Name)
	}
	var names []string
	s.Figures = slices.DeleteFunc(s.Figures, func(f Figure) bool {
		names = append(names, f.Point)
		return !choice.TakesName(f.Point)
	})
	if len(s.Figures) == 0 {
		return *s, fmt.Errorf("%s: no benchmark of %s matches; its first is %s", choice, s.Name, names[0])
	}
	if of.Units != nil {
		s.Figures = slices.DeleteFunc(s.Figures, func(f Figure) bool { return !slices.Contains(of.Units, f.Metric) })
	}
	return *s, nil
}

// Has reports whether the set has figures of a metric.
func (s *Set) Has(metric string) bool {
	return slices.ContainsFunc(s.Figures, func(f Figure) bool { return f.Metric == metric })
}

// FromReport makes a side of a report.
func FromReport(name string, r *analysis.Report, of Selection) Set {
	set := Set{Name: name, Machine: machineOf(r.Sources), Span: spanOf(r.Rows), Times: 1}
	named := naming{scenarios: of.Scenarios || SeveralScenarios(r)}
	for _, row := range of.rows(r) {
		set.addRow(row, of, named)
	}
	return set
}

// rows are those of a report, with those of the calls of mixes if these are wanted.
func (of Selection) rows(r *analysis.Report) []*analysis.Row {
	if of.ByCall {
		return analysis.Flat(r.Rows)
	}
	return r.Rows
}

// ByAxis makes a side of each value that an axis has in a report, in the order of its rows.
func ByAxis(r *analysis.Report, of Selection) []Set {
	var sets []Set
	rows := slices.DeleteFunc(slices.Clone(of.rows(r)), func(row *analysis.Row) bool { return row.IsFloor() && !of.Floor })
	named := naming{scenarios: of.Scenarios || SeveralScenarios(r)}
	named.servers = named.severalServers(rows, of.By)
	for _, row := range rows {
		name := of.By.value(row)
		i := slices.IndexFunc(sets, func(s Set) bool { return s.Name == name })
		if i < 0 {
			sets = append(sets, Set{Name: name})
			i = len(sets) - 1
		}
		sets[i].addRow(row, of, named)
		sets[i].sources = with(sets[i].sources, sourcesOf(row))
		sets[i].Span = sets[i].Span.with(spanOf([]*analysis.Row{row}))
	}
	for i := range sets {
		sets[i].Machine = machineOf(sets[i].sources)
	}
	return sets
}

// sourcesOf returns the files of a row's trials.
func sourcesOf(row *analysis.Row) (sources []*analysis.Source) {
	for _, trial := range slices.Concat(row.Trials, row.Failed) {
		sources = with(sources, []*analysis.Source{trial.Source})
	}
	return sources
}

// with adds to files those that are not among them.
func with(sources, more []*analysis.Source) []*analysis.Source {
	for _, source := range more {
		if !slices.Contains(sources, source) {
			sources = append(sources, source)
		}
	}
	return sources
}

func (s *Set) addRow(row *analysis.Row, of Selection, named naming) {
	s.noteFailed(row, named.pointOf(row, of.By))
	if failed := row.FailedRatio(); failed > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("In %s, %.3g%% of the calls of %s failed. Percentiles count them as slower "+
			"than all others; ∞ is one that lies among them.", s.Name, 100*failed, named.pointOf(row, of.By)))
	}
	s.noteReuse(row)
	like := Figure{Point: named.pointOf(row, of.By), Keys: named.keysOf(row), Target: row.Spec.Target,
		Any: named.anywhere(row, of.By), Verdict: row.Verdict(), Failed: len(row.Failed)}
	for _, metric := range of.metrics(row) {
		f := like.of(row, metric)
		f.Few = analysis.TooFewFor(row.Trials, metric)
		if len(f.Values) == 0 && len(row.Trials) > 0 {
			continue
		}
		s.noteFewCalls(row, metric, f.Point)
		if floor := floorOf(row); floor != nil {
			f.Floor, f.floor = Figure{}.of(floor, metric).Values, floorPoint(floor)
		}
		s.Figures = append(s.Figures, f)
	}
}

// floorOf returns the floor of a row, with the trials that were measured in the same files; nil if there is none.
func floorOf(row *analysis.Row) *analysis.Row {
	if row.Floor == nil || row.Floor == row {
		return nil
	}
	floor, sources := *row.Floor, sourcesOf(row)
	floor.Trials = slices.DeleteFunc(slices.Clone(floor.Trials), func(t *analysis.Trial) bool {
		return !slices.Contains(sources, t.Source)
	})
	return &floor
}

// floorPoint names what a floor is, whatever label it has. Sides of an axis may have different ones: of other sizes, for example.
func floorPoint(floor *analysis.Row) string {
	spec := floor.Spec
	spec.Label = ""
	return spec.String()
}

// noteFailed says that trials of a row failed, and so are not compared.
func (s *Set) noteFailed(row *analysis.Row, point string) {
	switch failed, all := len(row.Failed), len(row.Failed)+len(row.Trials); {
	case failed == all:
		s.Notes = append(s.Notes, fmt.Sprintf("In %s, all trials of %s failed.", s.Name, point))
	case failed > 0:
		s.Notes = append(s.Notes, fmt.Sprintf("In %s, %d of %d trials of %s failed; only the others are compared.", s.Name, failed, all,
			point))
	}
}

// metrics are those of a row that are compared, each once.
func (of Selection) metrics(row *analysis.Row) []analysis.Metric {
	metrics := slices.Clone(of.Metrics)
	if metrics == nil {
		metrics = headlines(row)
	}
	for _, metric := range of.Also {
		if !slices.Contains(metrics, metric) {
			metrics = append(metrics, metric)
		}
	}
	return metrics
}

// noteFewCalls says of the first point whose trials have too few calls for a percentile. TOO_FEW_SAMPLES is about no other than
// the p99, and a row's verdict may be a graver one.
func (s *Set) noteFewCalls(row *analysis.Row, metric analysis.Metric, point string) {
	d := metric.Declare()
	begin := fmt.Sprintf("In %s, %s is of too few calls: ", s.Name, d.Name)
	if d.Quantile <= 0 || d.Quantile >= 1 || s.noted[begin] {
		return
	}
	needed := int64(stat.SamplesNeeded(d.Quantile))
	for _, trial := range row.Trials {
		if n := trial.Samples(metric); n < needed {
			s.noteOnce(begin, fmt.Sprintf("a trial of %s has %s, and p%g needs at least %s.", point, number.Whole(n),
				100*d.Quantile, number.Whole(needed)))
			return
		}
	}
}

// sharedProcesses is the note of a side whose trials are not independent.
const sharedProcesses = "Trials of a row shared processes (--reuse): a difference may be one between two starts of a process, " +
	"which no interval covers. Measure without --reuse, or each side several times (rpcbench compare old*.jsonl -- new*.jsonl)."

// sharedByRows is the note of a side whose processes ran trials of several rows.
const sharedByRows = "Rows shared processes with one another (--reuse): code that was compiled for one row, and its heap, were " +
	"there in later trials of others, so a difference between rows may be one of their order."

// noteReuse says, once, that trials or rows are not independent.
func (s *Set) noteReuse(row *analysis.Row) {
	for _, n := range []struct {
		text  string
		holds func(*analysis.Trial) bool
	}{
		{sharedProcesses, func(t *analysis.Trial) bool { return t.ProcessesOf != "" }},
		{sharedByRows, func(t *analysis.Trial) bool { return t.ProcessRows > 1 }},
	} {
		if slices.ContainsFunc(row.Trials, n.holds) {
			s.noteOnce(n.text, "")
		}
	}
}

// noteOnce adds a note unless one that begins so was added. A set may have as many others as it has rows.
func (s *Set) noteOnce(begin, rest string) {
	if s.noted[begin] {
		return
	}
	if s.noted == nil {
		s.noted = map[string]bool{}
	}
	s.noted[begin] = true
	s.Notes = append(s.Notes, begin+rest)
}

// of is a metric of a row, for which all else is known.
func (f Figure) of(row *analysis.Row, metric analysis.Metric) Figure {
	d := metric.Declare()
	f.Metric, f.Column, f.Unit, f.Better = d.Name, string(metric), string(d.Kind.Unit()), d.Kind.Better()
	for _, trial := range row.Trials {
		if value, ok := trial.Value(metric.Judged()); ok {
			f.Values = append(f.Values, value)
			f.Blocks = append(f.Blocks, fmt.Sprintf("%s %d %d", trial.Source.Name, trial.Occasion, trial.Repetition))
		}
	}
	return f
}

// keysOf returns the keys that distinguish the row's point.
func (n naming) keysOf(row *analysis.Row) []Key {
	keys := []Key{}
	if n.scenarios {
		keys = append(keys, Key{"scenario", row.Key.Scenario})
	}
	for _, c := range point.Columns() {
		keys = append(keys, Key{c.Name, point.Printed(c.Value(row.Spec))})
	}
	return keys
}

// Costs returns the metrics of the processor time that calls of a point take: for each call, or of streams for each message.
func Costs(spec plan.Spec) []analysis.Metric {
	if spec.Streaming() && (spec.Batch == 0 || !spec.Closed()) {
		return []analysis.Metric{analysis.ClientCPUPerMessage, analysis.ServerCPUPerMessage}
	}
	return []analysis.Metric{analysis.ClientCPUPerCall, analysis.ServerCPUPerCall}
}

// headlines returns the main metrics of a row: rate or latency, and cost.
func headlines(row *analysis.Row) []analysis.Metric {
	costs := Costs(row.Spec)
	times := []analysis.Metric{analysis.ResponseP50Ns, analysis.ResponseP99Ns}
	switch {
	case row.Spec.Coding():
		return []analysis.Metric{analysis.NsPerOperation, analysis.AllocatedPerOperation}
	case row.Spec.Batch > 0 && row.Spec.Closed():
		return append([]analysis.Metric{analysis.OperationsPerSec}, costs...)
	case row.Spec.Streaming():
		return append([]analysis.Metric{analysis.MessagesPerSec}, costs...)
	case row.RateLike():
		return append(append([]analysis.Metric{analysis.CallsPerSec}, times...), costs...)
	default:
		return append(times, costs...)
	}
}

// SeveralScenarios reports whether not all rows of a report are of one scenario.
func SeveralScenarios(r *analysis.Report) bool {
	return slices.ContainsFunc(r.Rows, func(row *analysis.Row) bool { return row.Key.Scenario != r.Rows[0].Key.Scenario })
}

// A naming is what a point's name has besides the trial's text, where points are otherwise alike.
type naming struct{ scenarios, servers bool }

// severalServers reports whether an axis leaves out the server, as that of stacks does, and a value of it was measured with
// several.
func (n naming) severalServers(rows []*analysis.Row, by *Axis) bool {
	servers := map[string]string{}
	for _, row := range rows {
		point := by.value(row) + " " + n.pointOf(row, by)
		if server, seen := servers[point]; seen && server != row.Spec.Against() {
			return true
		}
		servers[point] = row.Spec.Against()
	}
	return false
}

// pointOf returns the name of what was measured: the trial's text without the axis that distinguishes the sides.
func (n naming) pointOf(row *analysis.Row, by *Axis) string {
	return n.textOf(slices.Concat(row.Trials, row.Failed)[0].Spec, row, by)
}

// anywhere is pointOf without the address of a server that ran already.
func (n naming) anywhere(row *analysis.Row, by *Axis) string {
	spec := slices.Concat(row.Trials, row.Failed)[0].Spec
	if spec.Target != "" {
		spec.Target, spec.Server = "", spec.Stack // of its own server nothing is said
	}
	return n.textOf(spec, row, by)
}

func (n naming) textOf(spec plan.Spec, row *analysis.Row, by *Axis) string {
	if by != nil {
		spec = by.blank(spec)
	}
	point := strings.TrimSpace(spec.String())
	if n.servers && by != nil && by.Name != "server" {
		point += " server=" + row.Spec.Against() // one word: those that all points have are left out of each
	}
	if n.scenarios && (by == nil || by.Name != "scenario") {
		point = row.Key.Scenario + ": " + point
	}
	return point
}

// machineOf names the machines that files were measured on.
func machineOf(sources []*analysis.Source) string {
	var machines []string
	for _, source := range sources {
		h := source.Header.Driver()
		machine := fmt.Sprintf("%s, %s, %s, %s", h.Name, h.CPU, number.Count(h.Processors, "processor"), h.Kernel)
		if !slices.Contains(machines, machine) {
			machines = append(machines, machine)
		}
	}
	return strings.Join(machines, "; ")
}

// An Axis is a key whose values can be set against each other.
type Axis struct {
	Name  string
	value func(*analysis.Row) string
	blank func(plan.Spec) plan.Spec
}

// AxisOf finds an axis by its name in scenarios.
func AxisOf(name string) (*Axis, bool) {
	i := slices.IndexFunc(axes, func(a Axis) bool { return a.Name == name })
	if i < 0 {
		return nil, false
	}
	return &axes[i], true
}

// AxisNames lists the axes.
func AxisNames() []string {
	names := make([]string, len(axes))
	for i, a := range axes {
		names[i] = a.Name
	}
	return names
}

// axes are the scenario, and all keys that part results.
var axes = append([]Axis{{
	"scenario", func(r *analysis.Row) string { return r.Key.Scenario }, func(s plan.Spec) plan.Spec { return s },
}}, declaredAxes()...)

func declaredAxes() []Axis {
	var found []Axis
	for _, key := range point.Declared() {
		if sides := key.Sides; sides != nil {
			found = append(found, Axis{key.Name, func(r *analysis.Row) string { return sides.Of(r.Spec) }, sides.Blank})
		}
	}
	return found
}
