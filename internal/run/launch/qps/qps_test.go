package qps_test

import (
	"context"
	"errors"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/qps"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

// wantError checks the text of an error.
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestWorkersAreNamed(t *testing.T) {
	t.Parallel()
	got, err := qps.Parse([]string{"qps://a:1", "go=qps://b:2", "go=qps://c:3", "qps://[::1]:4"})
	want := []qps.Worker{{"qps", "a:1"}, {"qps-go", "b:2"}, {"qps-go", "c:3"}, {"qps-4", "[::1]:4"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if words := qps.FromEnv("a:1, b:2,"); !slices.Equal(words, []string{"qps://a:1", "qps://b:2"}) {
		t.Errorf("got %q", words)
	}
	for word, want := range map[string]string{
		"localhost:1": "is not [NAME=]qps://HOST:PORT", "qps://localhost": "is not", "qps://:1": "is not", "a b=qps://c:1": "the name",
		"=qps://c:1": "the name",
	} {
		_, err := qps.Parse([]string{word})
		wantError(t, err, want)
	}
	_, err = qps.Parse([]string{"a=qps://a:1", "qps://a:1"})
	wantError(t, err, "qps://a:1 is given twice")
}

func TestAClientsPhasesAreWhatItCountsFromMarkToMark(t *testing.T) {
	t.Parallel()
	p := &played{stats: &testpb.ClientStats{
		Latencies: buckets(1000, 2000, 4000), TimeElapsed: 1.5, TimeUser: 0.5, TimeSystem: 0.25,
		RequestResults: []*testpb.RequestResultCount{{StatusCode: 0, Count: 3}, {StatusCode: 14, Count: 2}},
	}}
	w := launched(t, p.start(t))
	if w.Hello.GetProcessors() != 7 || !w.Hello.GetTestKeys() {
		t.Errorf("hello %v", w.Hello)
	}
	if _, err := w.Connect(t.Context(), connect()); err != nil {
		t.Fatal(err)
	}
	counted := 0
	count := func(i *control.Interval) {
		if i.GetEndNs() > i.GetStartNs() {
			counted++
		}
	}
	for _, phase := range []control.Phase{control.Warmup, control.Measured} {
		done, err := w.Begin(t.Context(), begin(phase), count)
		if err != nil {
			t.Fatal(err)
		}
		checkDone(t, done, phase)
	}
	if counted > 0 {
		t.Errorf("%d intervals claim to count", counted)
	}
	used, err := w.Mark(t.Context())
	if err != nil || used.GetTimeNs() != 3e9 || used.GetCpuUserNs() != 1e9 || used.GetCpuSystemNs() != 5e8 || used.BytesOut != nil {
		t.Errorf("used %v, %v", used, err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if want := []bool{true, true, true}; !slices.Equal(p.marks, want) || p.ended != 1 {
		t.Errorf("marks %v, %d roles ended, want %v and 1", p.marks, p.ended, want)
	}
	if c := p.client; c.GetClientChannels() != 2 || c.GetOutstandingRpcsPerChannel() != 3 || c.GetAsyncClientThreads() != 2 ||
		c.GetPayloadConfig().GetSimpleParams().GetRespSize() != 20 || c.GetLoadParams().GetClosedLoop() == nil ||
		c.GetSecurityParams() != nil {
		t.Errorf("setup %v", c)
	}
}

func checkDone(t *testing.T, done *control.Done, phase control.Phase) {
	t.Helper()
	if done.GetPhase() != phase || done.GetElapsedNs() != 15e8 || done.GetWindowNs() != 15e8 || done.GetArrivals() != 5 ||
		done.GetMessagesIn() != 3 || done.GetPayloadBytesOut() != 30 || done.GetPayloadBytesIn() != 60 {
		t.Errorf("done %v", done)
	}
	if o := done.GetOutcomes(); len(o) != 2 || o[0].GetCode() != "OK" || o[0].GetCalls() != 3 || o[1].GetCode() != "UNAVAILABLE" ||
		o[1].GetCalls() != 2 {
		t.Errorf("outcomes %v", o)
	}
	h := done.GetHistograms()
	if len(h) != 1 || h[0].GetName() != "response" {
		t.Fatalf("histograms %v", h)
	}
	if ours, err := record.Decode(h[0].GetV2Compressed()); err != nil || ours.TotalCount() != 3 {
		t.Errorf("%v, %v", ours, err)
	}
}

// A worker that opens thousands of streams does not answer for a while, and must not be taken for dead.
func TestAPhaseIsAliveWhileAWorkerSetsUp(t *testing.T) {
	t.Parallel()
	p := &played{stats: &testpb.ClientStats{Latencies: buckets(1000), TimeElapsed: 1}, slow: make(chan struct{})}
	w := launched(t, p.start(t))
	if _, err := w.Connect(t.Context(), connect()); err != nil {
		t.Fatal(err)
	}
	load := begin(control.Measured)
	load.IntervalNs = 1e6
	signs := 0
	done, err := w.Begin(t.Context(), load, func(i *control.Interval) {
		if signs++; signs == 3 {
			close(p.slow)
		}
		if signs <= 3 && i.GetEndNs() != 0 {
			t.Errorf("%v is of a load that has not begun", i)
		}
	})
	if err != nil || done.GetArrivals() != 1 || signs < 3 {
		t.Errorf("%v, %v after %d signs of life", done, err, signs)
	}
}

// It is unknown when calls were due.
func TestOfAPoissonLoadTimesCountFromWhenCallsWereSent(t *testing.T) {
	t.Parallel()
	p := &played{stats: &testpb.ClientStats{Latencies: buckets(1000), TimeElapsed: 1}}
	w := launched(t, p.start(t))
	if _, err := w.Connect(t.Context(), connect()); err != nil {
		t.Fatal(err)
	}
	load := begin(control.Measured)
	load.Load = &control.Load{Arrivals: "poisson", PerSec: 300, Part: 1, Parts: 3}
	done, err := w.Begin(t.Context(), load, func(*control.Interval) {})
	if err != nil {
		t.Fatal(err)
	}
	if h := done.GetHistograms(); len(h) != 1 || h[0].GetName() != "service" {
		t.Errorf("histograms %v", h)
	}
	if offered := p.client.GetLoadParams().GetPoisson().GetOfferedLoad(); offered != 100 {
		t.Errorf("one of three clients offers %v, want 100", offered)
	}
}

// A worker's load can't be changed: another one is another role.
func TestAPhaseOfAnotherLoadBeginsAnew(t *testing.T) {
	t.Parallel()
	p := &played{stats: &testpb.ClientStats{Latencies: buckets(1000), TimeElapsed: 1}}
	w := launched(t, p.start(t))
	if _, err := w.Connect(t.Context(), connect()); err != nil {
		t.Fatal(err)
	}
	for i, phase := range []struct {
		load        *control.Load
		name        string // of the histogram
		offered     float64
		marks, ends int // so far
	}{
		{&control.Load{Arrivals: "closed"}, "response", 0, 1, 0},
		{&control.Load{Arrivals: "poisson", PerSec: 900}, "service", 900, 2, 1},
		{&control.Load{Arrivals: "poisson", PerSec: 300}, "service", 300, 3, 2},
		{&control.Load{Arrivals: "poisson", PerSec: 300}, "service", 300, 5, 2},
	} {
		load := begin(control.Warmup)
		load.Load = phase.load
		done, err := w.Begin(t.Context(), load, func(*control.Interval) {})
		if err != nil {
			t.Fatal(err)
		}
		p.mu.Lock()
		offered, marks, ended := p.client.GetLoadParams().GetPoisson().GetOfferedLoad(), len(p.marks), p.ended
		p.mu.Unlock()
		if name := done.GetHistograms()[0].GetName(); name != phase.name || offered != phase.offered || marks != phase.marks ||
			ended != phase.ends {
			t.Errorf("phase %d has %s, offered %v, %d marks and %d roles ended, want %+v", i+1, name, offered, marks, ended, phase)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// A worker that can't end a load has no other.
func TestAWorkerThatCantEndALoadIsNamed(t *testing.T) {
	t.Parallel()
	p := &played{stats: &testpb.ClientStats{Latencies: buckets(1000), TimeElapsed: 1}, leaves: status.Error(codes.Internal, "stuck")}
	w := launched(t, p.start(t))
	if _, err := w.Connect(t.Context(), connect()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Begin(t.Context(), begin(control.Warmup), func(*control.Interval) {}); err != nil {
		t.Fatal(err)
	}
	load := begin(control.Measured)
	load.Load = &control.Load{Arrivals: "poisson", PerSec: 300}
	_, err := w.Begin(t.Context(), load, func(*control.Interval) {})
	wantFault(t, err, "begin")
	if err == nil || !strings.Contains(err.Error(), "broke the run off") || !strings.Contains(err.Error(), "stuck") {
		t.Errorf("%v does not say why", err)
	}
}

// Workers are told to end ping_pong streams, and a call remains a message and its answer.
func TestAWorkerIsToldAfterHowManyMessagesStreamsEnd(t *testing.T) {
	t.Parallel()
	p := &played{stats: &testpb.ClientStats{Latencies: buckets(1000, 2000, 4000), TimeElapsed: 1}}
	w := launched(t, p.start(t))
	c := connect()
	c.Call.Kind, c.Call.MessagesPerStream, c.Streams = "ping_pong", 2, c.GetInFlight()
	if _, err := w.Connect(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	done, err := w.Begin(t.Context(), begin(control.Measured), func(*control.Interval) {})
	if err != nil {
		t.Fatal(err)
	}
	if p.client.GetRpcType() != testpb.RpcType_STREAMING || p.client.GetMessagesPerStream() != 2 {
		t.Errorf("setup %v", p.client)
	}
	if done.GetArrivals() != 3 || done.GetMessagesOut() != 3 || len(done.GetHistograms()) != 1 {
		t.Errorf("done %v", done)
	}
}

// Workers count the messages of streams, and time them: that is no time of a call.
func TestOfStreamsTheMessagesAreCounted(t *testing.T) {
	t.Parallel()
	for kind, rpc := range map[string]testpb.RpcType{
		"upload": testpb.RpcType_STREAMING_FROM_CLIENT, "download": testpb.RpcType_STREAMING_FROM_SERVER,
	} {
		p := &played{stats: &testpb.ClientStats{Latencies: buckets(1000, 1000, 1000, 2000, 2000), TimeElapsed: 1}}
		w := launched(t, p.start(t))
		c := connect()
		c.Call.Kind, c.Call.Messages = kind, 2
		if _, err := w.Connect(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		done, err := w.Begin(t.Context(), begin(control.Measured), func(*control.Interval) {})
		if err != nil {
			t.Fatal(err)
		}
		out, in := int64(5), int64(2) // two streams of two messages are over, and one is not
		if kind == "download" {
			out, in = in, out
		}
		if done.GetArrivals() != 2 || done.GetMessagesOut() != out || done.GetMessagesIn() != in ||
			done.GetPayloadBytesOut() != out*10 || done.GetPayloadBytesIn() != in*20 || len(done.GetHistograms()) > 0 {
			t.Errorf("%s: %v", kind, done)
		}
		if p.client.GetRpcType() != rpc || p.client.GetMessagesPerStream() != 2 {
			t.Errorf("%s asks for %v", kind, p.client)
		}
	}
}

func TestAStreamThatCantBeCountedIsNamed(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]*played{
		"counted no message of STREAMING_FROM_SERVER: some workers count none": {
			stats: &testpb.ClientStats{Latencies: &testpb.HistogramData{}, TimeElapsed: 1},
		},
		"some have no client of STREAMING_FROM_SERVER": {refuses: status.Error(codes.Internal, "")},
	} {
		w := launched(t, p.start(t))
		c := connect()
		c.Call.Kind, c.Call.Messages = "download", 2
		if _, err := w.Connect(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		_, err := w.Begin(t.Context(), begin(control.Measured), func(*control.Interval) {})
		wantFault(t, err, "begin")
		wantError(t, err, want)
	}
}

func TestAServerTellsItsPortAndWhatItUses(t *testing.T) {
	t.Parallel()
	p := &played{}
	w := launched(t, p.start(t))
	serving, err := w.Serve(t.Context(), &control.Serve{
		Stack: "qps", Network: "tcp", Address: "127.0.0.1:0", Payload: "zeros", Security: &control.Security{Mode: "tls"},
		Options: map[string]string{"server_type": "sync", "server_threads": "5", "server_cores": "2"},
	})
	if err != nil || serving.GetAddress() != "127.0.0.1:4711" {
		t.Fatalf("%v, %v", serving, err)
	}
	for i := range int64(2) {
		used, err := w.Mark(t.Context())
		if err != nil || used.GetTimeNs() != (i+1)*2e9 || used.GetCpuUserNs() != (i+1)*5e8 || used.GetCpuSystemNs() != (i+1)*25e7 {
			t.Errorf("used %v, %v", used, err)
		}
	}
	if s := p.server; s.GetServerType() != testpb.ServerType_SYNC_SERVER || s.GetAsyncServerThreads() != 5 ||
		s.GetCoreLimit() != 2 ||
		!s.GetSecurityParams().GetUseTestCa() {
		t.Errorf("setup %v", s)
	}
	if err := w.Close(); err != nil || p.ended != 1 {
		t.Errorf("%v, %d roles ended", err, p.ended)
	}
}

// A stopped phase is as long as it was, and says when it was stopped.
func TestAStoppedPhaseIsCounted(t *testing.T) {
	t.Parallel()
	w := launched(t, (&played{stats: &testpb.ClientStats{Latencies: buckets(1000), TimeElapsed: 0.5}}).start(t))
	if _, err := w.Connect(t.Context(), connect()); err != nil {
		t.Fatal(err)
	}
	load := begin(control.Measured)
	load.DurationNs = int64(time.Hour)
	stopped := false
	done, err := w.Begin(t.Context(), load, func(*control.Interval) {
		if !stopped {
			stopped = true
			if err := w.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil || done.GetStoppedNs() == 0 || done.GetArrivals() != 1 {
		t.Errorf("%v, %v", done, err)
	}
}

func TestWhatAWorkerCantDoIsNamed(t *testing.T) {
	t.Parallel()
	w := launched(t, (&played{}).start(t))
	for field, change := range map[string]func(*control.Connect){
		"connect.call.kind":        func(c *control.Connect) { c.Call.Kind = "both_ways" }, // as a client
		"connect.network":          func(c *control.Connect) { c.Network = "unix" },
		"connect.call.compression": func(c *control.Connect) { c.Call.Compression = "gzip" },
		"connect.call.batch":       func(c *control.Connect) { c.Call.Batch = 2 },
		"connect.call.payload":     func(c *control.Connect) { c.Call.Payload = "random" },
		"connect.background":       func(c *control.Connect) { c.Background = &control.Background{} },
		"connect.streams":          func(c *control.Connect) { c.Call.Kind, c.Streams = "ping_pong", 1 },
		"connect.addresses":        func(c *control.Connect) { c.Addresses = nil },
		"connect.security.mode":    func(c *control.Connect) { c.Security.Mode = "mtls" },
		"connect.options":          func(c *control.Connect) { c.Options = map[string]string{"client_threads": "-1"} },
		"connect.call.recipe":      func(c *control.Connect) { c.Call.Recipe = &control.Recipe{} },
		"connect.call.mix":         func(c *control.Connect) { c.Call.Mix = &control.Mix{} },
	} {
		c := connect()
		change(c)
		_, err := w.Connect(t.Context(), c)
		wantFault(t, err, field)
	}
	_, err := w.Serve(t.Context(), &control.Serve{Network: "tcp", Payload: "json", Security: &control.Security{Mode: "plaintext"}})
	wantFault(t, err, "serve.payload")
	if _, err := w.Connect(t.Context(), connect()); err != nil {
		t.Fatal(err)
	}
	for field, load := range map[string]*control.Begin{
		"begin.calls":         {Calls: 3, Load: &control.Load{Arrivals: "closed"}},
		"begin.load.arrivals": {Load: &control.Load{Arrivals: "constant"}},
		"begin.load.stages":   {Load: &control.Load{Arrivals: "closed", Stages: []*control.Stage{{}}}},
	} {
		_, err := w.Begin(t.Context(), load, func(*control.Interval) {})
		wantFault(t, err, field)
	}
}

func wantFault(t *testing.T, err error, field string) {
	t.Helper()
	if fault, ok := errors.AsType[*control.FaultError](err); !ok || fault.Field != field {
		t.Errorf("got %v, want a fault of %s", err, field)
	}
}

func TestAWorkerThatDiesWhileItIsMeasuredIsNamed(t *testing.T) {
	t.Parallel()
	p := &played{}
	w := launched(t, p.start(t))
	if _, err := w.Connect(t.Context(), connect()); err != nil {
		t.Fatal(err)
	}
	load := begin(control.Measured)
	load.DurationNs = int64(time.Hour)
	died := false
	_, err := w.Begin(t.Context(), load, func(i *control.Interval) {
		if measured := i.GetEndNs() > 0; measured && !died { // intervals are signs of life while streams are opened, too
			died = true
			close(p.dies)
		}
	})
	wantError(t, err, "the worker ended")
	<-w.Ended()
	wantError(t, w.Close(), "is gone: Unavailable: shot")
}

func TestAServerThatDiesEndsItsProcess(t *testing.T) {
	t.Parallel()
	p := &played{}
	w := launched(t, p.start(t))
	if _, err := w.Serve(t.Context(), &control.Serve{
		Network: "tcp", Payload: "zeros", Security: &control.Security{Mode: "plaintext"},
	}); err != nil {
		t.Fatal(err)
	}
	close(p.dies)
	<-w.Ended()
	wantError(t, w.Close(), "is gone: Unavailable: shot")
}

func TestAWorkerThatRefusesSaysWhy(t *testing.T) {
	t.Parallel()
	for code, want := range map[codes.Code]string{
		codes.ResourceExhausted: "is busy with another driver", codes.InvalidArgument: "broke the run off: InvalidArgument: no",
	} {
		w := launched(t, (&played{refuses: status.Error(code, "no")}).start(t))
		_, err := w.Serve(t.Context(), &control.Serve{
			Network: "tcp", Payload: "zeros", Security: &control.Security{Mode: "plaintext"},
		})
		wantFault(t, err, "serve")
		wantError(t, err, want)
	}
}

func TestAWorkerOfTheFirstVersionHasNoCoreCount(t *testing.T) {
	t.Parallel()
	p := &played{old: true, stats: &testpb.ClientStats{Latencies: buckets(1000, 2000), TimeElapsed: 1}}
	w := launched(t, p.start(t))
	if cores := w.Hello.GetProcessors(); cores != 0 {
		t.Errorf("it has %d processors, want 0: it can't tell", cores)
	}
	if _, err := w.Connect(t.Context(), connect()); err != nil {
		t.Fatal(err)
	}
	done, err := w.Begin(t.Context(), begin(control.Measured), func(*control.Interval) {})
	if err != nil || done.GetArrivals() != 2 {
		t.Errorf("got %v, %v, want its 2 calls", done, err)
	}
}

func TestAnAnswerThatCantBeIsNamed(t *testing.T) {
	t.Parallel()
	for want, stats := range map[string]*testpb.ClientStats{
		"does not say for how long it counted: its stats have no time_elapsed": nil,
		"time_elapsed: -1 s is no time":                                        {TimeElapsed: -1},
		"time_user: NaN s is no time":                                          {TimeElapsed: 1, TimeUser: math.NaN()},
		"time_system: +Inf s is no time":                                       {TimeElapsed: 1, TimeSystem: math.Inf(1)},
	} {
		w := launched(t, (&played{stats: stats}).start(t))
		if _, err := w.Connect(t.Context(), connect()); err != nil {
			t.Fatal(err)
		}
		if done, err := w.Begin(t.Context(), begin(control.Measured), func(*control.Interval) {}); err == nil {
			t.Errorf("%v: its phase is done: %v", stats, done)
		}
		<-w.Ended()
		wantError(t, w.Close(), want)
	}
}

func TestAServersAnswerThatCantBeIsNamed(t *testing.T) {
	t.Parallel()
	serve := &control.Serve{Network: "tcp", Payload: "zeros", Security: &control.Security{Mode: "plaintext"}}
	w := launched(t, (&played{port: 70000}).start(t))
	_, err := w.Serve(t.Context(), serve)
	wantFault(t, err, "serve")
	wantError(t, err, "says that its server has port 70000")

	w = launched(t, (&played{served: &testpb.ServerStats{TimeElapsed: math.NaN()}}).start(t))
	if _, err := w.Serve(t.Context(), serve); err != nil {
		t.Fatal(err)
	}
	if got, err := w.Mark(t.Context()); err == nil {
		t.Errorf("its mark is %v", got)
	}
	<-w.Ended()
	wantError(t, w.Close(), "time_elapsed: NaN s is no time")
}

func TestOneWorkerIsOneSide(t *testing.T) {
	t.Parallel()
	l := qps.New([]qps.Worker{{"qps", (&played{}).start(t)}})
	order := launch.Order{Stack: "qps"}
	w, err := launch.Start(t.Context(), l, order)
	if err != nil {
		t.Fatal(err)
	}
	_, err = launch.Start(t.Context(), l, order)
	wantError(t, err, "the trial needs more workers of qps than the 1 given")
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	again, err := launch.Start(t.Context(), l, order) // it is at rest
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Abort()
}

// It accepts the connection, and says nothing on it.
func TestAWorkerThatDoesNotAnswerIsNamed(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	address := listener.Addr().String()
	ctx, leave := context.WithCancelCause(t.Context())
	go func() {
		if conn, err := listener.Accept(); err == nil {
			defer conn.Close()
			leave(errors.New("30s have passed"))
			<-t.Context().Done()
		}
	}()
	_, err = launch.Start(ctx, qps.New([]qps.Worker{{"qps", address}}), launch.Order{Stack: "qps"})
	wantError(t, err, "gRPC's worker at "+address+" did not answer: 30s have passed")
}

func TestWhoIsNotThereOrNoWorkerIsNamed(t *testing.T) {
	t.Parallel()
	gone := qps.New([]qps.Worker{{"qps", "127.0.0.1:1"}})
	_, err := launch.Start(t.Context(), gone, launch.Order{Stack: "qps"})
	wantError(t, err, "gRPC's worker at 127.0.0.1:1 can't be reached: dial tcp")
	other := qps.New([]qps.Worker{{"qps", nothing(t)}})
	_, err = launch.Start(t.Context(), other, launch.Order{Stack: "qps"})
	wantError(t, err, "is not a gRPC benchmark worker: it has no grpc.testing.WorkerService")
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	address := strings.TrimPrefix(web.URL, "http://")
	_, err = launch.Start(t.Context(), qps.New([]qps.Worker{{"qps", address}}), launch.Order{Stack: "qps"})
	wantError(t, err, "what listens at "+address+" does not speak gRPC without TLS")
	_, err = launch.Start(t.Context(), other, launch.Order{Stack: "qps", CPUs: []int{0}})
	wantError(t, err, "is already running, so its processors can't be set")
}
