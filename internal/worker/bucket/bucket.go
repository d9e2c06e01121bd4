// Package bucket converts the histograms of gRPC's benchmarks to ours, and ours to theirs.
//
// Theirs have buckets that grow by a factor: bucket i holds values from factor^i to factor^(i+1) ns, and the first also
// smaller ones. A sample that is read back from a bucket is placed at its geometric middle: with the usual resolution of
// 0.01 the error is at most 0.5%.
package bucket

import (
	"fmt"
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/worker/record"
)

// Usual is the resolution of gRPC's own scenarios.
const Usual = 0.01

// A Layout is how the buckets of a histogram lie.
type Layout struct {
	Resolution float64 // by how much each bucket is wider than the one before
	Most       float64 // ns
}

// Whole is the layout that holds all that ours hold, with the usual resolution.
func Whole() Layout { return Layout{Usual, float64(time.Hour)} }

// Of reads the layout that a driver asks for; nil is the one of gRPC's scenarios.
func Of(p *testpb.HistogramParams) (Layout, error) {
	if p == nil {
		return Layout{Usual, float64(time.Minute)}, nil
	}
	l := Layout{p.GetResolution(), p.GetMaxPossible()}
	switch {
	case !(l.Resolution >= finest && l.Resolution <= 1):
		return l, fmt.Errorf("resolution: %v is not between %v and 1", l.Resolution, finest)
	case !(l.Most > 1+l.Resolution && l.Most <= longest):
		return l, fmt.Errorf("max_possible: %v is not between %v and %v ns", l.Most, 1+l.Resolution, longest)
	}
	return l, nil
}

// Ours have a resolution of 0.001, and finer buckets would only be empty. The largest layout has 50,000.
const (
	finest  = 0.001
	longest = 1e18
)

// Params are the layout as drivers ask for it.
func (l Layout) Params() *testpb.HistogramParams {
	return &testpb.HistogramParams{Resolution: l.Resolution, MaxPossible: l.Most}
}

// index is the bucket of a time in ns.
func (l Layout) index(ns float64) int {
	return int(math.Log(min(max(ns, 1), l.Most)) / math.Log1p(l.Resolution))
}

// low returns the lower end of a bucket, in ns.
func (l Layout) low(index int) float64 {
	return math.Pow(1+l.Resolution, float64(index))
}

// Theirs makes one of theirs of ours. All samples of a bar are taken to be its middle, the least and the greatest too: an edge of
// the bar may lie in the bucket beside, and a reader would look for it there.
func (l Layout) Theirs(h *hdrhistogram.Histogram) *testpb.HistogramData {
	data := &testpb.HistogramData{Bucket: make([]uint32, l.index(l.Most)+1), Count: float64(h.TotalCount())}
	if h.TotalCount() == 0 {
		return data
	}
	data.MinSeen = math.Inf(1)
	for _, bar := range h.Distribution() {
		if bar.Count == 0 {
			continue
		}
		middle := float64(bar.From+bar.To) / 2
		data.MinSeen, data.MaxSeen = min(data.MinSeen, middle), max(data.MaxSeen, middle)
		data.Bucket[l.index(middle)] += uint32(bar.Count)
		data.Sum += middle * float64(bar.Count)
		data.SumOfSquares += middle * middle * float64(bar.Count)
	}
	return data
}

// Ours makes one of ours of theirs. The least and the greatest sample are known as they were.
func (l Layout) Ours(data *testpb.HistogramData) (*hdrhistogram.Histogram, error) {
	h := record.NewHistogram()
	first, last, sum := -1, -1, 0.0
	for i, n := range data.GetBucket() {
		if sum += float64(n); n > 0 {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	if sum != data.GetCount() {
		return nil, fmt.Errorf("its histogram counts %v samples and has %v in its buckets", data.GetCount(), sum)
	}
	if sum == 0 {
		return h, nil
	}
	ends := extremes{data.GetMinSeen(), data.GetMaxSeen()}
	if !(ends.least >= 0 && ends.least <= ends.most && ends.most <= math.MaxFloat64) { // NaN is none of that
		return nil, fmt.Errorf("its histogram has %v samples, the least of %v ns and the greatest of %v ns", sum, ends.least, ends.most)
	}
	shift, err := l.shift(first, last, ends)
	if err != nil {
		return nil, err
	}
	for i, n := range data.GetBucket() {
		if n == 0 {
			continue
		}
		middle := ends.clamp(math.Sqrt(l.low(i-shift) * l.low(i-shift+1)))
		left := int64(n)
		if i == first {
			left--
			put(h, ends.least, 1)
		}
		if i == last && left > 0 {
			left--
			put(h, ends.most, 1)
		}
		put(h, middle, left)
	}
	return h, nil
}

// extremes are the least and the greatest sample of a histogram, in ns.
type extremes struct{ least, most float64 }

func (e extremes) clamp(ns float64) float64 { return min(max(ns, e.least), e.most) }

// shift returns by how many buckets a worker puts its samples too high: grpc-java's, which divides an HdrHistogram at the powers,
// puts them one too high. The smallest sample shows it.
func (l Layout) shift(first, last int, ends extremes) (int, error) {
	low, high := l.index(ends.least), l.index(ends.most)
	for shift := range 2 {
		// grpc-java gives both ends to three digits, so that they may lie in the bucket beside.
		if within(low, first-shift, shift) && within(high, last-shift, 1) {
			return shift, nil
		}
	}
	return 0, fmt.Errorf("its histogram has samples from %.0f to %.0f ns and buckets from %.0f to %.0f ns",
		ends.least, ends.most, l.low(first), l.low(last+1))
}

func within(a, b, slack int) bool { return a-b <= slack && b-a <= slack }

// put records a time, which a layout keeps within the range.
func put(h *hdrhistogram.Histogram, ns float64, times int64) {
	if times > 0 {
		_ = h.RecordValues(min(max(int64(math.Round(ns)), 0), int64(time.Hour)), times)
	}
}
