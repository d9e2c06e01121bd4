package capacity_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rpcbench/internal/results/capacity"
)

// carry plays a search against a model of a server: whether a trial at a rate meets the requirement.
func carry(s capacity.Settings, meets func(capacity.Step) bool) []capacity.Outcome {
	var so []capacity.Outcome
	for {
		step := s.Next(so)
		if step.Phase == capacity.Over {
			return so
		}
		so = append(so, capacity.Outcome{Step: step, Met: meets(step)})
	}
}

func settings(guess float64) capacity.Settings {
	return capacity.Settings{Guess: guess, Least: guess / 10_000, Most: 1e7, Precision: 0.05, Trials: 3}
}

// A queue with Poisson arrivals and exponential service: the response is exponential with the rate μ−λ, so that its p99 is
// ln 100/(μ−λ), and the highest rate at which that is under the limit is μ − ln 100/limit.
type queue struct {
	perSec float64 // μ
	limit  float64 // of the p99, in seconds
	noise  float64 // standard deviation of the p99's logarithm
	random *rand.Rand
}

func (q queue) truth() float64 { return q.perSec - math.Log(100)/q.limit }

func (q queue) meets(step capacity.Step) bool {
	if step.PerSec >= q.perSec {
		return false
	}
	noise := q.noise
	if step.Phase == capacity.Confirm {
		noise /= math.Sqrt(5) // five times as long
	}
	return math.Log(100)/(q.perSec-step.PerSec)*math.Exp(noise*q.random.NormFloat64()) < q.limit
}

func TestAKnownCapacityIsFoundExactlyWithoutNoise(t *testing.T) {
	t.Parallel()
	for _, guess := range []float64{0.3, 700, 770, 15_000, 900_000} {
		q := queue{perSec: 1000, limit: 0.020, random: rand.New(rand.NewPCG(1, 1))}
		so := carry(settings(guess), q.meets)
		found := settings(guess).Find(so)
		if found.State != capacity.Confirmed || found.PerSec > q.truth() || found.PerSec < q.truth()/1.05-1 ||
			found.Failed < q.truth() {
			t.Errorf("from a guess of %v: %+v, and %.1f is true", guess, found, q.truth())
		}
		if len(so) > 50 {
			t.Errorf("from a guess of %v: %d steps", guess, len(so))
		}
	}
}

func TestNoiseCostsLittleOfACapacity(t *testing.T) {
	t.Parallel()
	const runs = 500
	var parts []float64
	steps := 0
	for seed := range uint64(runs) {
		q := queue{perSec: 1000, limit: 0.020, noise: 0.10, random: rand.New(rand.NewPCG(seed, 1))}
		so := carry(settings(600), q.meets)
		found := settings(600).Find(so)
		if found.State != capacity.Confirmed {
			t.Fatalf("seed %d: %+v", seed, found)
		}
		steps = max(steps, len(so))
		parts = append(parts, found.PerSec/q.truth())
	}
	slices.Sort(parts)
	lo, middle, hi := parts[runs/40], parts[runs/2], parts[runs-runs/40]
	if lo < 0.85 || middle < 0.93 || middle > 1.01 || hi > 1.04 {
		t.Errorf("95%% of the searches find %.3f to %.3f of the truth, the middle one %.3f", lo, hi, middle)
	}
	if steps > 40 {
		t.Errorf("a search took %d steps", steps)
	}
}

// Near the knee chance decides, over a tenth of the rate to each side, and every twentieth trial fails for a reason of its
// own, long ones included.
func TestAFlappingServerIsFoundStill(t *testing.T) {
	t.Parallel()
	const runs, truth = 500, 5000.0
	near := 0
	for seed := range uint64(runs) {
		random := rand.New(rand.NewPCG(seed, 2))
		so := carry(settings(20_000), func(step capacity.Step) bool {
			chance := 0.95 / (1 + math.Exp((step.PerSec/truth-1)/0.03))
			return random.Float64() < chance
		})
		f := settings(20_000).Find(so)
		if f.PerSec > truth*1.1 {
			t.Fatalf("seed %d: %+v was confirmed", seed, f)
		}
		if f.State == capacity.Confirmed && f.PerSec > truth/1.25 {
			near++
		}
	}
	if near < runs*85/100 {
		t.Errorf("%d of %d searches confirm a rate within 20%% of the truth", near, runs)
	}
}

func TestARequirementThatNoRateMeetsIsUnmet(t *testing.T) {
	t.Parallel()
	s := settings(1000)
	so := carry(s, func(capacity.Step) bool { return false })
	if found := s.Find(so); found.State != capacity.Unmet || found.PerSec != 0 || found.Failed != s.Least || len(so) != 8 {
		t.Errorf("%+v after %d steps", found, len(so))
	}
}

func TestTheSearchEndsAtTheMostWhereNothingFails(t *testing.T) {
	t.Parallel()
	s := settings(1000)
	s.Most = 30_000
	so := carry(s, func(capacity.Step) bool { return true })
	if found := s.Find(so); found.State != capacity.Confirmed || found.PerSec != 30_000 || found.Failed != 0 {
		t.Errorf("%+v", found)
	}
}

func TestTheEndThatFailedIsTriedOnceMore(t *testing.T) {
	t.Parallel()
	tried := map[float64]int{}
	s := settings(1000)
	so := carry(s, func(step capacity.Step) bool {
		tried[step.PerSec]++
		if step.Phase == capacity.Search && step.PerSec == 1000 {
			return tried[1000] > 1 // an accident
		}
		return step.PerSec <= 1800
	})
	if found := s.Find(so); found.PerSec < 1800/1.05 || found.PerSec > 1800 {
		t.Errorf("%+v after %v", found, so)
	}
}

func TestARateThatLongTrialsDoNotBearOutGoesDown(t *testing.T) {
	t.Parallel()
	s := settings(1000)
	so := carry(s, func(step capacity.Step) bool {
		return step.Phase == capacity.Search && step.PerSec <= 1000 || step.PerSec <= 870
	})
	var confirmed []float64
	for _, o := range so {
		if o.Phase == capacity.Confirm {
			confirmed = append(confirmed, o.PerSec)
		}
	}
	if want := []float64{1000, 950, 900, 800, 800, 800, 900, 900}; !slices.Equal(confirmed, want) {
		t.Errorf("long trials at %v, want %v", confirmed, want)
	}
	if found := s.Find(so); found.State != capacity.Confirmed || found.PerSec != 800 || found.Failed != 900 {
		t.Errorf("%+v", found)
	}
	so = carry(s, func(step capacity.Step) bool { return step.Phase == capacity.Search && step.PerSec <= 1000 })
	if found := s.Find(so); found.State != capacity.Unconfirmed || found.PerSec != 0 || found.Failed != 400 {
		t.Errorf("%+v", found)
	}
}

// What failed in short trials is not too high where long ones carry it.
func TestARateThatIsCarriedIsNotTooHigh(t *testing.T) {
	t.Parallel()
	s := settings(1000)
	s.Trials = 1
	var so []capacity.Outcome
	for _, o := range []struct {
		phase  capacity.Phase
		perSec float64
		met    bool
	}{
		{capacity.Search, 1000, true}, {capacity.Search, 1050, false}, {capacity.Search, 1050, false}, {capacity.Search, 1000, true},
		{capacity.Confirm, 1000, true}, {capacity.Confirm, 1050, true},
	} {
		so = append(so, capacity.Outcome{Step: capacity.Step{Phase: o.phase, PerSec: o.perSec}, Met: o.met})
	}
	if found := s.Find(so); found != (capacity.Found{State: capacity.Bounding, PerSec: 1050}) {
		t.Errorf("%+v", found)
	}
}

func TestLatencyIsMeasuredUpToAndPastTheCapacity(t *testing.T) {
	t.Parallel()
	s := settings(1000)
	var shares []float64
	for _, o := range carry(s, func(step capacity.Step) bool { return step.PerSec <= 1000 }) {
		if o.Phase == capacity.Load {
			shares = append(shares, o.Share)
			if o.PerSec != o.Share*1000 {
				t.Errorf("%v of 1000 is %v", o.Share, o.PerSec)
			}
		}
	}
	if slices.Sort(shares); !slices.Equal(shares, []float64{0.2, 0.5, 0.8, 0.9, 1, 1.1, 1.3}) {
		t.Errorf("at %v", shares)
	}
}
