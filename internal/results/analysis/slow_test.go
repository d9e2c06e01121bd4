package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// slowPhase is a closed load with one call in flight, whose calls take so many ms, read every 6 ms. Each varies by a part of
// itself, and shares ρ with the one before; from a call on they take longer by a part.
type slowPhase struct {
	calls          int
	ms, noise, rho float64
	from           int
	change         float64
	draw           func(*rand.Rand) float64 // with mean 0 and deviation 1; nil is normal
}

func (p slowPhase) client(random *rand.Rand) result.Client {
	const length = 6.0
	var r result.Record
	x, now := 0.0, 0.0
	var logs float64
	var ok int64
	end := length
	for i := range p.calls {
		drawn := random.NormFloat64()
		if p.draw != nil {
			drawn = p.draw(random)
		}
		if x = p.rho*x + math.Sqrt(1-p.rho*p.rho)*drawn; i == 0 {
			x = drawn
		}
		took := p.ms * max(1+p.noise*x, 0.1)
		if i >= p.from && p.from > 0 {
			took *= 1 + p.change
		}
		for now += took; now > end; end += length {
			r.Intervals = append(r.Intervals, interval(end-length, end, ok, logs))
			ok, logs = 0, 0
		}
		ok, logs = ok+1, logs+math.Log(took*1e6)
	}
	r.Intervals = append(r.Intervals, interval(end-length, end, ok, logs))
	r.ElapsedNs, r.Arrivals = int64(now*1e6), int64(p.calls)
	return result.Client{Record: r}
}

func interval(begin, end float64, ok int64, logs float64) result.Interval {
	i := result.Interval{StartNs: int64(begin * 1e6), EndNs: int64(end * 1e6), OK: ok, InFlight: 1}
	if ok > 0 {
		i.ResponseMeanNs = int64(math.Exp(logs / float64(ok)))
	}
	return i
}

// skewed is lognormal with a skewness of 1.75.
func skewed(r *rand.Rand) float64 { return (math.Exp(0.5*r.NormFloat64()) - 1.1331) / 0.6039 }

// The claim: with 40 calls of 8 ms, which vary by 5%, a step of 20% in the middle is found in 90%, and with 25 in 60%; of
// phases at rest 1% are accused (2% where calls are lognormal or share 0.5 with their neighbors). Where calls vary by 15%, most
// are not judged. By counts none could be.
func TestFewLongCallsAreJudgedByTheirResponses(t *testing.T) {
	t.Parallel()
	const runs = 400
	closed := plan.Spec{Kind: "stream", Load: plan.LoadClosed, Connections: 1, InFlight: 1}
	verdicts := func(p slowPhase) (changes, unknown float64) {
		random := rand.New(rand.NewPCG(6, 19))
		for range runs {
			c := p.client(random)
			trial := &Trial{Trial: &result.Trial{Spec: closed, Clients: []result.Client{c}}, Record: c.Record, OK: int64(p.calls)}
			for _, f := range notStationary(&measurement{trial: trial, spec: closed}, trial) {
				if f.Code == CodeNotJudged {
					unknown++
				} else {
					changes++
				}
			}
		}
		return changes / runs, unknown / runs
	}
	for _, c := range []struct {
		slowPhase
		least, most float64 // that are said to change
		unknown     float64 // at most
	}{
		{slowPhase{calls: 45, ms: 8, noise: 0.05, from: 22, change: 0.2}, 0.90, 1, 0.01},
		{slowPhase{calls: 45, ms: 8, noise: 0.05, rho: 0.5, from: 22, change: 0.2}, 0.85, 1, 0.01},
		{slowPhase{calls: 26, ms: 12, noise: 0.05, from: 13, change: 0.2}, 0.60, 1, 0.01},
		{slowPhase{calls: 45, ms: 8, noise: 0.05}, 0, 0.015, 0.01},
		{slowPhase{calls: 45, ms: 8, noise: 0.15, rho: 0.5}, 0, 0.035, 1},
		{slowPhase{calls: 26, ms: 12, noise: 0.15}, 0, 0.02, 1},
		{slowPhase{calls: 45, ms: 8, noise: 0.15, draw: skewed}, 0, 0.025, 1},
		{slowPhase{calls: 90, ms: 4, noise: 0.15}, 0, 0.015, 1},
	} {
		changes, unknown := verdicts(c.slowPhase)
		if changes < c.least || changes > c.most || unknown > c.unknown {
			t.Errorf("%d calls of %v ms, noise %v, ρ %v, change %v: %.1f%% change, %.1f%% are not judged", c.calls, c.ms, c.noise, c.rho,
				c.change, 100*changes, 100*unknown)
		}
	}
}

func TestTooFewLongCallsAreNotJudgedAndItSaysWhatWouldDo(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(6, 19))
	c := slowPhase{calls: 8, ms: 40, noise: 0.05}.client(random)
	for calls, want := range map[int64]string{
		0: "8 calls in 320 ms are too few to show whether the speed was steady: it takes 20 points in time with 1 call each, and " +
			"there are 7. About 1.37 s would do",
		8: "there are 7. About 34 calls would do",
	} {
		spec := plan.Spec{Kind: "stream", Load: plan.LoadClosed, Connections: 1, InFlight: 1, Calls: calls}
		c.WindowNs = 320e6
		trial := &Trial{Trial: &result.Trial{Spec: spec, Clients: []result.Client{c}}, Record: c.Record, OK: 8}
		found := notStationary(&measurement{trial: trial, spec: spec}, trial)
		if len(found) != 1 || found[0].Code != CodeNotJudged || !strings.HasSuffix(found[0].Why, want) {
			t.Errorf("%+v, want %q", found, want)
		}
	}
}
