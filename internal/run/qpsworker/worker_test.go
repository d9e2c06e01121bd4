package qpsworker_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/run/qpsworker"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/worker"
)

// TestMain lets this test binary be our worker.
func TestMain(m *testing.M) {
	if len(os.Args) != 2 || os.Args[1] != "worker" {
		os.Setenv("GORACE", "atexit_sleep_ms=0") // workers with the race detector would sleep for a second when they end
		os.Exit(m.Run())
	}
	out, err := worker.TakeStdout()
	if err == nil {
		err = worker.Run(context.Background(), os.Stdin, out, []stack.Stack{grpcgo.New()})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A watched launcher keeps the processes that it starts.
type watched struct {
	mu        sync.Mutex
	processes []launch.Process
	orders    []launch.Order
}

func (l *watched) Launch(ctx context.Context, order launch.Order) (launch.Process, error) {
	p, err := process.Command([]string{os.Args[0], "worker"}).Launch(ctx, launch.Order{Stack: order.Stack})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.orders = append(l.orders, order)
	if err == nil {
		l.processes = append(l.processes, p)
	}
	return p, err
}

// waitAll waits until every process has ended.
func (l *watched) waitAll() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.processes {
		_ = p.Wait()
	}
	return len(l.processes)
}

// A driven worker is one of ours, as seen by drivers.
type driven struct {
	testpb.WorkerServiceClient
	worker   *qpsworker.Worker
	launcher *watched
	notes    chan string
}

func drive(t *testing.T) *driven {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := &driven{launcher: &watched{}, notes: make(chan string, 10)}
	server := grpc.NewServer(grpc.WaitForHandlers(true))
	d.worker = qpsworker.Register(server, qpsworker.Config{
		Stack: "grpc-go", Launcher: d.launcher, Listen: "127.0.0.1", Note: func(text string) { d.notes <- text },
	})
	go func() { _ = server.Serve(listener) }()
	conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		server.Stop()
		d.launcher.waitAll()
	})
	d.WorkerServiceClient = testpb.NewWorkerServiceClient(conn)
	return d
}

// ask sends a message, and returns its answer.
func ask[Q, A any](t *testing.T, stream grpc.BidiStreamingClient[Q, A], message *Q) *A {
	t.Helper()
	if err := stream.Send(message); err != nil {
		t.Fatal(err)
	}
	answer, err := stream.Recv()
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// server has a worker serve.
func (d *driven) server(ctx context.Context, t *testing.T, config *testpb.ServerConfig) (
	stream testpb.WorkerService_RunServerClient, address string,
) {
	t.Helper()
	stream, err := d.RunServer(ctx)
	if err != nil {
		t.Fatal(err)
	}
	started := ask(t, stream, &testpb.ServerArgs{Argtype: &testpb.ServerArgs_Setup{Setup: config}})
	if started.GetPort() == 0 || started.GetCores() < 1 {
		t.Fatalf("started %v", started)
	}
	return stream, fmt.Sprintf("127.0.0.1:%d", started.GetPort())
}

// mark asks a client for its counts.
func mark(t *testing.T, stream testpb.WorkerService_RunClientClient, reset bool) *testpb.ClientStats {
	t.Helper()
	return ask(t, stream, &testpb.ClientArgs{Argtype: &testpb.ClientArgs_Mark{Mark: &testpb.Mark{Reset_: reset}}}).GetStats()
}

// counted marks without a reset until there are more than the given number of calls, however slow the machine is.
func counted(t *testing.T, stream testpb.WorkerService_RunClientClient, more float64) *testpb.ClientStats {
	t.Helper()
	for {
		if stats := mark(t, stream, false); stats.GetLatencies().GetCount() > more {
			return stats
		}
	}
}

func clientConfig(address string) *testpb.ClientConfig {
	return &testpb.ClientConfig{
		ServerTargets: []string{address}, ClientChannels: 2, OutstandingRpcsPerChannel: 3,
		LoadParams: &testpb.LoadParams{Load: &testpb.LoadParams_ClosedLoop{ClosedLoop: &testpb.ClosedLoopParams{}}},
		PayloadConfig: &testpb.PayloadConfig{Payload: &testpb.PayloadConfig_SimpleParams{
			SimpleParams: &testpb.SimpleProtoParams{ReqSize: 10, RespSize: 20},
		}},
		HistogramParams: &testpb.HistogramParams{Resolution: 0.1, MaxPossible: 60e9},
	}
}

func bytesOf(request, response int32) *testpb.PayloadConfig {
	return &testpb.PayloadConfig{Payload: &testpb.PayloadConfig_BytebufParams{
		BytebufParams: &testpb.ByteBufferParams{ReqSize: request, RespSize: response},
	}}
}

func setUp(config *testpb.ClientConfig) *testpb.ClientArgs {
	return &testpb.ClientArgs{Argtype: &testpb.ClientArgs_Setup{Setup: config}}
}

func TestADriversClientAndServer(t *testing.T) {
	t.Parallel()
	secure := &testpb.SecurityParams{UseTestCa: true, ServerHostOverride: "foo.test.google.fr"}
	poisson := &testpb.LoadParams{Load: &testpb.LoadParams_Poisson{Poisson: &testpb.PoissonParams{OfferedLoad: 500}}}
	for name, change := range map[string]func(*testpb.ClientConfig, *testpb.ServerConfig){
		"unary":     func(*testpb.ClientConfig, *testpb.ServerConfig) {},
		"streaming": func(c *testpb.ClientConfig, _ *testpb.ServerConfig) { c.RpcType = testpb.RpcType_STREAMING },
		"streaming, 5 messages per stream": func(c *testpb.ClientConfig, _ *testpb.ServerConfig) {
			c.RpcType, c.MessagesPerStream = testpb.RpcType_STREAMING, 5
		},
		"poisson":     func(c *testpb.ClientConfig, _ *testpb.ServerConfig) { c.LoadParams = poisson },
		"from client": func(c *testpb.ClientConfig, _ *testpb.ServerConfig) { c.RpcType = testpb.RpcType_STREAMING_FROM_CLIENT },
		"from server": func(c *testpb.ClientConfig, _ *testpb.ServerConfig) { c.RpcType = testpb.RpcType_STREAMING_FROM_SERVER },
		"both ways, 7 messages": func(c *testpb.ClientConfig, _ *testpb.ServerConfig) {
			c.RpcType, c.MessagesPerStream = testpb.RpcType_STREAMING_BOTH_WAYS, 7
		},
		"bare bytes": func(c *testpb.ClientConfig, s *testpb.ServerConfig) {
			s.ServerType, s.PayloadConfig = testpb.ServerType_ASYNC_GENERIC_SERVER, bytesOf(130, 1)
			c.PayloadConfig = s.PayloadConfig
		},
		"bare bytes, streaming": func(c *testpb.ClientConfig, s *testpb.ServerConfig) {
			s.ServerType, s.PayloadConfig = testpb.ServerType_ASYNC_GENERIC_SERVER, bytesOf(0, 0)
			c.PayloadConfig, c.RpcType = s.PayloadConfig, testpb.RpcType_STREAMING
		},
		"bare bytes, 5 messages per stream": func(c *testpb.ClientConfig, s *testpb.ServerConfig) {
			s.ServerType, s.PayloadConfig = testpb.ServerType_ASYNC_GENERIC_SERVER, bytesOf(10, 20)
			c.PayloadConfig, c.RpcType, c.MessagesPerStream = s.PayloadConfig, testpb.RpcType_STREAMING, 5
		},
		"secure": func(c *testpb.ClientConfig, s *testpb.ServerConfig) {
			c.SecurityParams, s.SecurityParams = secure, secure
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config, setup := clientConfig(""), &testpb.ServerConfig{}
			change(config, setup)
			serving, calling := drive(t), drive(t)
			server, address := serving.server(t.Context(), t, setup)
			config.ServerTargets = []string{address}
			client, err := calling.RunClient(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if first := ask(t, client, setUp(config)).GetStats(); first.GetLatencies().GetCount() != 0 {
				t.Errorf("at first %v", first)
			}
			checkRounds(t, client)
			used := ask(t, server, &testpb.ServerArgs{Argtype: &testpb.ServerArgs_Mark{Mark: &testpb.Mark{}}}).GetStats()
			if used.GetTimeElapsed() <= 0 || used.GetTimeUser()+used.GetTimeSystem() <= 0 ||
				used.GetIdleCpuTime() > used.GetTotalCpuTime() {
				t.Errorf("the server used %v", used)
			}
			wantEnd(t, client)
			wantEnd(t, server)
			if started := serving.launcher.waitAll() + calling.launcher.waitAll(); started != 2 {
				t.Errorf("%d processes were started, want 2", started)
			}
		})
	}
}

// checkRounds checks that a Mark without a reset keeps counting, and that one with a reset starts again.
func checkRounds(t *testing.T, client testpb.WorkerService_RunClientClient) {
	t.Helper()
	first := counted(t, client, 0)
	second := counted(t, client, first.GetLatencies().GetCount())
	if second.GetTimeElapsed() <= first.GetTimeElapsed() {
		t.Errorf("elapsed %v, then %v", first.GetTimeElapsed(), second.GetTimeElapsed())
	}
	whole := mark(t, client, true)
	h := whole.GetLatencies()
	sum := 0.0
	for _, n := range h.GetBucket() {
		sum += float64(n)
	}
	if buckets := len(h.GetBucket()); buckets != 261 { // floor(ln 60e9 / ln 1.1) + 1
		t.Errorf("%d buckets of 10%%, want 261", buckets)
	}
	if sum != h.GetCount() || h.GetCount() < second.GetLatencies().GetCount() || h.GetMinSeen() > h.GetMaxSeen() || h.GetSum() <= 0 {
		t.Errorf("%v samples in buckets, %v counted, from %v to %v", sum, h.GetCount(), h.GetMinSeen(), h.GetMaxSeen())
	}
	if r := whole.GetRequestResults(); len(r) != 1 || r[0].GetStatusCode() != 0 || r[0].GetCount() == 0 {
		t.Errorf("results %v", r)
	}
	if whole.GetTimeUser()+whole.GetTimeSystem() <= 0 {
		t.Errorf("used %v", whole)
	}
	// Counts without a reset only grow.
	last, tries := whole, 100
	for tries > 0 {
		anew := mark(t, client, true)
		if anew.GetLatencies().GetCount() < last.GetLatencies().GetCount() {
			return
		}
		last, tries = anew, tries-1
	}
	t.Error("a Mark with a reset does not have the worker count anew")
}

// wantEnd ends a role as drivers do.
func wantEnd[Q, A any](t *testing.T, stream grpc.BidiStreamingClient[Q, A]) {
	t.Helper()
	if err := stream.CloseSend(); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err == nil || err.Error() != "EOF" {
		t.Errorf("the role ended with %v", err)
	}
}

func TestTwoDriversAtOnceAreOneTooMany(t *testing.T) {
	t.Parallel()
	d := drive(t)
	first, _ := d.server(t.Context(), t, &testpb.ServerConfig{})
	second, err := d.RunClient(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Send(setUp(clientConfig("127.0.0.1:1"))); err != nil {
		t.Fatal(err)
	}
	_, err = second.Recv()
	if status.Code(err) != codes.ResourceExhausted || !strings.Contains(err.Error(), "another driver") {
		t.Errorf("the second got %v", err)
	}
	wantEnd(t, first)
	third, _ := d.server(t.Context(), t, &testpb.ServerConfig{}) // it is free again
	wantEnd(t, third)
}

// A driver that is gone leaves nothing behind.
func TestADriverThatIsGoneEndsItsRole(t *testing.T) {
	t.Parallel()
	d := drive(t)
	ctx, goAway := context.WithCancel(t.Context())
	d.server(ctx, t, &testpb.ServerConfig{})
	goAway()
	if n := d.launcher.waitAll(); n != 1 {
		t.Errorf("%d processes", n)
	}
}

func TestWhatADriverCantHaveIsNamed(t *testing.T) {
	t.Parallel()
	d := drive(t)
	bytebuf := bytesOf(0, 0)
	for want, change := range map[string]func(*testpb.ClientConfig){
		"rpc_type: 9 is unknown":     func(c *testpb.ClientConfig) { c.RpcType = 9 },
		"other_client_api":           func(c *testpb.ClientConfig) { c.OtherClientApi = "x" },
		"messages_per_stream: UNARY": func(c *testpb.ClientConfig) { c.MessagesPerStream = 1 },
		"messages_per_stream: it is": func(c *testpb.ClientConfig) { c.MessagesPerStream = -1 },
		"payload_config: gRPC's generic": func(c *testpb.ClientConfig) {
			c.PayloadConfig, c.RpcType = bytebuf, testpb.RpcType_STREAMING_BOTH_WAYS
		},
		"payload_config.bytebuf_params.req_size: no message": func(c *testpb.ClientConfig) {
			c.PayloadConfig = bytesOf(1, 0)
		},
		"payload_config.bytebuf_params: a size": func(c *testpb.ClientConfig) { c.PayloadConfig = bytesOf(0, -1) },
		"load_params.poisson: messages": func(c *testpb.ClientConfig) {
			c.RpcType = testpb.RpcType_STREAMING_FROM_CLIENT
			c.LoadParams = &testpb.LoadParams{Load: &testpb.LoadParams_Poisson{Poisson: &testpb.PoissonParams{OfferedLoad: 1}}}
		},
		"payload_config.simple_params": func(c *testpb.ClientConfig) { c.PayloadConfig.GetSimpleParams().ReqSize = -1 },
		"client_channels":              func(c *testpb.ClientConfig) { c.ClientChannels = 0 },
		"server_targets":               func(c *testpb.ClientConfig) { c.ServerTargets = nil },
		"histogram_params: resolution": func(c *testpb.ClientConfig) { c.HistogramParams.Resolution = -1 },
		"load_params.poisson.offered_load": func(c *testpb.ClientConfig) {
			c.LoadParams = &testpb.LoadParams{Load: &testpb.LoadParams_Poisson{Poisson: &testpb.PoissonParams{}}}
		},
		"field 99: unknown": func(c *testpb.ClientConfig) { setUnknown(c, 99) },
		"load_params.field 70: unknown": func(c *testpb.ClientConfig) {
			c.LoadParams = &testpb.LoadParams{}
			setUnknown(c.GetLoadParams(), 70)
		},
		"channel_args.field 50: unknown": func(c *testpb.ClientConfig) {
			c.ChannelArgs = []*testpb.ChannelArg{{}, {}}
			setUnknown(c.GetChannelArgs()[1], 50)
		},
		"security_params.use_test_ca": func(c *testpb.ClientConfig) { c.SecurityParams = &testpb.SecurityParams{} },
	} {
		config := clientConfig("127.0.0.1:1")
		change(config)
		wantRefused(t, d, setUp(config), want)
	}
	wantRefused(t, d, &testpb.ClientArgs{Argtype: &testpb.ClientArgs_Mark{}}, "the first message has no setup")
}

// A processor of which the kernel's set has no bit.
func TestAProcessorThatADriverCantHaveIsNamed(t *testing.T) {
	t.Parallel()
	d := drive(t)
	for _, cpu := range []int32{1024, -1} {
		config := clientConfig("127.0.0.1:1")
		config.CoreList = []int32{0, cpu}
		want := fmt.Sprintf("core_list: %d is not the number of a processor, 0 to 1023", cpu)
		wantRefused(t, d, setUp(config), want)
		stream, err := d.RunServer(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		setup := &testpb.ServerArgs_Setup{Setup: &testpb.ServerConfig{CoreList: config.GetCoreList()}}
		if err := stream.Send(&testpb.ServerArgs{Argtype: setup}); err != nil {
			t.Fatal(err)
		}
		if _, err := stream.Recv(); status.Code(err) != codes.InvalidArgument || !strings.Contains(err.Error(), want) {
			t.Errorf("a server: got %v, want %q", err, want)
		}
	}
}

// setUnknown gives a message a field of a newer protocol.
func setUnknown(m proto.Message, number protowire.Number) {
	m.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), 1))
}

func wantRefused(t *testing.T, d *driven, message *testpb.ClientArgs, want string) {
	t.Helper()
	stream, err := d.RunClient(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(message); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); status.Code(err) != codes.InvalidArgument || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

// Ports in use are named, and processors are those that the driver allows.
func TestAServersPortAndCores(t *testing.T) {
	t.Parallel()
	d := drive(t)
	first, address := d.server(t.Context(), t, &testpb.ServerConfig{CoreList: []int32{0}, ServerProcesses: 3})
	if cpus := d.launcher.orders[0].CPUs; !slices.Equal(cpus, []int{0}) {
		t.Errorf("on processors %v, want 0", cpus)
	}
	if note := <-d.notes; note != "server_processes is ignored: grpc-go has no such setting" {
		t.Errorf("noted %q", note)
	}
	other := drive(t)
	stream, err := other.RunServer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var port int32
	fmt.Sscanf(address, "127.0.0.1:%d", &port)
	taken := &testpb.ServerConfig{Port: port, CoreLimit: 1}
	if err := stream.Send(&testpb.ServerArgs{Argtype: &testpb.ServerArgs_Setup{Setup: taken}}); err != nil {
		t.Fatal(err)
	}
	_, err = stream.Recv()
	if status.Code(err) != codes.InvalidArgument || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("got %v", err)
	}
	if cpus := other.launcher.orders[0].CPUs; !slices.Equal(cpus, []int{0}) {
		t.Errorf("with a limit of 1 on processors %v, want 0", cpus)
	}
	wantEnd(t, first)
}

func TestADriverCountsCoresAndQuits(t *testing.T) {
	t.Parallel()
	d := drive(t)
	if cores, err := d.CoreCount(t.Context(), &testpb.CoreRequest{}); err != nil || cores.GetCores() < 1 {
		t.Errorf("%v, %v", cores, err)
	}
	for range 2 {
		if _, err := d.QuitWorker(t.Context(), &testpb.Void{}); err != nil {
			t.Error(err)
		}
	}
	<-d.worker.Quit()
}

// Work that ends by itself ends the role with an error, and the worker is free again.
func TestAProcessThatDiesEndsItsRole(t *testing.T) {
	t.Parallel()
	d := drive(t)
	server, _ := d.server(t.Context(), t, &testpb.ServerConfig{})
	d.launcher.mu.Lock()
	d.launcher.processes[0].Kill()
	d.launcher.mu.Unlock()
	if _, err := server.Recv(); status.Code(err) != codes.Internal || !strings.Contains(err.Error(), "ended by itself") {
		t.Errorf("got %v", err)
	}
	again, _ := d.server(t.Context(), t, &testpb.ServerConfig{})
	wantEnd(t, again)
}
