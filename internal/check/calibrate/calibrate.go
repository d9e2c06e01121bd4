// Package calibrate measures how often rpcbench's own verdicts are wrong on this machine: a server against itself, and against
// servers that differ from it by a known amount, through the whole pipeline.
//
// Trials are those of any run: the driver's, in fresh processes, in random order within blocks. The server spins for a time that
// a script says, so that each change is known to a fraction of a microsecond. From the trials, comparisons are drawn as a user
// would have made them, and judged by the packages that judge a user's. Draws share trials, so their rates are less certain than
// their number says. The package prints rates and judges none of them.
package calibrate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"rpcbench/internal/check/script"
	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/stack"
)

// Config configures a calibration.
type Config struct {
	Stack    stack.Info // client and server
	Effort   Effort
	Launcher launch.Launcher // of workers whose servers obey scripts
	// Drive carries out trials; driver.Run, or a stand-in in tests.
	Drive func(ctx context.Context, config driver.Config) (failed int, err error)
	Now   func() time.Time
	Meter driver.Meter
	Begun func(i, n int, what string) // hears what is about to be measured; may be nil
	Seed  uint64
}

// An Effort is the amount of measurement.
type Effort struct {
	Blocks int           // of trials, each with all servers
	Sample int           // trials a side of a comparison
	Short  time.Duration // a trial
	Long   time.Duration // a trial in which a step is looked for
	Most   time.Duration // no block begins after it
}

// Quick takes about 2 minutes, and never more than 4.
func Quick() Effort {
	return Effort{Blocks: 14, Sample: stat.ConfidenceTrials, Short: 200 * time.Millisecond, Long: time.Second, Most: 4 * time.Minute}
}

// Usual takes about 8 minutes, and never more than 20.
func Usual() Effort {
	return Effort{Blocks: 40, Sample: 10, Short: 400 * time.Millisecond, Long: 2 * time.Second, Most: 20 * time.Minute}
}

// Disturbed takes about 6 minutes; no block begins after 9, and the last one ends a little later.
func Disturbed() Effort {
	return Effort{Blocks: 20, Short: 600 * time.Millisecond, Most: 9 * time.Minute}
}

// leastBlocks is the minimum of the tests of differences.
const leastBlocks = 2 * stat.ConfidenceTrials

// service is how long the server spins for a call; a call over loopback takes about as long again.
const service = 100 * time.Microsecond

const (
	warmUp    = 100 * time.Millisecond
	deadline  = 10 * time.Second
	payload   = 100 // bytes
	pilots    = 3   // trials, by which parts of the response become times
	slowEvery = 100
	slow      = time.Millisecond
	stepPart  = 0.20
)

// A variant is a server that differs from the base in a known way.
type variant struct {
	name   string
	script string
	long   bool
	shift  time.Duration // of each call
	load   string        // "" is closed
}

// bases is how often the base is in a block: two make pairs of equal servers, and others are compared with the third.
const bases = 3

// variants are all servers of a block, by how long a call of the base takes.
func variants(e Effort, response time.Duration) []variant {
	var all []variant
	for i := range bases {
		all = append(all, variant{name: fmt.Sprintf("base %d", i+1), script: fixed(service)})
	}
	shifted := func(name string, by time.Duration) {
		all = append(all, variant{name: name, script: fixed(service + by), shift: by})
	}
	for _, percent := range []float64{1, 3, 5, 10} {
		shifted(fmt.Sprintf("+%g%%", percent), time.Duration(percent/100*float64(response)))
	}
	for _, by := range []time.Duration{2 * time.Microsecond, 10 * time.Microsecond, 50 * time.Microsecond} {
		shifted(fmt.Sprintf("+%d µs", by.Microseconds()), by)
	}
	step := service + time.Duration(stepPart/(1-stepPart)*float64(response))
	return append(all,
		variant{name: slowMode, script: fmt.Sprintf("slow %v every %d else %v", slow, slowEvery, service)},
		variant{name: steady, script: fixed(service), long: true},
		variant{name: stepped, script: fmt.Sprintf("step %v to %v after %v", service, step, warmUp+e.Long/2), long: true})
}

// Names of variants that shift no call.
const (
	slowMode = "1% slow mode"
	steady   = "steady"
	stepped  = "step halfway"
)

func fixed(d time.Duration) string { return fmt.Sprintf("fixed %v", d) }

// Run measures, and says how often which verb was right.
func Run(ctx context.Context, config Config) (Report, error) {
	s, err := config.start(1)
	if err != nil {
		return Report{}, err
	}
	s.begin("how long a call takes")
	response, err := config.pilot(ctx)
	if err != nil {
		return Report{}, err
	}
	all := variants(config.Effort, response)
	random := rand.New(rand.NewPCG(config.Seed, 12))
	blocks, err := s.blocks(leastBlocks, fmt.Sprintf("%d servers in random order", len(all)), func() (block, error) {
		return config.measure(ctx, all, random.Perm(len(all)))
	})
	if err != nil {
		return Report{}, err
	}
	return judged(config, all, response, blocks), nil
}

// pilot measures the median response of the base.
func (config Config) pilot(ctx context.Context) (time.Duration, error) {
	var medians []float64
	for range pilots {
		b, err := config.measure(ctx, []variant{{name: "pilot", script: fixed(service)}}, []int{0})
		if err != nil {
			return 0, err
		}
		if b != nil {
			medians = append(medians, b["pilot"].value(analysis.ResponseP50Ns))
		}
	}
	if len(medians) == 0 {
		return 0, errors.New("no trial of the server succeeded")
	}
	return time.Duration(stat.Summarize(medians).Median), nil
}

// measure carries one block out; nil if a trial of it failed.
func (config Config) measure(ctx context.Context, all []variant, order []int) (block, error) {
	kept := &keeper{}
	var trials []plan.Trial
	for place, i := range order {
		trials = append(trials, plan.Trial{ID: fmt.Sprint(place), Repetition: 1, Spec: config.spec(all[i]),
			Cases: []plan.Case{{Scenario: all[i].name, Title: all[i].name}}})
	}
	_, err := config.Drive(ctx, driver.Config{
		Trials: trials, Seed: config.Seed, Launcher: config.Launcher, Results: kept, Progress: silence{}, Now: config.Now,
		Meter: config.Meter,
	})
	if err != nil {
		return nil, err
	}
	report, err := analysis.Build([]*result.File{{Name: "calibration", Trials: kept.trials}})
	if err != nil {
		return nil, err
	}
	b := block{}
	for _, row := range report.Rows {
		for _, t := range row.Trials {
			place := 0
			_, _ = fmt.Sscan(t.ID, &place)
			b[row.Key.Scenario] = measured{t, place}
		}
	}
	if len(b) < len(all) {
		return nil, nil //nolint:nilnil // a block without all of its trials is none
	}
	return b, nil
}

func (config Config) spec(v variant) plan.Spec {
	length := config.Effort.Short
	if v.long {
		length = config.Effort.Long
	}
	spec := plan.Spec{
		Stack: config.Stack.Name, Server: config.Stack.Name, Protocol: config.Stack.Protocol, Kind: stack.KindUnary,
		RequestBytes: payload, ResponseBytes: payload, Connections: 1, InFlight: 1, Load: plan.LoadClosed,
		Security: stack.SecurityPlaintext, Network: stack.NetworkTCP, Compression: stack.CompressionNone,
		Payload: stack.PayloadRandom, Options: map[string]string{script.Option: v.script},
		DeadlineNs: int64(deadline), DrainNs: int64(deadline), WarmupNs: int64(warmUp), DurationNs: int64(length),
	}
	if v.load == plan.LoadConstant {
		spec.Load, spec.OfferedPerSec, spec.InFlight = v.load, openPerSec, openSlots
	}
	return spec
}

// A keeper is the results of a block.
type keeper struct{ trials []result.Trial }

// Append implements driver.Results.
func (k *keeper) Append(trial result.Trial) error {
	k.trials = append(k.trials, trial)
	return nil
}

// silence is a driver.Progress that reports nothing.
type silence struct{}

func (silence) Begun([]plan.Trial, int) {}
func (silence) Ended(result.Trial)      {}
