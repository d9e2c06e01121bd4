package qpsworker

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/results/result"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/bucket"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/patience"
	"rpcbench/internal/worker/record"
)

const (
	// maxRound is longer than any benchmark: a round ends with a Mark.
	maxRound = 24 * time.Hour
	// minRound is the minimum duration of a round.
	minRound = 20 * time.Millisecond
	// maxDrain limits how long calls may take after a Mark. Longer calls are in no round.
	maxDrain = 5 * time.Second
)

// A client is the role of RunClient. The time from one Mark to the next is a phase of worker.v1, called a round, so each call is
// in exactly one: at a Mark the client waits for calls in flight and then starts the load again. The wait is not part of the
// reported time.
type client struct {
	connect *control.Connect
	load    *control.Load
	layout  bucket.Layout
	stream  int64 // messages of a stream that is one call; 1 where a call is one message
	usage

	round chan round    // how the running one ended
	began chan struct{} // closed when the running one is known to run: a Stop before its Begin would be in vain
	sofar tally         // since the last reset
}

// A round is how a phase ended.
type round struct {
	done *control.Done
	err  error
}

// A tally sums the counts of rounds.
type tally struct {
	elapsed   time.Duration
	latencies *hdrhistogram.Histogram
	results   map[int32]int64 // calls by status
}

func (c *client) start(ctx context.Context, process *launch.Worker) (*testpb.ClientStatus, error) {
	if recipe := c.connect.GetCall().GetRecipe(); recipe != nil {
		made, err := control.PrepareFor(process.Hello, c.connect.GetStack(), recipe)
		if err != nil {
			return nil, err
		}
		c.connect.Call.Recipe = made
	}
	if _, err := process.Connect(ctx, c.connect); err != nil {
		return nil, err
	}
	c.process = process
	if _, err := c.used(ctx, true); err != nil {
		return nil, err
	}
	c.reset()
	c.begin(ctx)
	return &testpb.ClientStatus{Stats: c.stats(span{})}, nil
}

func (c *client) reset() {
	c.sofar = tally{latencies: record.NewHistogram(), results: map[int32]int64{}}
}

// begin begins the next round.
func (c *client) begin(ctx context.Context) {
	c.round, c.began = make(chan round, 1), make(chan struct{})
	running := c.began
	began := sync.OnceFunc(func() { close(running) })
	ended := c.round
	go func() {
		done, err := c.process.Begin(ctx, &control.Begin{
			Phase: control.Measured, Load: c.drawn(), DurationNs: int64(maxRound), DrainNs: int64(maxDrain),
			IntervalNs: int64(minRound),
		}, func(*control.Interval) { began() })
		ended <- round{done: done, err: err}
		began()
	}()
}

// drawn returns the load of the next round. Random arrivals are others in each: those of several clients would otherwise all be
// due at the same times.
func (c *client) drawn() *control.Load {
	load := proto.CloneOf(c.load)
	if load.GetArrivals() == control.LoadPoisson {
		load.Seed = rand.Uint64()
	}
	return load
}

// stop ends the current round, and returns its results. It gives up a process that hangs.
func (c *client) stop(ctx context.Context) (*control.Done, error) {
	ctx, cancel := patience.WithTimeout(ctx, control.Patience)
	defer cancel()
	select {
	case <-c.began:
	case <-ctx.Done():
		return nil, hung(ctx)
	}
	if err := c.process.Stop(ctx); err != nil {
		return nil, err
	}
	select {
	case ended := <-c.round:
		return ended.done, ended.err
	case <-ctx.Done():
		return nil, hung(ctx)
	}
}

func hung(ctx context.Context) error {
	return fmt.Errorf("the worker process does not end its round: %w", context.Cause(ctx))
}

// end implements role.
func (c *client) end(ctx context.Context) error {
	_, err := c.stop(ctx)
	return err
}

// mark implements role.
func (c *client) mark(ctx context.Context, reset bool) (*testpb.ClientStatus, error) {
	done, err := c.stop(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.sofar.add(done, c.latency(), c.stream); err != nil {
		return nil, err
	}
	used, err := c.used(ctx, reset)
	if err != nil {
		return nil, err
	}
	stats := c.stats(used)
	if reset {
		c.reset()
	}
	c.begin(ctx)
	return &testpb.ClientStatus{Stats: stats}, nil
}

// latency names the histogram that drivers expect: times from the beginning of each call, as in other workers. In an open load
// that is the service time, because the response counts from when a call was due and includes lower bounds for calls that were
// never sent.
func (c *client) latency() string {
	if c.load.GetArrivals() == control.LoadClosed {
		return result.HistResponse
	}
	return result.HistService
}

// add adds a phase, using the latencies of one of its histograms. A call that is a stream is reported as one latency per message,
// each with an equal part of the call's time, because drivers count messages.
func (t *tally) add(done *control.Done, latency string, messages int64) error {
	for _, h := range done.GetHistograms() {
		if h.GetName() != latency {
			continue
		}
		latencies, err := record.Decode(h.GetV2Compressed())
		if err != nil {
			return err
		}
		if err := record.AddParts(t.latencies, latencies, messages); err != nil {
			return err
		}
	}
	for _, o := range done.GetOutcomes() {
		if code, sent := stack.NumberOf(o.GetCode()); sent {
			t.results[code] += o.GetCalls()
		}
	}
	t.elapsed += time.Duration(done.GetElapsedNs())
	return nil
}

// stats returns the driver's statistics of the rounds since the last reset.
func (c *client) stats(used span) *testpb.ClientStats {
	stats := &testpb.ClientStats{
		Latencies: c.layout.Theirs(c.sofar.latencies), TimeElapsed: c.sofar.elapsed.Seconds(),
		TimeUser: used.user.Seconds(), TimeSystem: used.system.Seconds(),
	}
	for _, code := range slices.Sorted(maps.Keys(c.sofar.results)) {
		stats.RequestResults = append(stats.RequestResults, &testpb.RequestResultCount{StatusCode: code, Count: c.sofar.results[code]})
	}
	return stats
}
