// Package record stores the outcomes of calls: histograms and counts, in memory that does not grow with calls or slots.
//
// Recorders are distributed over a small fixed number of shards, each with its own lock and histograms. Once a second the
// shards' histograms are swapped for empty ones and merged. Percentiles are always read from merged histograms, never
// averaged.
package record

import (
	"math"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/worker/load"
)

// Config configures a Recorder.
type Config struct {
	Shards  int  // at least this many; twice the processors is plenty
	Open    bool // keep service, wake and queue beside response
	Windows int  // the most window histograms to keep; 0 keeps none
	// Edges are the times at which the load changes, in order. Windows then begin at edges only, and neighbors merge if there are
	// more than Windows.
	Edges []time.Duration
	Code  func(error) int // of a failed call's error: 1 … Codes−1; called for errors only
	Codes int             // codes, 0 (OK) among them
}

// A Recorder is the load.Sink of one phase. Record may be called concurrently with everything; the other methods are
// for one goroutine.
type Recorder struct {
	config  Config
	shards  []shard
	mask    int  // as many shards as a power of two, less one: cheaper than a division
	spare   *set // empty, to be swapped in
	window  *set // what the shards held, merged, when the last window ended
	total   *set
	series  series
	windows time.Duration // when the open window began

	mu       sync.Mutex
	examples []string // by code: the first error message
	unsent   int64
	cutOff   int64

	seen Counts // by the last Tick

	cutExample string // of those that were cut off, the first that says what it waited for
}

// Counts are calls that are done.
type Counts struct {
	OK     int64
	Errors int64 // unsent and unfinished ones too
	logs   float64
}

// ResponseMean is the geometric mean of the responses of OK calls, which a few slow calls hardly move; 0 where there is none.
func (c Counts) ResponseMean() time.Duration {
	if c.OK == 0 || c.logs <= 0 {
		return 0
	}
	return time.Duration(math.Round(math.Exp(c.logs / float64(c.OK))))
}

type shard struct {
	mu    sync.Mutex
	set   *set
	ok    int64
	codes []int64 // of failed calls
	lost  int64   // unsent and unfinished
	times product // of OK calls' responses in ns
	_     [64]byte
}

// calls returns the number of calls with a code; 0 is OK.
func (s *shard) calls(code int) int64 {
	if code == 0 {
		return s.ok
	}
	return s.codes[code]
}

// New makes an empty recorder.
func New(config Config) *Recorder {
	r := &Recorder{
		config: config, shards: make([]shard, powerOfTwo(config.Shards)), examples: make([]string, config.Codes),
		spare: newSet(config.Open), window: newSet(config.Open), total: newSet(config.Open),
		series: newSeries(config.Windows, config.Edges),
	}
	r.mask = len(r.shards) - 1
	for i := range r.shards {
		r.shards[i].set = newSet(config.Open)
		r.shards[i].codes = make([]int64, config.Codes)
		r.shards[i].times.rest = 1
	}
	return r
}

// powerOfTwo returns the least that is n or more.
func powerOfTwo(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}

// Record implements load.Sink. It costs an uncontended lock and one histogram entry, four in an open load, and
// allocates for the first error of a code only.
func (r *Recorder) Record(from int, s *load.Sample) {
	if s.Fate != load.Answered || s.Err != nil {
		r.recordFailure(from, s)
		return
	}
	shard := &r.shards[from&r.mask]
	shard.mu.Lock()
	shard.ok++
	shard.set.add(s)
	shard.times.multiply(float64(max(s.Done-s.Due, 1)))
	shard.mu.Unlock()
}

// recordFailure records calls that were never answered in the response histogram, as lower bounds, and failed calls in a separate
// one.
func (r *Recorder) recordFailure(from int, s *load.Sample) {
	shard := &r.shards[from&r.mask]
	if s.Fate != load.Answered {
		shard.mu.Lock()
		shard.lost += 1 + s.More
		shard.set.addBound(s)
		shard.mu.Unlock()
		r.mu.Lock()
		defer r.mu.Unlock()
		if s.Fate == load.Unsent {
			r.unsent += 1 + s.More
		} else {
			r.cutOff++
			if s.Err != nil && r.cutExample == "" {
				r.cutExample = s.Err.Error()
			}
		}
		return
	}
	code := r.config.Code(s.Err)
	shard.mu.Lock()
	shard.codes[code]++
	shard.set.addError(s)
	first := shard.codes[code] == 1
	shard.mu.Unlock()
	if first {
		r.keepExample(code, s.Err)
	}
}

func (r *Recorder) keepExample(code int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.examples[code] == "" {
		r.examples[code] = err.Error()
	}
}

// Tick returns what was done since the previous Tick.
func (r *Recorder) Tick() Counts {
	var now Counts
	for i := range r.shards {
		shard := &r.shards[i]
		shard.mu.Lock()
		now.OK += shard.ok
		now.logs += shard.times.log()
		for _, n := range shard.codes {
			now.Errors += n
		}
		now.Errors += shard.lost
		shard.mu.Unlock()
	}
	since := Counts{OK: now.OK - r.seen.OK, Errors: now.Errors - r.seen.Errors, logs: now.logs - r.seen.logs}
	r.seen = now
	return since
}

// EndWindow closes the window that began when the last one ended, or with the phase, and returns its responses, which
// are good until the next EndWindow.
func (r *Recorder) EndWindow(end time.Duration) *hdrhistogram.Histogram {
	r.window.reset()
	for i := range r.shards {
		r.shards[i].mu.Lock()
		full := r.shards[i].set
		r.shards[i].set = r.spare
		r.shards[i].mu.Unlock()
		r.window.merge(full)
		full.reset()
		r.spare = full
	}
	r.series.add(Window{Start: r.windows, End: end, Response: r.window.response})
	r.total.merge(r.window)
	r.windows = end
	return r.window.response
}
