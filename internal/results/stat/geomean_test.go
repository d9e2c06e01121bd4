package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestTheGeometricMeanIsTheSameWhicheverSideIsA(t *testing.T) {
	t.Parallel()
	rows := []Pair{{[]float64{1}, []float64{2}}, {[]float64{10}, []float64{80}}}
	m, err := GeoMean(rows)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the mean", m.Value, 4, 1e-9)
	for i, r := range rows {
		rows[i] = Pair{r.B, r.A}
	}
	turned, err := GeoMean(rows)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the mean turned", turned.Value, 0.25, 1e-9)
}

func TestFewTrialsGiveTheMeanOfRanges(t *testing.T) {
	t.Parallel()
	m, err := GeoMean([]Pair{{[]float64{1, 2}, []float64{2, 4}}, {[]float64{1, 1}, []float64{1, 4}}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "lo", m.Lo, 1, 1e-9)
	near(t, "hi", m.Hi, 4, 1e-9)
	if m.Spread != SpreadMinMax {
		t.Errorf("got %+v", m)
	}
}

// TestTheMeansIntervalIsNarrowerThanARowsAndHoldsTheTruth: 16 rows of a 5% shift; a row's interval is about 4 times as
// wide. A right 95% interval misses 2 of 40, with a standard deviation of 1.4.
func TestTheMeansIntervalIsNarrowerThanARowsAndHoldsTheTruth(t *testing.T) {
	t.Parallel()
	random, missed := seeded(), 0
	var widths, ofRows []float64
	for range 40 {
		var rows []Pair
		for i := range 16 {
			center := math.Pow(10, float64(i%4))
			rows = append(rows, Pair{trials(random, 6, center, 0.03), trials(random, 6, 1.05*center, 0.03)})
		}
		m, err := GeoMean(rows)
		if err != nil || m.Spread != SpreadCI95 {
			t.Fatal(m, err)
		}
		if m.Lo > 1.05 || m.Hi < 1.05 {
			missed++
		}
		row := Compare(rows[0].A, rows[0].B).Ratio
		widths, ofRows = append(widths, m.Hi-m.Lo), append(ofRows, row.Hi-row.Lo)
	}
	if missed > 6 {
		t.Errorf("%d of 40 intervals miss the truth", missed)
	}
	slices.Sort(widths)
	slices.Sort(ofRows)
	if ratio := ofRows[20] / widths[20]; ratio < 3 || ratio > 5 {
		t.Errorf("a row's interval is %v times as wide", ratio)
	}
}

func TestWhatHasNoRatioHasNoMean(t *testing.T) {
	t.Parallel()
	for want, rows := range map[string][]Pair{
		"no ratios":      nil,
		"without trials": {{[]float64{1}, nil}},
		"0 in row 1":     {{[]float64{1}, []float64{1}}, {[]float64{1}, []float64{0}}},
		"NaN in row 0":   {{[]float64{math.NaN()}, []float64{1}}},
	} {
		if _, err := GeoMean(rows); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}

// A median of counted draws is that of the draws sorted, with ties and without.
func TestACountedMedianIsThatOfTheDraws(t *testing.T) {
	t.Parallel()
	random := seeded()
	for n := 1; n < 12; n++ {
		sample := make([]float64, n)
		for i := range sample {
			sample[i] = math.Round(5 * random.NormFloat64())
		}
		r := redrawingOf(sample)
		a, b := rand.New(rand.NewPCG(3, uint64(n))), rand.New(rand.NewPCG(3, uint64(n)))
		for range 50 {
			draws := make([]float64, n)
			for i := range draws {
				draws[i] = sample[b.IntN(n)]
			}
			if got, want := r.median(a), middle(draws); got != want {
				t.Fatalf("of %v: %v, want that of %v, %v", sample, got, draws, want)
			}
		}
	}
}
