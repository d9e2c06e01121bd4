package calibrate

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// A Disturbance is something that runs beside a trial.
type Disturbance struct {
	Name, Is string
	Begin    func() (end func(), err error) // nil is nothing
}

// openPerSec is the rate of the open load: calls come far enough apart that none waits for another.
const openPerSec = 1000

// openSlots are more than calls are ever in flight on a machine that does nothing else.
const openSlots = 16

// disturbedLoads are the loads that are disturbed.
var disturbedLoads = []string{plan.LoadClosed, plan.LoadConstant}

// An Effect is the effect of a disturbance on a load, as the ratio to an undisturbed trial of the same block.
type Effect struct {
	Is, Load string
	Other    float64    // part of all processors' time that other processes took, the median
	Alone    [2]float64 // the median p50 and p99 of the undisturbed trials, in ns
	P50, P99 stat.Summary
	Named    int // trials of Blocks that are NOISY_HOST
	Blocks   int
}

// An Effects holds the effects of disturbances on a p50 and a p99.
type Effects struct {
	Stack   string
	Length  time.Duration // of a trial
	Effects []Effect
}

// Disturb measures the effects of disturbances: in each block one undisturbed trial of each load, a second one as the control,
// and one with each disturbance, in random order.
func Disturb(ctx context.Context, config Config, all []Disturbance) (Effects, error) {
	s, err := config.start(0)
	if err != nil {
		return Effects{}, err
	}
	what := number.Count(len(all), "disturbance") + " in random order"
	all = append([]Disturbance{{Name: "base"}, {Name: "none", Is: "none"}}, all...)
	random := rand.New(rand.NewPCG(config.Seed, 10))
	blocks, err := s.blocks(stat.ConfidenceTrials, what, func() (block, error) { return config.disturbed(ctx, all, random) })
	if err != nil {
		return Effects{}, err
	}
	return effectsOf(config, all, blocks), nil
}

// disturbed carries one block out. A trial that failed is not in it.
func (config Config) disturbed(ctx context.Context, all []Disturbance, random *rand.Rand) (block, error) {
	b := block{}
	for _, i := range random.Perm(len(all) * len(disturbedLoads)) {
		d, load := all[i/len(disturbedLoads)], disturbedLoads[i%len(disturbedLoads)]
		end := func() {}
		if d.Begin != nil {
			var err error
			if end, err = d.Begin(); err != nil {
				return nil, err
			}
		}
		one, err := config.measure(ctx, []variant{{name: d.Name + load, script: fixed(service), load: load}}, []int{0})
		end()
		if err != nil {
			return nil, err
		}
		maps.Copy(b, one)
	}
	return b, nil
}

func effectsOf(config Config, all []Disturbance, blocks []block) Effects {
	found := Effects{Stack: config.Stack.Name, Length: config.Effort.Short}
	for _, load := range disturbedLoads {
		for _, d := range all[1:] {
			found.Effects = append(found.Effects, effectOf(d, load, blocks))
		}
	}
	return found
}

func effectOf(d Disturbance, load string, blocks []block) Effect {
	e := Effect{Is: d.Is, Load: load}
	var p50, p99, other, alone50, alone99 []float64
	for _, b := range blocks {
		base, there := b["base"+load]
		m, alsoThere := b[d.Name+load]
		if !there || !alsoThere {
			continue
		}
		alone50 = append(alone50, base.value(analysis.ResponseP50Ns))
		alone99 = append(alone99, base.value(analysis.ResponseP99Ns))
		p50 = append(p50, m.value(analysis.ResponseP50Ns)/base.value(analysis.ResponseP50Ns))
		p99 = append(p99, m.value(analysis.ResponseP99Ns)/base.value(analysis.ResponseP99Ns))
		other = append(other, m.value(analysis.HostOtherRatio))
		e.Blocks++
		for _, f := range m.Findings() {
			if f.Verdict == analysis.VerdictNoisyHost {
				e.Named++
				break
			}
		}
	}
	if e.Blocks > 0 {
		e.Alone = [2]float64{stat.Summarize(alone50).Median, stat.Summarize(alone99).Median}
		e.P50, e.P99, e.Other = stat.Summarize(p50), stat.Summarize(p99), stat.Summarize(other).Median
	}
	return e
}

// Write prints the effects for people.
func (r Effects) Write(w io.Writer) error {
	const wide = 150
	table := &document.Table{Columns: []document.Column{
		{Head: "load"}, {Head: "disturbance"}, {Head: "others' CPU", Right: true}, {Head: "p50 alone", Right: true},
		{Head: "changes by", Right: true}, {Right: true}, {Head: "p99 alone", Right: true}, {Head: "changes by", Right: true},
		{Right: true}, {Head: "NOISY_HOST", Right: true},
	}}
	for _, e := range r.Effects {
		table.Append(document.Texts(e.Load, e.Is, number.Percent(e.Other, 0), number.Duration(e.Alone[0]),
			number.Change(e.P50.Median), between(e.P50), number.Duration(e.Alone[1]), number.Change(e.P99.Median), between(e.P99),
			fmt.Sprintf("%d of %d", e.Named, e.Blocks))...)
	}
	return document.WriteText(w, document.Document{table, document.Notes{Lines: []string{
		fmt.Sprintf("%s, unary 1x1 closed and at %s calls/s, against a server that spins for %v, in trials of %v. A change is the "+
			"median of ratios to an undisturbed trial of the same block, with its 95%% interval. None is a second undisturbed trial. "+
			"Others' CPU is a part of all processors' time.", r.Stack, number.Whole(openPerSec), service, r.Length),
	}}}, document.Style{Width: wide})
}

func between(s stat.Summary) string {
	return number.Change(s.Lo) + " to " + number.Change(s.Hi)
}
