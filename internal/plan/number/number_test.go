package number_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"rpcbench/internal/plan/number"
)

// A printed number and how it should read.
type printed struct{ got, want string }

func check(t *testing.T, all []printed) {
	t.Helper()
	for _, p := range all {
		if p.got != p.want {
			t.Errorf("got %q, want %q", p.got, p.want)
		}
	}
}

func TestFiguresHaveThreeSignificantDigitsAndAUnitThatFits(t *testing.T) {
	t.Parallel()
	check(t, []printed{
		{number.Duration(410), "410 ns"}, {number.Duration(950), "950 ns"}, {number.Duration(12_345), "12.3 µs"},
		{number.Duration(1.234e6), "1.23 ms"}, {number.Duration(456e6), "456 ms"}, {number.Duration(1.5e9), "1.50 s"},
		{number.Duration(3600e9), "3,600 s"}, {number.Duration(0), "0 ns"}, {number.Duration(-2e6), "-2.00 ms"},
		{number.Duration(0.25), "0.250 ns"},
		{number.Bytes.Text(1_234_567), "1.23 MB"}, {number.Bytes.Text(12), "12.0 B"}, {number.Joules.Text(45.2e-6), "45.2 µJ"},
		{number.None.Text(21_400.4), "21,400"}, {number.None.Text(0.0123), "0.0123"}, {number.None.Text(12.34), "12.3"},
	})
}

func TestCountsAreApartByThousands(t *testing.T) {
	t.Parallel()
	check(t, []printed{
		{number.Count(1, "trial"), "1 trial"}, {number.Count(0, "trial"), "0 trials"},
		{number.Count(int64(1500), "call"), "1,500 calls"},
		{number.Verb(1, "was", "were"), "was"}, {number.Verb(0, "was", "were"), "were"}, {number.Verb(int64(2), "was", "were"), "were"},
		{number.Whole(-1234), "-1,234"}, {number.Whole(-123), "-123"}, {number.Whole(999), "999"},
		{number.Grouped(999.9, 0), "1,000"}, {number.Grouped(1234567.89, 1), "1,234,567.9"},
	})
}

func TestPartsAreInPercent(t *testing.T) {
	t.Parallel()
	check(t, []printed{
		{number.Percent(0.125, 1), "12.5%"}, {number.Percent(12, 0), "1,200%"}, {number.Change(1.031), "+3.1%"},
		{number.Change(0.9), "-10.0%"},
		{number.Signed(391100.62), "+391,100.6"}, {number.Signed(-1234.5), "-1,234.5"}, {number.Signed(-0.04), "-0.0"},
		{number.Signed(0), "+0.0"}, {number.Signed(math.Inf(1)), "∞"},
		{number.Change(0.9999), "-0.0%"}, {number.Change(1), "+0.0%"},
		{number.Bound(0.05), "5%"}, {number.Bound(0.005), "0.5%"}, {number.Bound(0.025), "2.5%"},
		{number.Change(23), "+2,200.0%"}, {number.Share(0, 7), "0.00%"}, {number.Share(1, 1e9), "< 0.01%"},
		{number.Share(1e9-1, 1e9), "> 99.99%"}, {number.Share(7, 7), "100.00%"},
	})
}

func TestSizesAreExact(t *testing.T) {
	t.Parallel()
	check(t, []printed{
		{number.Size(0), "0 B"}, {number.Size(1000), "1 kB"}, {number.Size(65536), "64 KiB"}, {number.Size(1_000_000), "1 MB"},
		{number.Size(1 << 20), "1 MiB"}, {number.Size(1500), "1,500 B"}, {number.Short(0.25), "0.25"}, {number.Short(1.5e6), "1500000"},
	})
}

func TestAWaitIsRounded(t *testing.T) {
	t.Parallel()
	check(t, []printed{
		{number.About(2510 * time.Millisecond), "2.5s"}, {number.About(100_400 * time.Millisecond), "1m40s"},
		{number.About(12_034 * time.Second), "3h21m"},
		{number.About(2 * time.Minute), "2m"},
		{number.Span(24 * time.Hour), "24h"},
		{number.Span(90 * time.Minute), "1h30m"},
		{number.Span(10*time.Hour + 10*time.Second), "10h0m10s"},
		{number.Span(30 * time.Second), "30s"},
		{number.Span(0), "0s"},
	})
}

func TestAColumnHasTheDecimalsOfItsSmallestFigureButNoMoreThanItsLargestIsWorth(t *testing.T) {
	t.Parallel()
	for want, values := range map[int][]float64{
		0: {100, 5000}, 1: {22.1, 1500}, 2: {5.2, 30}, 3: {0.5, 2},
	} {
		if got := number.Fixed(number.Scale{By: 1}, values).Decimals; got != want {
			t.Errorf("%v: %d decimals, want %d", values, got, want)
		}
	}
	check(t, []printed{
		{number.Fixed(number.Scale{By: 1}, []float64{0.001, 500}).Text(500), "500.0"},
		{number.Fixed(number.Scale{Name: "ms", By: 1e6}, []float64{2e6}).Text(1.234e6), "1.23 ms"},
		{number.Fixed(number.Scale{By: 1}, nil).Text(0), "0"},
	})
}

func TestAColumnHasTheScaleOfMostFigures(t *testing.T) {
	t.Parallel()
	for want, ns := range map[string][]float64{"µs": {40e3, 90e3, 5e6}, "ms": {0.3e6, 1.2e6, 2e6}, "ns": {3}} {
		if got := number.Nanoseconds.Common(ns).Name; got != want {
			t.Errorf("%v: %s, want %s", ns, got, want)
		}
	}
	if got := number.Nanoseconds.Common(nil).Name; got != "ns" {
		t.Errorf("of none: %s, want ns", got)
	}
}

func TestASpreadIsPrintedAsItsFigure(t *testing.T) {
	t.Parallel()
	form := number.Nanoseconds.Format().At(105_000)
	check(t, []printed{{form.Text(105_000), "105 µs"}, {form.Bare(98_100), "98"}, {form.Bare(2e6), "2,000"}})
	ratio := number.Format{Each: true, Decimals: 2}
	check(t, []printed{{ratio.Text(0.0123), "0.01"}, {ratio.Text(123.4), "123"}})
}

// A figure that is not 0 is never printed as 0, whatever the decimals of its column or of the median whose spread it ends.
func TestOnlyZeroIsPrintedAsZero(t *testing.T) {
	t.Parallel()
	ms := number.Scale{Name: "ms", By: 1e6}
	ofMedian := number.Format{Unit: number.Nanoseconds, Each: true, Decimals: 3}.At(369e6)
	floor := number.Format{Scale: number.Scale{By: 1}, Decimals: 1}
	check(t, []printed{
		{ofMedian.Bare(276e3), "0.28"}, {ofMedian.Bare(762e6), "762"}, {ofMedian.Bare(0.6e6), "1"}, {ofMedian.Bare(0), "0"},
		{floor.Bare(0.012), "0.012"}, {floor.Bare(0.05), "0.1"}, {floor.Bare(-0.012), "-0.012"}, {floor.Bare(0), "0.0"},
		{number.Format{Scale: ms, Decimals: 2}.Text(4e3), "0.0040 ms"},
	})
}

// A bound is compared with a count over a count: both must be the nearest to the same fraction.
func TestAPercentageIsThePartThatIsNearestToIt(t *testing.T) {
	t.Parallel()
	for i := range 10_001 {
		text := fmt.Sprintf("%d.%02d", i/100, i%100)
		if part, ok := number.ParsePercent(text); !ok || part != float64(i)/10_000 {
			t.Fatalf("%s%% is %v, want %v", text, part, float64(i)/10_000)
		}
	}
	if part, ok := number.ParsePercent(" 1e-1 "); !ok || part != 0.001 {
		t.Errorf("1e-1%% is %v", part)
	}
	for _, text := range []string{"", "x", "NaN", "Inf", "1e999"} {
		if part, ok := number.ParsePercent(text); ok {
			t.Errorf("%q%% is %v, want nothing", text, part)
		}
	}
}
