package record

import (
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Times are histograms of times that are no calls', of several sorts: of messages within calls. Memory is bounded, and is
// taken for the sorts that come. They live over phases.
type Times struct {
	names  []string // of the sorts
	shards []timesShard
	mask   int
}

type timesShard struct {
	mu      sync.Mutex
	sorts   []*hdrhistogram.Histogram // nil before the first time
	clamped int64
	_       [64]byte
}

// NewTimes makes empty Times of the named kinds, with at least the given number of shards.
func NewTimes(shards int, names ...string) *Times {
	t := &Times{names: names, shards: make([]timesShard, powerOfTwo(shards))}
	t.mask = len(t.shards) - 1
	for i := range t.shards {
		t.shards[i].sorts = make([]*hdrhistogram.Histogram, len(names))
	}
	return t
}

// Record takes one time of a sort, by its place among the names. It may be called concurrently, and costs a lock,
// uncontended between slots of different shards, and one histogram entry.
func (t *Times) Record(slot, sort int, took time.Duration) {
	shard := &t.shards[slot&t.mask]
	shard.mu.Lock()
	defer shard.mu.Unlock()
	h := shard.sorts[sort]
	if h == nil {
		h = NewHistogram()
		shard.sorts[sort] = h
	}
	if put(h, took, 1) {
		shard.clamped++
	}
}

// Take returns the histograms by name, without those that no time came for, and how many times were clamped, and begins
// anew.
func (t *Times) Take() (named map[string]*hdrhistogram.Histogram, clamped int64) {
	sums := make([]*hdrhistogram.Histogram, len(t.names))
	for i := range t.shards {
		clamped += t.shards[i].drain(sums)
	}
	named = map[string]*hdrhistogram.Histogram{}
	for i, h := range sums {
		if h != nil {
			named[t.names[i]] = h
		}
	}
	return named, clamped
}

// drain moves a shard's contents into sums.
func (s *timesShard) drain(sums []*hdrhistogram.Histogram) (clamped int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, h := range s.sorts {
		if h == nil || h.TotalCount() == 0 {
			continue
		}
		if sums[i] == nil {
			sums[i] = NewHistogram()
		}
		sums[i].Merge(h)
		h.Reset()
	}
	clamped, s.clamped = s.clamped, 0
	return clamped
}
