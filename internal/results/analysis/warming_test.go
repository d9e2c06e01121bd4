package analysis

import (
	"math/rand/v2"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

// plateauEnds is when a load reaches its final speed, in seconds; until then it has 80% of it.
const plateauEnds = 5.0

// rateAt is a number of calls in an interval of that many seconds from begin, of a load of 10,000 calls/s, with noise.
func rateAt(random *rand.Rand, begin, lasts, noise float64) int64 {
	speed := 1.0
	if begin < plateauEnds {
		speed = 0.8
	}
	// A point of 100 ms has the noise that is given.
	return int64(10_000 * lasts * speed * (1 + noise*random.NormFloat64()))
}

// phaseFrom is a measured phase that begins so many seconds after the load.
func phaseFrom(random *rand.Rand, begin, lasts, noise float64) []result.Client {
	length := 0.1
	if lasts < 10 {
		length = 0.05 // as the driver reads short phases
	}
	var r result.Record
	for at := 0.0; at < lasts-length/2; at += length {
		calls := rateAt(random, begin+at, length, noise)
		r.Intervals = append(r.Intervals, result.Interval{StartNs: int64(at * 1e9), EndNs: int64((at + length) * 1e9), OK: calls})
	}
	return []result.Client{{Record: r}}
}

// warmedUpAfter is when stat.Steady ends the warm-up, after 2 s at the least and 10 s at the most.
func warmedUpAfter(random *rand.Rand, noise float64) float64 {
	var perSec []float64
	for at := 0.0; at < 10; at += 0.1 {
		if perSec = append(perSec, float64(rateAt(random, at, 0.1, noise))*10); at > 1.95 && stat.Steady(perSec) {
			break
		}
	}
	return float64(len(perSec)) / 10
}

// The claim: where a plateau at 80% of the final speed lasts until 5 s, the warm-up by itself ends on it in more than 90% with
// noise of 3%; with what the measured phase shows, the phase that is kept begins on it in less than 5%, if it lasts 5 s or
// 10 s. Where there is no plateau, less than 2% are measured again. A phase that ends before the plateau sees nothing.
func TestAPlateauFoolsAWarmUpAndNoMeasuredPhase(t *testing.T) {
	t.Parallel()
	const runs = 300
	random := rand.New(rand.NewPCG(7, 19))
	for _, test := range []struct{ lasts, noise, fooled, kept float64 }{
		{5, 0.03, 0.90, 0.05}, {10, 0.03, 0.90, 0.05}, {5, 0.05, 0.60, 0.05}, {10, 0.05, 0.60, 0.05},
	} {
		fooled, kept := 0, 0
		for range runs {
			begin := warmedUpAfter(random, test.noise)
			if begin < plateauEnds-0.1 {
				fooled++
			}
			for range 3 {
				if !Warming(closedUnary, phaseFrom(random, begin, test.lasts, test.noise)) {
					break
				}
				begin += test.lasts
			}
			if begin < plateauEnds-0.1 {
				kept++
			}
		}
		t.Logf("%+v: the warm-up ends on the plateau in %.1f%%, the phase that is kept begins there in %.1f%%", test,
			100*float64(fooled)/runs, 100*float64(kept)/runs)
		if float64(fooled) < test.fooled*runs || float64(kept) > test.kept*runs {
			t.Errorf("%+v: the warm-up ends on the plateau in %d of %d, and the phase that is kept begins there in %d", test, fooled, runs,
				kept)
		}
	}
	again := 0
	for range runs {
		if Warming(closedUnary, phaseFrom(random, plateauEnds, 5, 0.05)) {
			again++
		}
	}
	if again > runs*2/100 {
		t.Errorf("without a plateau %d of %d phases are measured again", again, runs)
	}
}

var closedUnary = plan.Spec{Kind: "unary", Load: plan.LoadClosed, Connections: 1, InFlight: 1}

// What becomes slower is no warm-up, and of an open load it is the response that must fall.
func TestOnlyWhatBecomesFasterIsWarmingUp(t *testing.T) {
	t.Parallel()
	open := plan.Spec{Kind: "unary", Load: plan.LoadConstant, OfferedPerSec: 1000, Connections: 1, InFlight: 1}
	of := func(calls, response func(half int) int64) []result.Client {
		var r result.Record
		for i := range int64(100) {
			half := int(i / 50)
			r.Intervals = append(r.Intervals, result.Interval{StartNs: i * 1e8, EndNs: (i + 1) * 1e8,
				OK: calls(half) + i%7, ResponseMeanNs: response(half) + i%7*1000})
		}
		return []result.Client{{Record: r}}
	}
	same := func(int) int64 { return 1_000 }
	rising := func(half int) int64 { return int64(1_000 + 500*half) }
	falling := func(half int) int64 { return int64(1_500_000 - 500_000*half) }
	slower := func(half int) int64 { return int64(1_000_000 + 500_000*half) }
	for name, test := range map[string]struct {
		spec    plan.Spec
		clients []result.Client
		want    bool
	}{
		"closed, faster": {closedUnary, of(rising, slower), true},
		"closed, slower": {closedUnary, of(func(half int) int64 { return int64(1_500 - 500*half) }, slower), false},
		"closed, even":   {closedUnary, of(same, falling), false},
		"open, faster":   {open, of(same, falling), true},
		"open, slower":   {open, of(same, slower), false},
		"a schedule":     {plan.Spec{Schedule: &plan.Schedule{}, Load: plan.LoadConstant}, of(same, falling), false},
		"no client":      {closedUnary, nil, false},
	} {
		if got := Warming(test.spec, test.clients); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
