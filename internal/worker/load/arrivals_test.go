package load

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// The sequence that worker.v1 specifies, as another implementation of it has it. Java's tests read the same file.
func TestPoissonArrivalsAreThoseOfTheProtocol(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/poisson.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		seed, err1 := strconv.ParseUint(row[0], 10, 64)
		perSec, err2 := strconv.ParseFloat(row[1], 64)
		arrival, err3 := strconv.Atoi(row[2])
		want, err4 := strconv.ParseInt(row[3], 10, 64)
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
		a := newArrivals(Schedule{PerSec: perSec, Poisson: true, Seed: seed})
		for range arrival {
			a.next()
		}
		if due, _ := a.next(); (due - time.Duration(want)).Abs() > 1 {
			t.Errorf("arrival %d of seed %d at %v/s is due at %d ns, want %d", arrival, seed, perSec, due, want)
		}
	}
}

// All parts together make the arrivals that one would make, each of them once.
func TestPartsMakeTheArrivalsOfTheWhole(t *testing.T) {
	t.Parallel()
	for name, whole := range map[string]Schedule{
		"constant": {PerSec: 3000, Limit: Limit{Duration: time.Second}},
		"poisson":  {PerSec: 3000, Poisson: true, Seed: 5, Limit: Limit{Duration: time.Second}},
		"calls":    {PerSec: 3000, Poisson: true, Seed: 5, Limit: Limit{Calls: 1000}},
		"stages": {
			PerSec: 1, Poisson: true, Seed: 5, Limit: Limit{Duration: 2 * time.Second},
			Stages: []Stage{{100, 3000, time.Second}, {50, 50, time.Second}},
		},
		"fewer than parts": {PerSec: 2, Limit: Limit{Duration: time.Second}},
	} {
		for _, parts := range []int64{1, 2, 7} {
			var all []time.Duration
			for i := range parts {
				part := whole
				part.Part = Part{i, parts}
				own := dues(part)
				if want := (Part{i, parts}).Share(int64(len(dues(whole)))); int64(len(own)) != want {
					t.Errorf("%s: part %d of %d has %d arrivals, want %d", name, i, parts, len(own), want)
				}
				all = append(all, own...)
			}
			if slices.Sort(all); !slices.Equal(all, dues(whole)) {
				t.Errorf("%s: %d parts make other arrivals than one", name, parts)
			}
		}
	}
}

func dues(s Schedule) []time.Duration {
	var all []time.Duration
	a := newArrivals(s)
	for due, ok := a.next(); ok; due, ok = a.next() {
		all = append(all, due)
	}
	return all
}

// last returns the last due time, and consumes the sequence.
func (a *arrivals) last() time.Duration {
	var last time.Duration
	for due, ok := a.next(); ok; due, ok = a.next() {
		last = due
	}
	return last
}

func TestSharesAddUp(t *testing.T) {
	t.Parallel()
	for parts := int64(1); parts < 9; parts++ {
		for n := range int64(30) {
			var sum, first int64
			for i := range parts {
				share := Part{i, parts}.Share(n)
				if sum += share; i == 0 {
					first = share
				}
				if share > first || share < first-1 {
					t.Errorf("part %d of %d has %d of %d, the first %d", i, parts, share, n, first)
				}
			}
			if sum != n {
				t.Errorf("%d parts have %d of %d", parts, sum, n)
			}
		}
	}
}

func gaps(s Schedule) []float64 {
	var gaps []float64
	a := newArrivals(s)
	before := time.Duration(0)
	for due, ok := a.next(); ok; due, ok = a.next() {
		gaps = append(gaps, float64(due-before)/float64(time.Second))
		before = due
	}
	return gaps
}

// The Kolmogorov–Smirnov distance of 100,000 gaps from the exponential distribution stays under its 1% critical value,
// 1.63/√n (Stephens 1974).
func TestPoissonGapsAreExponential(t *testing.T) {
	t.Parallel()
	const n, rate = 100_000, 250.0
	g := gaps(Schedule{PerSec: rate, Poisson: true, Seed: 42, Limit: Limit{Calls: n}})
	if len(g) != n {
		t.Fatalf("%d gaps, want %d", len(g), n)
	}
	slices.Sort(g)
	worst := 0.0
	for i, gap := range g {
		truth := 1 - math.Exp(-rate*gap)
		worst = max(worst, math.Abs(truth-float64(i)/n), math.Abs(truth-float64(i+1)/n))
	}
	if limit := 1.63 / math.Sqrt(n); worst > limit {
		t.Errorf("distance %.5f from the exponential distribution, at most %.5f is expected", worst, limit)
	}
}

func TestASeedGivesOneSequence(t *testing.T) {
	t.Parallel()
	s := Schedule{PerSec: 100, Poisson: true, Seed: 3, Limit: Limit{Calls: 1000}}
	other := s
	other.Seed = 4
	if !slices.Equal(gaps(s), gaps(s)) {
		t.Error("equal schedules differ")
	}
	if slices.Equal(gaps(s), gaps(other)) {
		t.Error("two seeds give the same gaps")
	}
}

func TestConstantArrivalsDoNotDrift(t *testing.T) {
	t.Parallel()
	a := newArrivals(Schedule{PerSec: 3, Limit: Limit{Calls: 3_000_001}})
	if last := a.last(); last != 1_000_000*time.Second {
		t.Errorf("arrival 3,000,000 at 3/s is due at %v, want 1,000,000 s", last)
	}
}

func TestTheWindowIsHalfOpen(t *testing.T) {
	t.Parallel()
	for perSec := 1; perSec <= 2000; perSec++ {
		if n := len(gaps(Schedule{PerSec: float64(perSec), Limit: Limit{Duration: time.Second}})); n != perSec {
			t.Errorf("%d arrivals in 1 s at %d/s", n, perSec)
		}
	}
}

// A line from 0 to r over T has r·t²/2T arrivals by t; a step keeps its rate, and behind the last stage its end's goes on.
func TestStagesAreKeptExactly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stages []Stage
		length time.Duration
		due    func(k float64) float64 // in seconds
		count  int
	}{
		"a line up": {
			[]Stage{{0, 200, 10 * time.Second}}, 10 * time.Second, func(k float64) float64 { return math.Sqrt(k / 10) }, 1000,
		},
		"a line down": { // and none is due when the rate reaches 0
			[]Stage{{200, 0, 10 * time.Second}}, 20 * time.Second, func(k float64) float64 { return 10 - math.Sqrt(100-k/10) }, 1000,
		},
		"an end at 0": {
			[]Stage{{100, 100, time.Second}, {0, 0, time.Second}}, 3 * time.Second, func(k float64) float64 { return k / 100 }, 100,
		},
		"steps": {
			[]Stage{{100, 100, time.Second}, {200, 200, time.Second}}, 3 * time.Second,
			func(k float64) float64 {
				if k < 100 {
					return k / 100
				}
				return 1 + (k-100)/200
			}, 500,
		},
		"a pause": {
			[]Stage{{100, 100, time.Second}, {0, 0, time.Second}, {100, 100, time.Second}}, 3 * time.Second,
			func(k float64) float64 {
				if k < 100 {
					return k / 100
				}
				return 1 + k/100
			}, 200,
		},
	} {
		a := newArrivals(Schedule{PerSec: 1, Stages: c.stages, Limit: Limit{Duration: c.length}})
		k := 0
		for due, ok := a.next(); ok; due, ok = a.next() {
			if want := c.due(float64(k)); math.Abs(due.Seconds()-want) > 1e-6 {
				t.Fatalf("%s: arrival %d is due at %v, want %.6f s", name, k, due, want)
			}
			k++
		}
		if k != c.count {
			t.Errorf("%s: %d arrivals, want %d", name, k, c.count)
		}
	}
}

// Of a Poisson process the counts in the stages are Poisson: within four standard deviations of what is expected.
func TestRandomArrivalsFollowStages(t *testing.T) {
	t.Parallel()
	a := newArrivals(Schedule{PerSec: 1, Poisson: true, Seed: 7, Limit: Limit{Duration: 20 * time.Second}, Stages: []Stage{
		{1000, 1000, 10 * time.Second}, {1000, 5000, 10 * time.Second},
	}})
	var counts [20]float64
	for due, ok := a.next(); ok; due, ok = a.next() {
		counts[due/time.Second]++
	}
	for i, got := range counts {
		want := 1000.0
		if i >= 10 {
			want = 1000 + 400*(float64(i-10)+0.5)
		}
		if math.Abs(got-want) > 4*math.Sqrt(want) {
			t.Errorf("%v arrivals in second %d, want about %v", got, i, want)
		}
	}
}
