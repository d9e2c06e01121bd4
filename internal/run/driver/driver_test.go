package driver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/run/program"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/codec"
	"rpcbench/internal/stack/tcp"
	"rpcbench/internal/worker"
)

// workerVariable makes this test binary a worker; its value says of what sort.
const workerVariable = "RPCBENCH_TEST_WORKER"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "pass" {
		pass(os.Args[2:])
	}
	switch os.Getenv(workerVariable) {
	case "":
		os.Setenv("GORACE", "atexit_sleep_ms=0") // workers with the race detector would sleep for a second when they end
		os.Exit(m.Run())
	case "mute":
		fmt.Fprintln(os.Stderr, "no licence found")
		os.Exit(4)
	case "rubbish":
		fmt.Println("hello, I am no worker: " + strings.Repeat("I print what I like. ", 10))
		_, _ = io.Copy(io.Discard, os.Stdin)
	default:
		stacks := []stack.Stack{tcp.New(), faulty{tcp.New()}, codec.New()}
		programs := worker.WithPrograms(program.Starter{}, func() { os.Exit(0) })
		if err := worker.Run(context.Background(), os.Stdin, os.Stdout, stacks, programs); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// faulty is the floor, whose client does from its 100th call on what the environment says, and refuses from the first.
type faulty struct{ stack.Stack }

func (f faulty) Info() stack.Info {
	info := f.Stack.Info()
	info.Name = "faulty"
	return info
}

func (f faulty) Dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	conn, err := f.Stack.Dial(ctx, config)
	return faultyConn{conn}, err
}

type faultyConn struct{ stack.Conn }

func (c faultyConn) Caller(call stack.Call, slot int) (stack.Caller, error) {
	caller, err := c.Conn.Caller(call, slot)
	return &faultyCaller{Caller: caller}, err
}

type faultyCaller struct {
	stack.Caller
	calls int
}

func (c *faultyCaller) Call(ctx context.Context) error {
	c.calls++
	sort := os.Getenv(workerVariable)
	if c.calls < 100 && sort != "refuses" {
		return c.Caller.Call(ctx)
	}
	switch sort {
	case "dies":
		fmt.Fprintln(os.Stderr, "out of cheese")
		os.Exit(3)
	case "stops":
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	case "refuses":
		return stack.Errorf(stack.PermissionDenied, "not you")
	}
	return c.Caller.Call(ctx)
}

// kept is a driver.Results and driver.Watcher that keeps what it gets.
type kept struct {
	mu       sync.Mutex
	trials   []result.Trial
	measured func(trial plan.Trial) // hears of every interval of a measured phase; may be nil
}

func (k *kept) Append(t result.Trial) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trials = append(k.trials, t)
	return nil
}

func (k *kept) Begun([]plan.Trial, int) {}

func (k *kept) Passed(trial plan.Trial, phase string, _ int, _ result.Interval) {
	if k.measured != nil && phase == result.PhaseMeasured {
		k.measured(trial)
	}
}

func (k *kept) Ended(result.Trial) {}

// A starter launches this test binary as a worker of its sort, and keeps the processes.
type starter struct {
	sort    string
	mu      sync.Mutex
	started []*process.Process
	orders  []launch.Order // of each
}

// stacks are those that were ordered.
func (s *starter) stacks() (names []string) {
	for _, order := range s.orders {
		names = append(names, order.Stack)
	}
	return names
}

func (s *starter) Launch(_ context.Context, order launch.Order) (launch.Process, error) {
	command := []string{"/usr/bin/env", workerVariable + "=" + s.sort, os.Args[0]}
	p, err := process.Start(process.Program{Command: command}, order)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started, s.orders = append(s.started, p), append(s.orders, order)
	return p, nil
}

func workers(sort string) *starter { return &starter{sort: sort} }

// gone checks that no process is left.
func (s *starter) gone(t *testing.T) {
	t.Helper()
	for _, p := range s.started {
		if syscall.Kill(p.PID(), 0) == nil {
			t.Errorf("process %d of %d is still there", p.PID(), len(s.started))
		}
	}
}

// patience ends what hangs, and nothing else: a machine may stand still for a while.
const patience = 3 * time.Minute

func unary(change ...func(*plan.Spec)) plan.Trial {
	spec := plan.Spec{
		Stack: "tcp", Server: "tcp", Protocol: "tcp", Kind: stack.KindUnary, RequestBytes: 100, ResponseBytes: 100,
		Connections: 1, InFlight: 2, Load: plan.LoadClosed, Security: stack.SecurityPlaintext, Network: stack.NetworkTCP,
		Compression: stack.CompressionNone, Payload: stack.PayloadRandom, DeadlineNs: int64(patience),
		DrainNs: int64(patience), WarmupNs: int64(50 * time.Millisecond), Calls: 300,
	}
	for _, c := range change {
		c(&spec)
	}
	return plan.Trial{ID: "t1", Repetition: 1, Spec: spec}
}

// endless has a trial go on until something else ends it.
func endless(s *plan.Spec) { s.Calls, s.DurationNs = 0, int64(time.Hour) }

func run(t *testing.T, launcher launch.Launcher, trials ...plan.Trial) (*kept, int, error) {
	t.Helper()
	k := &kept{}
	failed, err := k.run(t.Context(), launcher, trials...)
	return k, failed, err
}

func (k *kept) run(ctx context.Context, launcher launch.Launcher, trials ...plan.Trial) (failed int, err error) {
	return driver.Run(ctx, driver.Config{
		Trials: trials, Seed: 1, Launcher: launcher, Results: k, Progress: k, Windows: 20, Silence: patience, Now: time.Now,
	})
}

func TestATrialsEvidenceIsComplete(t *testing.T) {
	t.Parallel()
	workers := workers("good")
	k, failed, err := run(t, workers, unary())
	if err != nil || failed != 0 || len(k.trials) != 1 {
		t.Fatalf("%d failed, %v, trials %+v", failed, err, k.trials)
	}
	e := k.trials[0]
	calls := e.Clients[0].Arrivals
	want := []result.Outcome{{Code: "OK", Calls: calls}}
	if diff := cmp.Diff(want, e.Clients[0].Outcomes); e.Status != result.StatusOK || calls != 300 || diff != "" {
		t.Errorf("status %s, %d arrivals, outcomes %v", e.Status, calls, e.Clients[0].Outcomes)
	}
	if e.Clients[0].MessagesIn != calls || e.Clients[0].PayloadOut != 100*calls || e.WireCountedAt != "client" {
		t.Errorf("%d messages, %d payload bytes, counted at %q", e.Clients[0].MessagesIn, e.Clients[0].PayloadOut, e.WireCountedAt)
	}
	if h, err := result.DecodeHistogram(e.Clients[0].Histograms[result.HistResponse]); err != nil || h.TotalCount() != calls {
		t.Errorf("response histogram: %v, want %d calls", err, calls)
	}
	var inIntervals, end int64
	for _, i := range e.Clients[0].Intervals {
		if i.StartNs != end {
			t.Errorf("an interval begins at %d ns, where the one before ended at %d", i.StartNs, end)
		}
		inIntervals, end = inIntervals+i.OK, i.EndNs
	}
	if inIntervals != calls || end < e.Clients[0].ElapsedNs {
		t.Errorf("intervals up to %d ns with %d calls, want %d in %d ns", end, inIntervals, calls, e.Clients[0].ElapsedNs)
	}
	wire := *e.Clients[0].End.BytesOut - *e.Clients[0].Begin.BytesOut
	if received := *e.Servers[0].End.BytesIn - *e.Servers[0].Begin.BytesIn; wire != received || wire < 100*calls {
		t.Errorf("%d bytes sent, %d received in the measured phase of %d calls", wire, received, calls)
	}
	if !strings.HasPrefix(e.Clients[0].Library, "standard library go") || e.Servers[0].Runtime == "" ||
		e.Clients[0].End.CPUUserNs+e.Clients[0].End.CPUSystemNs == 0 {
		t.Errorf("client %+v, server %+v", e.Clients[0], e.Servers)
	}
	all := []int{runtime.NumCPU(), runtime.NumCPU()}
	if got := []int{e.Clients[0].Processors, e.Servers[0].Processors}; !slices.Equal(got, all) {
		t.Errorf("client and server could run on %v processors", got)
	}
	layout := launch.DrawLayout(1, e.ID) // the seed is the run's
	if e.Layout.EnvironmentBytes != layout.EnvironmentBytes || e.Layout.DirectoryBytes != layout.DirectoryBytes {
		t.Errorf("layout %+v, want %+v", e.Layout, layout)
	}
	for _, order := range workers.orders {
		if order.Layout != layout {
			t.Errorf("a process was started with %+v, want %+v", order.Layout, layout)
		}
	}
	workers.gone(t)
}

func TestEncodingStartsAClientAlone(t *testing.T) {
	t.Parallel()
	workers := workers("good")
	encode := plan.Trial{ID: "t1", Repetition: 1, Spec: plan.Spec{
		Stack: "codec-go", Protocol: stack.ProtocolCodec, Kind: stack.KindEncode, Message: "small", Codec: "json",
		Connections: 1, InFlight: 1, Load: plan.LoadClosed, Security: stack.SecurityPlaintext, Network: stack.NetworkTCP,
		Compression: stack.CompressionNone, Payload: stack.PayloadRandom, SampleNs: int64(2 * time.Millisecond),
		DeadlineNs: int64(patience), DrainNs: int64(patience), Calls: 20,
	}}
	k, failed, err := run(t, workers, encode)
	if err != nil || failed != 0 || len(workers.started) != 1 {
		t.Fatalf("%d failed, %v, %d processes; trials %+v", failed, err, len(workers.started), k.trials)
	}
	e := k.trials[0]
	if c := e.Clients[0].Codec; c == nil || c.Repeat < 1 || c.EncodedBytes < 10 || c.EncodedBytes > 100 || c.GzippedBytes <= 0 {
		t.Errorf("codec %+v", c)
	}
	if e.WireCountedAt != "" || e.Servers != nil || e.Clients[0].End == nil || *e.Clients[0].End.HeapBytes <= 0 {
		t.Errorf("counted at %q, server %+v, client's end %+v", e.WireCountedAt, e.Servers, e.Clients[0].End)
	}
	if diff := cmp.Diff([]result.Outcome{{Code: "OK", Calls: 20}}, e.Clients[0].Outcomes); diff != "" {
		t.Error(diff)
	}
}

func TestEverySecurityAndNetworkWorks(t *testing.T) {
	t.Parallel()
	for _, security := range []string{stack.SecurityPlaintext, stack.SecurityTLS, stack.SecurityMTLS} {
		for _, network := range stack.Networks() {
			k, failed, err := run(t, workers("good"), unary(func(s *plan.Spec) {
				s.Security, s.Network, s.Calls = security, network, 10
			}))
			if err != nil || failed != 0 || k.trials[0].Clients[0].Outcomes[0] != (result.Outcome{Code: "OK", Calls: 10}) {
				t.Errorf("%s over %s: %v, %+v", security, network, err, k.trials)
			}
		}
	}
}

// One process has both sides, and is the client of the evidence.
func TestInprocIsOneProcess(t *testing.T) {
	t.Parallel()
	workers := workers("good")
	k, failed, err := run(t, workers, unary(func(s *plan.Spec) { s.Network, s.InFlight, s.Calls = stack.NetworkInproc, 1, 20 }))
	if err != nil || failed != 0 || len(workers.started) != 1 {
		t.Fatalf("%d failed, %v, %d processes; trials %+v", failed, err, len(workers.started), k.trials)
	}
	e := k.trials[0]
	begin, end := e.Clients[0].Begin, e.Clients[0].End
	if e.Servers != nil || e.WireCountedAt != "client" || end.Sockets != 1 {
		t.Errorf("servers %+v, bytes counted at %q, %d sockets", e.Servers, e.WireCountedAt, end.Sockets)
	}
	if sent, got := *end.BytesOut-*begin.BytesOut, *end.BytesIn-*begin.BytesIn; sent != got || sent < 20*100 {
		t.Errorf("%d bytes sent, %d received, want those of 20 calls of 100 bytes with their frames, once", sent, got)
	}
	workers.gone(t)
}

// containsAll reports whether a text has all parts, in their order.
func containsAll(text string, parts []string) bool {
	for _, part := range parts {
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = after
	}
	return true
}

func TestAFailedTrialSaysWhyAndThePlanGoesOn(t *testing.T) {
	t.Parallel()
	faulty := func(s *plan.Spec) { s.Stack = "faulty" }
	for _, c := range []struct {
		sort, failure, lastWords string // "…" is anything
		trial                    plan.Trial
		code                     result.FailureCode
		field                    string
	}{
		{"mute", "server: start a worker: the worker ended", "no licence found", unary(),
			result.FailureRun, ""},
		{"rubbish", `server: start a worker: the worker's output can't be read: it is not worker.v1 and begins with "hello, I am`, "",
			unary(), result.FailureRun, ""},
		{"dies", "client: the worker ended…; client: exit status 3", "out of cheese", unary(faulty), result.FailureRun, ""},
		{"good", `client: connect.stack: this worker has no stack "grpc-cobol"`, "",
			unary(func(s *plan.Spec) { s.Stack = "grpc-cobol" }), result.FailureFault, "connect.stack"},
		{"good", "server: serve.network: tcp has no \"udp\"", "", unary(func(s *plan.Spec) { s.Network = "udp" }),
			result.FailureFault, "serve.network"},
		{"good", "processors [1023]", "", unary(func(s *plan.Spec) { s.ServerCPUs = "1023" }), result.FailureRun, ""},
	} {
		t.Run(c.sort+c.trial.Spec.Stack+c.trial.Spec.Network, func(t *testing.T) {
			t.Parallel()
			workers := workers(c.sort)
			k, failed, err := run(t, workers, c.trial, c.trial)
			if err != nil || failed != 2 || len(k.trials) != 2 {
				t.Fatalf("%d failed of %d trials, %v; want 2 of 2", failed, len(k.trials), err)
			}
			e := k.trials[1]
			if e.Status != result.StatusFailed || !containsAll(e.Failure, strings.Split(c.failure, "…")) ||
				!strings.Contains(e.LastWords, c.lastWords) {
				t.Errorf("%s: %q, last words %q; want %q, %q", e.Status, e.Failure, e.LastWords, c.failure, c.lastWords)
			}
			if e.FailureCode != c.code || e.FailureField != c.field {
				t.Errorf("code %s of %q, want %s of %q", e.FailureCode, e.FailureField, c.code, c.field)
			}
			workers.gone(t)
		})
	}
}

func TestATrialWithoutAGoodCallFailed(t *testing.T) {
	t.Parallel()
	refusing := unary(func(s *plan.Spec) { s.Stack = "faulty" })
	k, failed, err := run(t, workers("refuses"), refusing)
	if err != nil || failed != 1 || k.trials[0].Failure != "every call failed: PERMISSION_DENIED: not you" ||
		k.trials[0].FailureCode != result.FailureCalls {
		t.Errorf("%d failed, %v: %s, %q", failed, err, k.trials[0].FailureCode, k.trials[0].Failure)
	}
	calls := k.trials[0].Clients[0]
	if o := calls.Outcomes; len(o) != 1 || o[0].Code != "PERMISSION_DENIED" || o[0].Calls != calls.Arrivals {
		t.Errorf("outcomes %v of %d arrivals", o, calls.Arrivals)
	}
}

func TestAClientThatIsStoppedIsGivenUp(t *testing.T) {
	t.Parallel()
	workers := workers("stops")
	stops := driver.Config{Launcher: workers, Silence: 100 * time.Millisecond}
	e := evidence(t, stops, unary(func(s *plan.Spec) { s.Stack = "faulty" }))
	if want := "client: the worker did not answer: it said nothing for 100ms"; e.Failure != want {
		t.Errorf("%s: %q, want %q", e.Status, e.Failure, want)
	}
	workers.gone(t)
}

func TestAnInterruptionKeepsWhatIsMeasured(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	workers := workers("good")
	long := unary(endless)
	long.ID = "long"
	k := &kept{measured: func(trial plan.Trial) {
		if trial.ID == long.ID {
			cancel()
		}
	}}
	failed, err := k.run(ctx, workers, unary(), long, unary())
	if !errors.Is(err, context.Canceled) || failed != 0 || len(k.trials) != 2 {
		t.Fatalf("%d failed, %v, %d trials; want the first two", failed, err, len(k.trials))
	}
	part := k.trials[1]
	if k.trials[0].Interrupted || !part.Interrupted || part.Clients[0].Arrivals == 0 || part.Clients[0].StoppedNs == 0 {
		t.Errorf("interrupted %v and %v, %d calls until %d ns", k.trials[0].Interrupted, part.Interrupted,
			part.Clients[0].Arrivals, part.Clients[0].StoppedNs)
	}
	workers.gone(t)
}

// runKilling carries out an endless trial, and kills the worker that was started for a stack once it is measured. It
// returns why the trial failed, and for which stacks workers were started.
func runKilling(t *testing.T, stack string, change func(*plan.Spec)) (failure string, started []string) {
	t.Helper()
	workers := workers("good")
	k := &kept{measured: func(plan.Trial) { workers.started[slices.Index(workers.stacks(), stack)].Kill() }}
	failed, err := k.run(t.Context(), workers, unary(endless, change))
	if err != nil || failed != 1 {
		t.Fatalf("%d failed, %v", failed, err)
	}
	stacks := workers.stacks()
	slices.Sort(stacks)
	return k.trials[0].Failure, stacks
}

// A server that is killed ends its trial, which has an hour to go.
func TestAServersDeathEndsTheTrial(t *testing.T) {
	t.Parallel()
	failure, _ := runKilling(t, "tcp", func(s *plan.Spec) { s.Stack = "faulty" })
	if want := "server: the worker ended; server: signal: killed"; failure != want {
		t.Errorf("%q, want %q", failure, want)
	}
}
