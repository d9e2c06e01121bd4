package qps

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/bucket"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/patience"
	"rpcbench/internal/worker/record"
)

// signOfLife is the default interval of a phase's signs of life.
const signOfLife = 100 * time.Millisecond

// A client is a worker that calls. As with gRPC's own driver, its load begins with the first phase and continues between phases
// of the same load, and a phase is what it counts from one Mark to the next.
type client struct {
	session *session
	config  *testpb.ClientConfig
	line    *line[testpb.ClientArgs, testpb.ClientStatus] // nil before the first phase

	mu      sync.Mutex
	used    usage         // in phases
	stopped chan struct{} // closed to end the phase that runs; nil where none does
}

// connect records what the load will be. The worker connects when the load begins.
func (s *session) connect(c *control.Connect) (*control.Connected, error) {
	if err := s.idle("connect"); err != nil {
		return nil, err
	}
	config, err := clientConfig(c, s.worker)
	if err != nil {
		return nil, err
	}
	s.client = &client{session: s, config: config}
	return &control.Connected{}, nil
}

// begin starts a phase, which answers when it is over.
func (s *session) begin(c *control.Begin) error {
	if s.client == nil {
		return control.Faultf("begin", "there was no Connect before it")
	}
	load, err := loadParams(c)
	if err != nil {
		return err
	}
	cl := s.client
	cl.mu.Lock()
	defer cl.mu.Unlock()
	if cl.stopped != nil {
		return control.Faultf("begin", "the previous phase is still running")
	}
	cl.stopped = make(chan struct{})
	stopped := cl.stopped
	s.phases.Go(func() { cl.run(c, load, stopped) })
	return nil
}

// stop ends the phase that runs, if one does.
func (cl *client) stop() {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	if cl.stopped == nil {
		return
	}
	select {
	case <-cl.stopped:
	default:
		close(cl.stopped)
	}
}

// run runs a phase to its end.
func (cl *client) run(c *control.Begin, load *testpb.LoadParams, stopped <-chan struct{}) {
	answer, err := cl.phase(c, load, stopped)
	if err != nil {
		cl.session.lose(err)
		return
	}
	cl.mu.Lock()
	cl.stopped = nil
	cl.mu.Unlock()
	_ = cl.session.events.Write(answer) // when it can't be sent, the driver is gone
}

// phase has the worker count from now until the phase is over.
func (cl *client) phase(c *control.Begin, load *testpb.LoadParams, stopped <-chan struct{}) (any, error) {
	if !cl.wait(time.Duration(c.GetDelayNs()), stopped) {
		return &control.Done{Phase: c.GetPhase()}, nil
	}
	life := time.NewTicker(cmp.Or(time.Duration(c.GetIntervalNs()), signOfLife))
	defer life.Stop()
	var begun time.Time // of the load; zero while it is set up
	if _, err := cl.meanwhile(life.C, begun, func() (any, error) { return nil, cl.start(load) }); err != nil {
		return &control.Fault{Field: "begin", Message: err.Error()}, nil
	}
	begun = time.Now()
	due := time.NewTimer(time.Duration(c.GetDurationNs()))
	defer due.Stop()
	for {
		select {
		case <-life.C:
			if err := cl.live(begun); err != nil {
				return nil, err
			}
		case <-due.C:
			return cl.meanwhile(life.C, begun, func() (any, error) { return cl.conclude(c, 0) })
		case <-stopped:
			stopped := time.Since(begun)
			return cl.meanwhile(life.C, begun, func() (any, error) { return cl.conclude(c, stopped) })
		case <-cl.line.over:
			return nil, cl.line.why()
		case <-cl.session.ctx.Done():
			return nil, cl.session.ctx.Err()
		}
	}
}

// live says that the phase goes on.
func (cl *client) live(begun time.Time) error {
	var now int64
	if !begun.IsZero() {
		now = int64(time.Since(begun))
	}
	return cl.session.events.Write(&control.Interval{StartNs: now, EndNs: now})
}

// meanwhile says so while something is done that may take a worker longer than anybody waits for a sign of life: thousands of
// streams are opened before it answers.
func (cl *client) meanwhile(life <-chan time.Time, begun time.Time, do func() (any, error)) (answer any, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		answer, err = do()
	}()
	for {
		select {
		case <-done:
			return answer, err
		case <-life:
			_ = cl.live(begun) // when it can't be sent, the driver is gone, and the session ends what is done
		}
	}
}

// wait waits for a phase's begin, and returns false where it is stopped before, or the process is killed.
func (cl *client) wait(delay time.Duration, stopped <-chan struct{}) bool {
	select {
	case <-time.After(delay):
		return true
	case <-stopped:
		return false
	case <-cl.session.ctx.Done():
		return false
	}
}

// start begins the load, or where it runs already has it counted anew. Another load ends before.
func (cl *client) start(load *testpb.LoadParams) error {
	if cl.line != nil && proto.Equal(load, cl.config.GetLoadParams()) {
		_, err := cl.mark()
		return err
	}
	if err := cl.leave(); err != nil {
		return err
	}
	cl.config.LoadParams = load
	line, _, err := open(cl.session.ctx, cl.session.worker, cl.session.api.RunClient, &testpb.ClientArgs{
		Argtype: &testpb.ClientArgs_Setup{Setup: cl.config},
	})
	if err != nil && cl.oneWay() {
		return fmt.Errorf("%w; of gRPC's workers, some have no client of %s", err, cl.config.GetRpcType())
	}
	cl.line = line
	return err
}

// leave ends the load that runs, if one does. What takes too long is cut off.
func (cl *client) leave() error {
	if cl.line == nil {
		return nil
	}
	line := cl.line
	cl.line = nil
	late := patience.AfterFunc(time.Now, restPatience, func() {
		line.drop(&lateError{fmt.Sprintf("%s did not end its load within %v", line.worker, restPatience)})
	})
	defer late.Stop()
	return line.close()
}

// oneWay reports whether a call is a stream with messages in one direction.
func (cl *client) oneWay() bool {
	return cl.config.GetRpcType() != testpb.RpcType_UNARY && cl.config.GetRpcType() != testpb.RpcType_STREAMING
}

// mark returns what the worker has counted since the last mark, and resets its counters.
func (cl *client) mark() (*testpb.ClientStats, error) {
	marked, err := cl.line.ask(&testpb.ClientArgs{Argtype: &testpb.ClientArgs_Mark{Mark: &testpb.Mark{Reset_: true}}})
	return marked.GetStats(), err
}

// conclude makes the Done of a phase.
func (cl *client) conclude(c *control.Begin, stopped time.Duration) (any, error) {
	stats, err := cl.mark()
	if err != nil {
		return nil, err
	}
	latencies, err := bucket.Whole().Ours(stats.GetLatencies())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cl.session.worker, err)
	}
	used, err := usageOf(cl.session.worker, stats)
	if err != nil {
		return nil, err
	}
	cl.mu.Lock()
	cl.used.add(used)
	cl.mu.Unlock()
	elapsed := int64(used.elapsed)
	done := &control.Done{Phase: c.GetPhase(), ElapsedNs: elapsed, WindowNs: elapsed, StoppedNs: int64(stopped)}
	if cl.oneWay() {
		return cl.concludeStreams(done, latencies.TotalCount()), nil
	}
	addOutcomes(done, latencies.TotalCount(), stats.GetRequestResults())
	cl.addMessages(done, latencies.TotalCount())
	return done, addLatencies(done, latencies, cl.config.GetLoadParams().GetPoisson() != nil)
}

// concludeStreams fills in the Done of streams in one direction, of which workers count the messages. Their times are not those
// of calls, but from one message to the next, or as long as a write takes.
func (cl *client) concludeStreams(done *control.Done, messages int64) any {
	if messages == 0 {
		return &control.Fault{Field: "begin", Message: fmt.Sprintf("%s counted no message of %s: some workers count none",
			cl.session.worker, cl.config.GetRpcType())}
	}
	calls := max(1, messages/int64(cl.config.GetMessagesPerStream()))
	addOutcomes(done, calls, nil)
	done.MessagesOut, done.MessagesIn = messages, calls
	if cl.config.GetRpcType() == testpb.RpcType_STREAMING_FROM_SERVER {
		done.MessagesOut, done.MessagesIn = calls, messages
	}
	sizes := cl.config.GetPayloadConfig().GetSimpleParams()
	done.PayloadBytesOut = done.MessagesOut * int64(sizes.GetReqSize())
	done.PayloadBytesIn = done.MessagesIn * int64(sizes.GetRespSize())
	return done
}

// addOutcomes counts the calls. Some workers count failures by status; others ignore them.
func addOutcomes(done *control.Done, ok int64, results []*testpb.RequestResultCount) {
	add := func(code string, calls int64) {
		if calls > 0 {
			done.Outcomes = append(done.Outcomes, &control.Outcome{Code: code, Calls: calls})
			done.Arrivals += calls
		}
	}
	add(stack.OK.String(), ok)
	for _, r := range results {
		if r.GetStatusCode() != int32(codes.OK) {
			add(stack.Code(r.GetStatusCode()).String(), r.GetCount())
		}
	}
}

// addMessages counts the messages of OK calls: in every kind, one in each direction.
func (cl *client) addMessages(done *control.Done, ok int64) {
	sizes := cl.config.GetPayloadConfig().GetSimpleParams()
	done.MessagesOut, done.MessagesIn = ok, ok
	done.PayloadBytesOut, done.PayloadBytesIn = ok*int64(sizes.GetReqSize()), ok*int64(sizes.GetRespSize())
}

// addLatencies names the times correctly: in an open load they count from when calls were sent, because it is unknown when they
// were due.
func addLatencies(done *control.Done, h *hdrhistogram.Histogram, open bool) error {
	data, err := record.Encode(h)
	name := result.HistResponse
	if open {
		name = result.HistService
	}
	done.Histograms = []*control.Histogram{{Name: name, V2Compressed: data}}
	return err
}

// snapshot returns what the worker used in the finished phases.
func (cl *client) snapshot() *control.Snapshot {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	return cl.used.snapshot()
}

// close ends the load. No phase may run any more.
func (cl *client) close() error {
	if cl.line == nil {
		return nil
	}
	return cl.line.close()
}
