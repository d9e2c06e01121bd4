package calibrate

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/stat"
)

// draws is the number of comparisons drawn for a rate.
const draws = 200

// A Line says how often a verb found a change.
type Line struct {
	Verb, Change, Metric string
	Ratio                float64 // that was injected; 1 is no change, 0 is none to speak of
	Measured             float64 // the ratio that all blocks together show; 0 where Ratio is
	Found                int     // of Draws: what is there, or what is not
	Held                 int     // of Draws: the interval holds Ratio; -1 is not applicable
	Draws                int
}

// A Report is the result of a calibration.
type Report struct {
	Stack     string
	Response  time.Duration // the median of the base's trials
	Variation float64       // the coefficient of variation of trials of the base
	Blocks    int
	Effort    Effort
	Noisy     int // trials that were on a noisy host
	Trials    int
	Lines     []Line
}

// A judging draws comparisons.
type judging struct {
	Report

	blocks []block
	random *rand.Rand
	base   map[analysis.Metric]float64 // the median over all trials of the base
}

func judged(config Config, all []variant, response time.Duration, blocks []block) Report {
	j := &judging{blocks: blocks, random: rand.New(rand.NewPCG(config.Seed, 21)), base: map[analysis.Metric]float64{},
		Report: Report{Stack: config.Stack.Name, Response: response, Blocks: len(blocks), Effort: config.Effort}}
	j.describe()
	for _, verb := range []struct {
		name string
		draw func(v *variant, metric analysis.Metric) (found, held bool, ok bool)
	}{{"compare, one run", j.inBlocks}, {"compare, two files", j.twoFiles}, {"ab", j.pairs}} {
		j.add(verb.name, nil, analysis.ResponseP50Ns, verb.draw)
		for i := range all {
			if all[i].shift > 0 {
				j.add(verb.name, &all[i], analysis.ResponseP50Ns, verb.draw)
			}
		}
		for i := range all {
			if all[i].name == slowMode {
				j.add(verb.name, &all[i], analysis.ResponseP99Ns, verb.draw)
			}
		}
	}
	j.requirements()
	j.stationary()
	return j.Report
}

// describe sums up the trials of the base.
func (j *judging) describe() {
	for _, metric := range []analysis.Metric{analysis.ResponseP50Ns, analysis.ResponseP99Ns} {
		var values []float64
		for _, b := range j.blocks {
			for i := range bases {
				values = append(values, b[baseName(i)].value(metric))
			}
		}
		j.base[metric] = stat.Summarize(values).Median
		if metric == analysis.ResponseP50Ns {
			j.Variation = variation(values)
		}
	}
	for _, b := range j.blocks {
		for _, m := range b {
			j.Trials++
			if slices.ContainsFunc(m.Findings(), func(f analysis.Finding) bool { return f.Verdict == analysis.VerdictNoisyHost }) {
				j.Noisy++
			}
		}
	}
}

func variation(values []float64) float64 {
	mean, squares := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares/float64(len(values)-1)) / mean
}

func baseName(i int) string { return "base " + strconv.Itoa(i+1) }

// truth is the ratio of a variant to the base; 0 where its change is of another kind than a shift.
func (j *judging) truth(v *variant, metric analysis.Metric) float64 {
	switch {
	case v == nil:
		return 1
	case v.shift > 0:
		return 1 + float64(v.shift)/j.base[metric]
	default:
		return 0
	}
}

func (j *judging) add(
	verb string, v *variant, metric analysis.Metric, draw func(*variant, analysis.Metric) (found, held bool, ok bool),
) {
	l := Line{Verb: verb, Change: "none", Metric: metric.Declare().Name, Ratio: j.truth(v, metric)}
	if v != nil {
		l.Change = v.name
	}
	if l.Ratio == 0 {
		l.Held = -1
	} else {
		l.Measured = j.measured(v, metric)
	}
	for range draws {
		found, held, ok := draw(v, metric)
		if !ok {
			continue
		}
		l.Draws++
		if found {
			l.Found++
		}
		if held && l.Held >= 0 {
			l.Held++
		}
	}
	j.Lines = append(j.Lines, l)
}

// sides are two trials of a block: the base's, and the variant's or another one of the base. A coin says which.
func (j *judging) sides(b block, v *variant) (a, other measured) {
	order := j.random.Perm(bases)
	a, other = b[baseName(order[0])], b[baseName(order[1])]
	if v != nil {
		other = b[v.name]
	}
	return a, other
}

// inBlocks is a comparison of two sides of one run, over some of its blocks.
func (j *judging) inBlocks(v *variant, metric analysis.Metric) (found, held, ok bool) {
	a, b := j.figures(v, metric, min(j.Effort.Sample, len(j.blocks)))
	return j.compared(a, b, v, metric)
}

// figures are those of n blocks, drawn at random.
func (j *judging) figures(v *variant, metric analysis.Metric, n int) (a, b compare.Figure) {
	for _, i := range j.random.Perm(len(j.blocks))[:n] {
		x, y := j.sides(j.blocks[i], v)
		a.Values, b.Values = append(a.Values, x.value(metric)), append(b.Values, y.value(metric))
		a.Blocks, b.Blocks = append(a.Blocks, strconv.Itoa(i)), append(b.Blocks, strconv.Itoa(i))
	}
	return a, b
}

// measured is the ratio of a variant to the base over all blocks; 0 if it can't be told.
func (j *judging) measured(v *variant, metric analysis.Metric) float64 {
	a, b := j.figures(v, metric, len(j.blocks))
	line, err := lineOf(a, b, metric)
	if err != nil {
		return 0
	}
	return line.Ratio.Value
}

// twoFiles is a comparison of two files that were measured one after the other: other blocks for each side.
func (j *judging) twoFiles(v *variant, metric analysis.Metric) (found, held, ok bool) {
	n := min(j.Effort.Sample, len(j.blocks)/2)
	var a, b compare.Figure
	first := j.random.IntN(len(j.blocks) - 2*n + 1)
	before, after := j.blocks[first:first+n], j.blocks[first+n:first+2*n]
	if j.random.IntN(2) == 0 {
		before, after = after, before
	}
	for i := range n {
		x, _ := j.sides(before[i], v)
		_, y := j.sides(after[i], v)
		a.Values, b.Values = append(a.Values, x.value(metric)), append(b.Values, y.value(metric))
	}
	return j.compared(a, b, v, metric)
}

// compared has compare judge two figures.
func (j *judging) compared(a, b compare.Figure, v *variant, metric analysis.Metric) (found, held, ok bool) {
	line, err := lineOf(a, b, metric)
	if err != nil {
		return false, false, false
	}
	truth := j.truth(v, metric)
	found = line.Decision == stat.Greater || v == nil && line.Decision == stat.Less
	return found, line.Ratio.Lo <= truth && truth <= line.Ratio.Hi, true
}

// lineOf compares two figures.
func lineOf(a, b compare.Figure, metric analysis.Metric) (compare.Line, error) {
	set := func(name string, f compare.Figure) compare.Set {
		f.Point, f.Metric, f.Better = "calibration", metric.Declare().Name, stat.Lower
		return compare.Set{Name: name, Figures: []compare.Figure{f}}
	}
	c, err := compare.Of(compare.SameUsually, set("base", a), set("variant", b))
	if err != nil {
		return compare.Line{}, err
	}
	return c.Tables[0].Lines[0], nil
}

// pairs is ab: pairs in the order of time, those in which A came first beside those in which B did, looked at whenever a look is
// due until the answer is clear.
func (j *judging) pairs(v *variant, metric analysis.Metric) (found, held, ok bool) {
	var firstA, firstB, logs []float64
	var look stat.Look
	start := j.random.IntN(len(j.blocks))
	for i := range j.blocks {
		a, b := j.sides(j.blocks[(start+i)%len(j.blocks)], v)
		log := math.Log(b.value(metric) / a.value(metric))
		if a.place < b.place {
			firstA = append(firstA, log)
		} else {
			firstB = append(firstB, log)
		}
		if n := len(logs); min(len(firstA), len(firstB)) > n {
			logs = append(logs, (firstA[n]+firstB[n])/2)
		}
		if n := len(logs); n > 0 && n > look.Blocks && stat.IsLook(n) {
			if look = stat.LookAt(logs, compare.SameUsually); look.Decision != stat.Untold {
				break
			}
		}
	}
	if look.Blocks == 0 && len(logs) > 0 {
		look = stat.LookAt(logs, compare.SameUsually)
	}
	truth := j.truth(v, metric)
	found = look.Decision == stat.Greater || v == nil && look.Decision == stat.Less
	return found, look.Ratio.Lo <= truth && truth <= look.Ratio.Hi, look.Known
}

// requirements are --require with a bound at the base's median, where the outcome should be open, and below it by 5% and 10%,
// where it is not met.
func (j *judging) requirements() {
	for _, below := range []float64{0, 0.05, 0.10} {
		l := Line{Verb: "--require", Change: "at the bound", Metric: analysis.ResponseP50Ns.Declare().Name, Held: -1, Draws: draws}
		if below > 0 {
			l.Change = strconv.Itoa(int(100*below)) + "% over it"
		}
		bound := j.base[analysis.ResponseP50Ns] * (1 - below)
		for range draws {
			var values []float64
			for _, i := range j.random.Perm(len(j.blocks))[:min(j.Effort.Sample, len(j.blocks))] {
				a, _ := j.sides(j.blocks[i], nil)
				values = append(values, a.value(analysis.ResponseP50Ns))
			}
			s := stat.Summarize(values)
			if s.Lo > bound || below == 0 && s.Hi < bound {
				l.Found++
			}
		}
		j.Lines = append(j.Lines, l)
	}
}
