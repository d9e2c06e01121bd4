package formats

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"
)

func TestBucketsAreThoseOfVanadium(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		least, most int64
		want        []int64
	}{
		{7, 94, []int64{7, 8, 9, 10, 12, 15, 19, 24, 32, 42, 56, 75, 101, 136, 183, 247, 334}}, // README, load
		{7, 17, []int64{7, 8, 9, 10, 11, 12, 14, 16, 18, 21, 24}},                              // README, go test
		{7, 7, []int64{7}},
		{7, 8, []int64{7, 8}},
	} {
		if diff := cmp.Diff(test.want, bucketLows(test.least, test.most)); diff != "" {
			t.Errorf("%d to %d (-want +got):\n%s", test.least, test.most, diff)
		}
	}
}

// recorded makes a histogram of values in ms and how often each occurs.
func recorded(t *testing.T, values map[float64]int64) *hdrhistogram.Histogram {
	t.Helper()
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	for ms, n := range values {
		if err := h.RecordValues(int64(ms*1e6), n); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func drawn(t *testing.T, name string, h *hdrhistogram.Histogram) string {
	t.Helper()
	var out bytes.Buffer
	if err := WriteHistogram(&out, name, h); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// seedPage is the run of Vanadium's README: 100 calls in its buckets, with a sum of 1,317 ms.
func seedPage(t *testing.T) *hdrhistogram.Histogram {
	t.Helper()
	return recorded(t, map[float64]int64{7: 1, 8: 4, 9: 17, 11: 24, 12: 12, 13: 12, 16: 28, 19: 1, 94: 1})
}

const seedPrinted = `Histogram (unit: ms)
Count: 100  Min: 7  Max: 94  Avg: 13.17
------------------------------------------------------------
[  7,   8)    1    1.0%    1.0%
[  8,   9)    4    4.0%    5.0%
[  9,  10)   17   17.0%   22.0%  ##
[ 10,  12)   24   24.0%   46.0%  ##
[ 12,  15)   24   24.0%   70.0%  ##
[ 15,  19)   28   28.0%   98.0%  ###
[ 19,  24)    1    1.0%   99.0%
[ 24,  32)    0    0.0%   99.0%
[ 32,  42)    0    0.0%   99.0%
[ 42,  56)    0    0.0%   99.0%
[ 56,  75)    0    0.0%   99.0%
[ 75, 101)    1    1.0%  100.0%
[101, 136)    0    0.0%  100.0%
[136, 183)    0    0.0%  100.0%
[183, 247)    0    0.0%  100.0%
[247, 334)    0    0.0%  100.0%
[334, inf)    0    0.0%  100.0%
`

func TestAHistogramIsPrintedAsOnVanadiumsPage(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(seedPrinted, drawn(t, "", seedPage(t))); diff != "" {
		t.Errorf("load (-want +got):\n%s", diff)
	}
	want := `Histogram (unit: ms): 1B
Count: 1000  Min: 7  Max: 17  Avg: 7.89
------------------------------------------------------------
[  7,   8)   505   50.5%   50.5%  #####
[  8,   9)   389   38.9%   89.4%  ####
[  9,  10)    38    3.8%   93.2%
[ 10,  11)    12    1.2%   94.4%
[ 11,  12)     4    0.4%   94.8%
[ 12,  14)    19    1.9%   96.7%
[ 14,  16)    23    2.3%   99.0%
[ 16,  18)    10    1.0%  100.0%
[ 18,  21)     0    0.0%  100.0%
[ 21,  24)     0    0.0%  100.0%
[ 24, inf)     0    0.0%  100.0%
`
	got := drawn(t, "1B", recorded(t, map[float64]int64{7: 505, 8: 389, 9: 38, 10: 12, 11: 4, 12: 19, 14: 6, 15: 17, 17: 10}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("go test (-want +got):\n%s", diff)
	}
}

func TestFiguresAreNotCutToTheUnit(t *testing.T) {
	t.Parallel()
	for want, values := range map[string]map[float64]int64{
		"(unit: ms)\nCount: 4  Min: 1.90  Max: 2.10  Avg: 2.00\n":           {1.9: 2, 2.1: 2}, // Vanadium says 1, 2 and 1.50
		"(unit: us)\nCount: 1  Min: 1000  Max: 1000  Avg: 1000.00\n":        {1: 1},           // more than one of the unit
		"(unit: ms)\nCount: 1  Min: 1.01  Max: 1.01  Avg: 1.01\n":           {1.01: 1},
		"(unit: s)\nCount: 2  Min: 1.50  Max: 90  Avg: 45.75\n":             {1500: 1, 90_000: 1},
		"(unit: ns)\nCount: 2  Min: 700  Max: 90000000  Avg: 45000350.00\n": {0.0007: 1, 90: 1},
	} {
		if got := drawn(t, "", recorded(t, values)); !strings.HasPrefix(got, "Histogram "+want) {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestAnEmptyHistogramSaysSo(t *testing.T) {
	t.Parallel()
	if got := drawn(t, "", nil); got != "Histogram (empty)\n" {
		t.Errorf("got %q", got)
	}
	if got := drawn(t, "x", recorded(t, nil)); got != "Histogram (empty): x\n" {
		t.Errorf("got %q", got)
	}
}

// TestValuesOfThreeDigitsComeBack checks what Min and Max of the page rely on: values recorded with three digits are read back
// unchanged, from 1 ns to an hour.
func TestValuesOfThreeDigitsComeBack(t *testing.T) {
	t.Parallel()
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	for scale := int64(1); scale <= 1e9; scale *= 10 {
		for digits := int64(100); digits < 1000; digits += 37 {
			h.Reset()
			if err := h.RecordValue(digits * scale); err != nil {
				t.Fatal(err)
			}
			bars := slices.DeleteFunc(h.Distribution(), func(bar hdrhistogram.Bar) bool { return bar.Count == 0 })
			if got := roundest(bars[0]); got != digits*scale {
				t.Fatalf("%d came back as %d", digits*scale, got)
			}
		}
	}
}

// TestEveryCallIsInOneBucket holds for any recorded values.
func TestEveryCallIsInOneBucket(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	line := regexp.MustCompile(`^\[ *(\d+), +(\d+|inf)\) +(\d+) +(\d+\.\d)% +(\d+\.\d)%(  #+)?$`)
	for range 50 {
		h := hdrhistogram.New(1, int64(time.Hour), 3)
		calls := 1 + random.IntN(300)
		top := int64(1) << (1 + random.IntN(41))
		for range calls {
			if err := h.RecordValue(1 + random.Int64N(top)); err != nil {
				t.Fatal(err)
			}
		}
		lines := strings.Split(strings.TrimSuffix(drawn(t, "", h), "\n"), "\n")
		sum, high := 0, ""
		for _, text := range lines[3:] {
			part := line.FindStringSubmatch(text)
			if part == nil || (high != "" && part[1] != high) {
				t.Fatalf("bad line %q after a bucket up to %q", text, high)
			}
			n, _ := strconv.Atoi(part[3])
			sum, high = sum+n, part[2]
		}
		if sum != calls || high != "inf" || len(lines) > 3+bucketsMax || !strings.Contains(lines[len(lines)-1], "100.0%") {
			t.Fatalf("%d of %d calls in the buckets, the last up to %s:\n%s", sum, calls, high, strings.Join(lines, "\n"))
		}
		if want := fmt.Sprintf("Count: %d ", calls); !strings.HasPrefix(lines[1], want) {
			t.Fatalf("%q doesn't begin with %q", lines[1], want)
		}
	}
}
