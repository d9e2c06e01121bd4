package record

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/worker/load"
)

// Histograms go from 1 ns to 1 h with 3 significant digits, which takes 270 kB each.
const (
	lowest  = int64(1)
	highest = int64(time.Hour)
	digits  = 3
)

// NewHistogram makes an empty histogram of the range and precision that all of rpcbench uses.
func NewHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(lowest, highest, digits) }

// HasRoom reports whether a histogram has the range and precision of NewHistogram's, so that others can be merged into it.
func HasRoom(h *hdrhistogram.Histogram) bool {
	return h.LowestTrackableValue() == lowest && h.HighestTrackableValue() == highest && h.SignificantFigures() == digits
}

// A set is the histograms of some samples. A closed load has a response only; bounds and errors have their own when there are
// some.
type set struct {
	response *hdrhistogram.Histogram
	service  *hdrhistogram.Histogram // nil in a closed load, as wake and queue
	wake     *hdrhistogram.Histogram
	queue    *hdrhistogram.Histogram
	bounds   *hdrhistogram.Histogram // nil before the first call that was never answered; response has them too
	errors   *hdrhistogram.Histogram // nil before the first error
	clamped  int64                   // samples beyond the range, recorded as its end
}

func newSet(open bool) *set {
	s := &set{response: NewHistogram()}
	if open {
		s.service, s.wake, s.queue = NewHistogram(), NewHistogram(), NewHistogram()
	}
	return s
}

// add takes an OK call.
func (s *set) add(sample *load.Sample) {
	s.put(s.response, sample.Done-sample.Due, 1)
	if s.service != nil {
		s.put(s.service, sample.Done-sample.Sent, 1)
		s.put(s.wake, sample.Wake, 1)
		s.put(s.queue, sample.Queue, 1)
	}
}

// addBound takes arrivals that were never answered.
func (s *set) addBound(sample *load.Sample) {
	if s.bounds == nil {
		s.bounds = NewHistogram()
	}
	s.put(s.response, sample.Done-sample.Due, 1+sample.More)
	_ = put(s.bounds, sample.Done-sample.Due, 1+sample.More) // clamped is counted once
}

// addError takes a failed call.
func (s *set) addError(sample *load.Sample) {
	if s.errors == nil {
		s.errors = NewHistogram()
	}
	s.put(s.errors, sample.Done-sample.Due, 1)
}

func (s *set) put(h *hdrhistogram.Histogram, d time.Duration, times int64) {
	if clamped := put(h, d, times); clamped {
		s.clamped += times
	}
}

// put records a time the given number of times, and reports whether it was beyond the range and recorded as its end.
func put(h *hdrhistogram.Histogram, d time.Duration, times int64) (clamped bool) {
	if h.RecordValues(int64(d), times) == nil {
		return false
	}
	_ = h.RecordValues(min(max(int64(d), 0), highest), times) // in range now
	return true
}

// merge adds other's samples; both are of the same load.
func (s *set) merge(other *set) {
	s.clamped += other.clamped
	s.response.Merge(other.response)
	if s.service != nil {
		s.service.Merge(other.service)
		s.wake.Merge(other.wake)
		s.queue.Merge(other.queue)
	}
	s.bounds = merged(s.bounds, other.bounds)
	s.errors = merged(s.errors, other.errors)
}

// merged adds other's samples to h, which is made for the first.
func merged(h, other *hdrhistogram.Histogram) *hdrhistogram.Histogram {
	if other == nil || other.TotalCount() == 0 {
		return h
	}
	if h == nil {
		h = NewHistogram()
	}
	h.Merge(other)
	return h
}

func (s *set) reset() {
	s.clamped = 0
	for _, h := range []*hdrhistogram.Histogram{s.response, s.service, s.wake, s.queue, s.bounds, s.errors} {
		if h != nil && h.TotalCount() > 0 {
			h.Reset()
		}
	}
}
