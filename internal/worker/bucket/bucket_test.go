package bucket_test

import (
	"math"
	"strings"
	"testing"
	"time"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/worker/bucket"
	"rpcbench/internal/worker/record"
)

// theirs is a histogram as the definition has it, with every bucket moved up by shift.
func theirs(shift int, samples ...float64) *testpb.HistogramData {
	data := &testpb.HistogramData{Bucket: make([]uint32, 3000), MinSeen: math.Inf(1), Count: float64(len(samples))}
	for _, ns := range samples {
		data.Bucket[int(math.Log(ns)/math.Log(1.01))+shift]++
		data.MinSeen, data.MaxSeen = min(data.MinSeen, ns), max(data.MaxSeen, ns)
	}
	return data
}

// grpc-java's buckets are one too high.
func TestASampleLiesWithinItsBucket(t *testing.T) {
	t.Parallel()
	samples := []float64{1234, 50_000, 51_000, 1e6, 3.3e9}
	for shift := range 2 {
		h, err := bucket.Whole().Ours(theirs(shift, samples...))
		if err != nil {
			t.Fatal(err)
		}
		if h.TotalCount() != 5 {
			t.Errorf("%d samples, want 5", h.TotalCount())
		}
		for i, want := range samples {
			got := float64(h.ValueAtQuantile(100 * (float64(i) + 0.5) / 5))
			if wrong := math.Abs(got/want - 1); wrong > 0.006 {
				t.Errorf("shift %d: sample %d is %v, want %v: wrong by %.2f%%", shift, i, got, want, 100*wrong)
			}
		}
	}
}

// Only the ends of a histogram keep their exact values.
func TestTheEndsAreKept(t *testing.T) {
	t.Parallel()
	h, err := bucket.Whole().Ours(theirs(0, 1000, 1004, 1006, 1009))
	if err != nil {
		t.Fatal(err)
	}
	if h.Min() != 1000 || h.Max() != 1009 || h.TotalCount() != 4 {
		t.Errorf("%d samples from %d to %d, want 4 from 1000 to 1009", h.TotalCount(), h.Min(), h.Max())
	}
}

func TestAHistogramThatContradictsItselfIsRefused(t *testing.T) {
	t.Parallel()
	short := theirs(0, 1000, 2000)
	short.Count = 3
	far := theirs(0, 1000, 2000)
	far.MinSeen = 10
	ends := func(least, most float64) *testpb.HistogramData {
		data := theirs(0, 1000, 2000)
		data.MinSeen, data.MaxSeen = least, most
		return data
	}
	for want, data := range map[string]*testpb.HistogramData{
		"the least of NaN ns": ends(math.NaN(), 2000), "the greatest of NaN ns": ends(1000, math.NaN()),
		"the greatest of +Inf ns": ends(1000, math.Inf(1)), "the least of -1 ns": ends(-1, 2000),
		"the least of 2000 ns and the greatest of 1000 ns": ends(2000, 1000),
		"counts 3 samples and has 2":                       short, "has samples from 10 to 2000 ns and buckets from": far,
	} {
		if _, err := bucket.Whole().Ours(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if h, err := bucket.Whole().Ours(nil); err != nil || h.TotalCount() != 0 {
		t.Errorf("none: %v, %v", h, err)
	}
}

func TestOursBecomeTheirsAndBack(t *testing.T) {
	t.Parallel()
	ours := record.NewHistogram()
	for i := range int64(1000) {
		_ = ours.RecordValue(10_000 + 977*i*i)
	}
	layout, err := bucket.Of(&testpb.HistogramParams{Resolution: 0.01, MaxPossible: 60e9})
	if err != nil {
		t.Fatal(err)
	}
	data := layout.Theirs(ours)
	least, greatest := int64(data.GetMinSeen()), int64(data.GetMaxSeen())
	if data.GetCount() != 1000 || !ours.ValuesAreEquivalent(least, ours.Min()) || !ours.ValuesAreEquivalent(greatest, ours.Max()) {
		t.Errorf("%v samples from %v to %v", data.GetCount(), data.GetMinSeen(), data.GetMaxSeen())
	}
	if mean := data.GetSum() / data.GetCount(); math.Abs(mean/ours.Mean()-1) > 0.001 {
		t.Errorf("mean %v, want %v", mean, ours.Mean())
	}
	deviation := math.Sqrt(data.GetSumOfSquares()/1000 - math.Pow(data.GetSum()/1000, 2))
	if math.Abs(deviation/ours.StdDev()-1) > 0.001 {
		t.Errorf("standard deviation %v, want %v", deviation, ours.StdDev())
	}
	back, err := layout.Ours(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []float64{1, 50, 90, 99, 99.9} {
		got, want := float64(back.ValueAtQuantile(q)), float64(ours.ValueAtQuantile(q))
		if math.Abs(got/want-1) > 0.011 { // half a bucket each way
			t.Errorf("p%v is %v, want %v", q, got, want)
		}
	}
}

// A bar of ours can reach over the border of two of theirs, wherever it lies.
func TestBarsOnBordersBecomeTheirsAndBack(t *testing.T) {
	t.Parallel()
	layout := bucket.Whole()
	for low := int64(20_000); low < 60_000; low += 101 {
		ours, want := record.NewHistogram(), []int64{low, 10 * low, 23 * low}
		for _, ns := range want {
			_ = ours.RecordValue(ns)
		}
		back, err := layout.Ours(layout.Theirs(ours))
		if err != nil {
			t.Fatalf("%v: %v", want, err)
		}
		if !ours.ValuesAreEquivalent(back.Min(), want[0]) || !ours.ValuesAreEquivalent(back.Max(), want[2]) {
			t.Fatalf("%v: from %d to %d", want, back.Min(), back.Max())
		}
		if got := back.ValueAtQuantile(50); math.Abs(float64(got)/float64(want[1])-1) > 0.007 { // half a bucket, and a bar
			t.Fatalf("%v: the middle is %d", want, got)
		}
	}
}

func TestALayoutIsReadOrItsFieldNamed(t *testing.T) {
	t.Parallel()
	if l, err := bucket.Of(nil); err != nil || l != (bucket.Layout{Resolution: 0.01, Most: float64(time.Minute)}) {
		t.Errorf("%v, %v", l, err)
	}
	for want, p := range map[string]*testpb.HistogramParams{
		"resolution: 0 ": {MaxPossible: 60e9}, "resolution: NaN": {Resolution: math.NaN(), MaxPossible: 60e9},
		"max_possible: 1 ": {Resolution: 0.01, MaxPossible: 1}, "max_possible: +Inf": {Resolution: 0.01, MaxPossible: math.Inf(1)},
	} {
		if _, err := bucket.Of(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func FuzzOurs(f *testing.F) {
	f.Add([]byte{0, 3, 1}, 1.0, 1.02, 4.0)
	f.Add([]byte{}, math.NaN(), -1.0, 0.0)
	f.Fuzz(func(t *testing.T, counts []byte, least, most, count float64) {
		data := &testpb.HistogramData{MinSeen: least, MaxSeen: most, Count: count}
		for _, n := range counts {
			data.Bucket = append(data.Bucket, uint32(n))
		}
		h, err := bucket.Whole().Ours(data)
		if err == nil && float64(h.TotalCount()) != count {
			t.Errorf("%d samples of %v", h.TotalCount(), count)
		}
	})
}
