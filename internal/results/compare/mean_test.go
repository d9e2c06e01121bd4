package compare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/stat"
)

// several is a side of files that differ from one another by 5%, with 10 trials of 2% of each row.
func several(name string, files, rows int, shift float64, random *rand.Rand) compare.Set {
	var sets []compare.Set
	for range files {
		level, set := math.Log1p(shift)+0.05*random.NormFloat64(), compare.Set{Name: name}
		for row := range rows {
			f := compare.Figure{Point: fmt.Sprint("row ", row), Metric: "p50"}
			for range 10 {
				f.Values = append(f.Values, float64(row+1)*math.Exp(level+0.02*random.NormFloat64()))
			}
			set.Figures = append(set.Figures, f)
		}
		sets = append(sets, set)
	}
	return compare.Together(name, sets)
}

func meanOf(t *testing.T, a, b compare.Set) compare.Mean {
	t.Helper()
	c, err := compare.Of(0.05, a, b)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Tables) != 1 || len(c.Tables[0].Means) != 1 {
		t.Fatalf("%+v", c.Tables)
	}
	return c.Tables[0].Means[0]
}

// The claim: the interval of a geometric mean over several files misses the truth in at most 5% of 200 (standard error 1.5%),
// however many rows share what differs between the files; what is 30% more is told in 90% of three files a side.
func TestAMeanOverSeveralTimesHoldsTheTruth(t *testing.T) {
	t.Parallel()
	const runs = 200
	random := rand.New(rand.NewPCG(19, 31))
	for _, files := range []int{3, 5} {
		missed, found := 0, 0
		for range runs {
			base := several("old", files, 10, 0, random)
			if m := meanOf(t, base, several("new", files, 10, 0, random)); m.Spread != stat.SpreadCI95 || m.Lo > 1 || m.Hi < 1 {
				missed++
			}
			if meanOf(t, base, several("new", files, 10, 0.3, random)).Lo > 1 {
				found++
			}
		}
		if missed > runs*8/100 || found < runs*90/100 {
			t.Errorf("%d files a side: of %d, %d intervals miss the truth, and %d tell 30%%", files, runs, missed, found)
		}
	}
}

// A mean over lines of which the machine changed one has no interval, nor one of files that do not all have all rows.
func TestAMeanWithoutAnInterval(t *testing.T) {
	t.Parallel()
	of := func(name string, middle, floor float64) compare.Set {
		x := figure("x", "p50", middle, 10)
		x.Floor = around(floor, 10)
		return side(name, x, figure("y", "p50", 100, 10))
	}
	m := meanOf(t, of("old", 100, 10), of("new", 110, 11))
	if m.Without != compare.WithoutMachine || m.Spread != "" || m.Lo != 0 || math.Abs(m.Value-math.Sqrt(1.1)) > 1e-9 {
		t.Errorf("a machine that changed: %+v", m)
	}
	if m = meanOf(t, of("old", 100, 10), of("new", 110, 10)); m.Without != "" || m.Spread != stat.SpreadCI95 || m.OverOccasions {
		t.Errorf("a machine that did not: %+v", m)
	}
	file := func(middle float64, points ...string) compare.Set {
		set := side("f")
		for _, point := range points {
			set.Figures = append(set.Figures, figure(point, "p50", middle, 6))
		}
		return set
	}
	old := compare.Together("old", []compare.Set{file(100, "x", "y"), file(102, "x", "y"), file(101, "x", "y")})
	for without, last := range map[compare.Without]compare.Set{"": file(111, "x", "y"), compare.WithoutTimes: file(111, "x")} {
		m = meanOf(t, old, compare.Together("new", []compare.Set{file(110, "x", "y"), file(109, "x", "y"), last}))
		if m.Without != without || (m.Spread == "") != (without != "") || math.Abs(m.Value-1.09) > 0.01 {
			t.Errorf("%q: %+v", without, m)
		}
	}
}
