package worker_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/codec"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/stack/grpcwire"
	"rpcbench/internal/stack/httpjson"
	"rpcbench/internal/stack/httpwire"
	"rpcbench/internal/stack/tcp"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/control"
)

// open starts a worker in this process and returns the driver's session with it.
func open(t *testing.T) *control.Session {
	t.Helper()
	in, commands := io.Pipe()
	events, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- worker.Run(context.Background(), in, out, []stack.Stack{
			tcp.New(), grpcgo.New(), grpcwire.New(), codec.New(), httpjson.New(), httpwire.New(),
		})
		out.Close()
	}()
	s, err := control.Open(t.Context(), commands, events)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		commands.Close()
		if err := <-ended; err != nil {
			t.Errorf("the worker ended with %v", err)
		}
	})
	return s
}

// patience ends what hangs, and nothing else: a machine may stand still for a while.
const patience = 3 * time.Minute

var plaintext = &control.Security{Mode: stack.SecurityPlaintext}

func serve(t *testing.T, name string) (*control.Session, string) {
	t.Helper()
	s := open(t)
	serving, err := s.Serve(t.Context(), &control.Serve{
		Stack: name, Network: stack.NetworkTCP, Address: "127.0.0.1:0", Security: plaintext, Payload: stack.PayloadRandom,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, serving.GetAddress()
}

func unary(name, address string) *control.Connect {
	return &control.Connect{
		Stack: name, Network: stack.NetworkTCP, Addresses: []string{address}, Security: plaintext, Connections: 2, InFlight: 3,
		Call: &control.Call{
			Kind: stack.KindUnary, RequestBytes: 1000, ResponseBytes: 1000, Compression: stack.CompressionNone,
			Payload: stack.PayloadRandom, DeadlineNs: int64(patience),
		},
	}
}

func closed(calls int64) *control.Begin {
	return &control.Begin{
		Phase: control.Measured, Calls: calls, DrainNs: int64(patience), Load: &control.Load{Arrivals: "closed"},
	}
}

func ignore(*control.Interval) {}

func TestAPhaseIsReportedWhole(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tcp", "grpc-go"} {
		server, address := serve(t, name)
		client := open(t)
		connected, err := client.Connect(t.Context(), unary(name, address))
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]uint32{"tcp": 2, "grpc-go": 2}[name]; connected.GetSockets() != want {
			t.Errorf("%s: %d sockets, want %d", name, connected.GetSockets(), want)
		}
		var reported int64
		done, err := client.Begin(t.Context(), closed(600), func(i *control.Interval) { reported += i.GetOk() })
		if err != nil {
			t.Fatal(err)
		}
		if done.GetArrivals() != 600 || reported != 600 || len(done.GetOutcomes()) != 1 || done.GetOutcomes()[0].GetCalls() != 600 {
			t.Errorf("%s: %d arrivals, %d in intervals, outcomes %v; want 600 OK", name, done.GetArrivals(), reported, done.GetOutcomes())
		}
		if done.GetPayloadBytesIn() != 600_000 || done.GetMessagesOut() != 600 || done.GetElapsedNs() <= 0 {
			t.Errorf("%s: %v", name, done)
		}
		compareWire(t, name, client, server)
		checkSwitches(t, mark(t, server))
		checkBrief(t, server)
	}
}

func mark(t *testing.T, s *control.Session) *control.Snapshot {
	t.Helper()
	snapshot, err := s.Mark(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

// checkBrief wants segments where the system counts them, but not in brief.
func checkBrief(t *testing.T, s *control.Session) {
	t.Helper()
	brief, err := s.MarkBriefly(t.Context())
	if err != nil || brief.SegmentsOut != nil || brief.GetSockets() == 0 {
		t.Errorf("in brief: %v, %v", brief, err)
	}
	if known := mark(t, s).SegmentsOut != nil; known != (runtime.GOOS == "linux") {
		t.Errorf("segments are known: %v", known)
	}
}

// checkSwitches wants context switches where the system counts them, and none made up where it does not.
func checkSwitches(t *testing.T, s *control.Snapshot) {
	t.Helper()
	known := s.VoluntarySwitches != nil && s.InvoluntarySwitches != nil
	if known != (runtime.GOOS == "linux") || known && s.GetVoluntarySwitches() == 0 {
		t.Errorf("context switches: %v, %v", s.VoluntarySwitches, s.InvoluntarySwitches)
	}
}

// What one side sends the other receives.
// compareWire wants the server to have got what the client sent. The library's last acknowledgements may be on their way after
// the last reply, so the two are asked until they agree.
func compareWire(t *testing.T, name string, client, server *control.Session) {
	t.Helper()
	var sent, got *control.Snapshot
	for range 10_000 {
		if sent, got = mark(t, client), mark(t, server); sent.GetBytesOut() == got.GetBytesIn() {
			break
		}
	}
	if sent.GetBytesOut() < 600_000 || sent.GetBytesOut() != got.GetBytesIn() || sent.GetSockets() != got.GetSockets() {
		t.Errorf("%s: the client sent %d bytes on %d sockets, the server got %d on %d", name,
			sent.GetBytesOut(), sent.GetSockets(), got.GetBytesIn(), got.GetSockets())
	}
}

func TestAFieldThatCannotBeHonouredIsNamed(t *testing.T) {
	t.Parallel()
	_, address := serve(t, "grpc-go")
	for field, change := range map[string]func(*control.Connect){
		"connect.stack":              func(c *control.Connect) { c.Stack = "grpc-rust" },
		"connect.network":            func(c *control.Connect) { c.Network = "udp" },
		"connect.security.mode":      func(c *control.Connect) { c.Security = &control.Security{Mode: "wep"} },
		"connect.security.ca_pem":    func(c *control.Connect) { c.Security = &control.Security{Mode: "tls"} },
		"connect.call.kind":          func(c *control.Connect) { c.Call.Kind = "gossip" },
		"connect.call.compression":   func(c *control.Connect) { c.Call.Compression = "lzw" },
		"connect.call.payload":       func(c *control.Connect) { c.Call.Payload = "poems" },
		"connect.call.messages":      func(c *control.Connect) { c.Call.Messages = 3 },
		"connect.call.batch":         func(c *control.Connect) { c.Call.Batch = stack.BatchMax + 1 },
		"connect.call.deadline_ns":   func(c *control.Connect) { c.Call.DeadlineNs = 0 },
		"connect.call.request_bytes": func(c *control.Connect) { c.Call.RequestBytes = stack.MessageBytesMax + 1 },
		"connect.addresses":          func(c *control.Connect) { c.Addresses = nil },
		"connect.connections":        func(c *control.Connect) { c.Connections = 0 },
		"connect.in_flight":          func(c *control.Connect) { c.InFlight = 0 },
		"connect.streams":            func(c *control.Connect) { c.Streams = 2 },
		"connect.options":            func(c *control.Connect) { c.Options = map[string]string{"colour": "red"} },
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			connect := unary("grpc-go", address)
			change(connect)
			_, err := open(t).Connect(t.Context(), connect)
			wantFault(t, err, field)
		})
	}
}

func wantFault(t *testing.T, err error, field string) {
	t.Helper()
	fault, ok := errors.AsType[*control.FaultError](err)
	if !ok || fault.Field != field {
		t.Errorf("error %v, want a Fault that names %s", err, field)
	}
}

func TestABurstOfBatchesIsCountedByItsOperations(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tcp", "grpc-go"} {
		_, address := serve(t, name)
		client := open(t)
		connect := unary(name, address)
		connect.Streams = 2
		connect.Call.Kind, connect.Call.Messages, connect.Call.Batch = stack.KindBurst, 5, 7
		connect.Call.RequestBytes, connect.Call.ResponseBytes = 8, 11
		if _, err := client.Connect(t.Context(), connect); err != nil {
			t.Fatal(err)
		}
		done, err := client.Begin(t.Context(), closed(20), ignore)
		if err != nil {
			t.Fatal(err)
		}
		got := [5]int64{
			done.GetOutcomes()[0].GetCalls(), done.GetMessagesOut(), done.GetMessagesIn(), done.GetPayloadBytesOut(),
			done.GetPayloadBytesIn(),
		}
		if want := [5]int64{20, 100, 100, 5600, 7700}; got != want || done.GetOutcomes()[0].GetCode() != "OK" {
			t.Errorf("%s: %v, %v, want %v OK", name, done.GetOutcomes(), got, want)
		}
	}
}

func TestABatchThatCannotBeHonouredIsNamed(t *testing.T) {
	t.Parallel()
	_, address := serve(t, "tcp")
	for _, c := range []struct {
		field, message string
		change         func(*control.Connect)
	}{
		{"connect.call.batch", "stream does not support batches", func(c *control.Connect) {
			c.Call.Kind, c.Call.Messages, c.Call.Batch = stack.KindStream, 5, 2
		}},
		{"connect.call.batch", "a message above the limit of 67108864 bytes", func(c *control.Connect) {
			c.Call.Batch, c.Call.RequestBytes = 100, 1_000_000
		}},
		{"connect.call.messages", "above the limit of 67108864 bytes (64 MiB), which the server holds", func(c *control.Connect) {
			c.Call.Kind, c.Call.Messages, c.Call.RequestBytes, c.Streams = stack.KindBurst, 100, 1_000_000, 1
		}},
		{"connect.call.messages", "540001 is above the limit of 540000", func(c *control.Connect) {
			c.Call.Kind, c.Call.Messages, c.Streams = stack.KindBurst, stack.BurstMax+1, 1
		}},
	} {
		connect := unary("tcp", address)
		c.change(connect)
		_, err := open(t).Connect(t.Context(), connect)
		wantFault(t, err, c.field)
		if err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("error %v, want %q", err, c.message)
		}
	}
}

func TestABeginThatCannotBeHonouredIsNamed(t *testing.T) {
	t.Parallel()
	_, address := serve(t, "tcp")
	client := open(t)
	_, err := client.Begin(t.Context(), closed(1), ignore)
	wantFault(t, err, "begin")
	if _, err := client.Connect(t.Context(), unary("tcp", address)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		field  string
		change func(*control.Begin)
	}{
		{"begin.phase", func(b *control.Begin) { b.Phase = 0 }},
		{"begin.duration_ns", func(b *control.Begin) { b.DurationNs = 1 }},
		{"begin.duration_ns", func(b *control.Begin) { b.Calls = 0 }},
		{"begin.drain_ns", func(b *control.Begin) { b.DrainNs = -1 }},
		{"begin.interval_ns", func(b *control.Begin) { b.IntervalNs = -1 }},
		{"begin.interval_ns", func(b *control.Begin) { b.IntervalNs = 4_999_999 }},
		{"begin.interval_ns", func(b *control.Begin) { b.IntervalNs = 1_000_000_001 }},
		{"begin.load.arrivals", func(b *control.Begin) { b.Load.Arrivals = "bursty" }},
		{"begin.load.per_sec", func(b *control.Begin) { b.Load.PerSec = 5 }},
		{"begin.load.per_sec", func(b *control.Begin) { b.Load.Arrivals = "poisson" }},
		{"begin.calls", func(b *control.Begin) { b.Load.Stages = []*control.Stage{{From: 1, To: 1, LengthNs: 1}} }},
		{"begin.load.stages", func(b *control.Begin) {
			b.Calls, b.DurationNs, b.Load.Stages = 0, 1, []*control.Stage{{From: 1, To: 1e6, LengthNs: 1}}
		}},
		{"begin.load.stages", func(b *control.Begin) {
			b.Calls, b.DurationNs, b.Load.Stages = 0, 1, []*control.Stage{{From: -1, To: 1, LengthNs: 1}}
		}},
	} {
		begin := closed(1)
		c.change(begin)
		_, err := client.Begin(t.Context(), begin, ignore)
		wantFault(t, err, c.field)
	}
}

func TestConnectAndFirstCallOpenAConnectionEach(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{stack.KindConnect, stack.KindFirstCall} {
		server, address := serve(t, "grpc-go")
		client := open(t)
		connect := unary("grpc-go", address)
		connect.Call.Kind, connect.Call.RequestBytes, connect.Call.ResponseBytes = kind, 0, 0
		if _, err := client.Connect(t.Context(), connect); err != nil {
			t.Fatal(err)
		}
		done, err := client.Begin(t.Context(), closed(20), ignore)
		if err != nil {
			t.Fatal(err)
		}
		if done.GetOutcomes()[0].GetCalls() != 20 || mark(t, client).GetSockets() != 20 || mark(t, server).GetSockets() != 20 {
			t.Errorf("%s: outcomes %v, %d sockets, want 20", kind, done.GetOutcomes(), mark(t, client).GetSockets())
		}
	}
}

func TestADeadServerIsAnOutcome(t *testing.T) {
	t.Parallel()
	client := open(t)
	connect := unary("grpc-go", "127.0.0.1:1") // nothing listens on the port of tcpmux
	connect.Call.Kind, connect.Call.RequestBytes, connect.Call.ResponseBytes = stack.KindFirstCall, 0, 0
	if _, err := client.Connect(t.Context(), connect); err != nil {
		t.Fatal(err)
	}
	done, err := client.Begin(t.Context(), closed(12), ignore)
	if err != nil {
		t.Fatal(err)
	}
	o := done.GetOutcomes()
	if len(o) != 1 || o[0].GetCode() != "UNAVAILABLE" || o[0].GetCalls() != 12 || !strings.Contains(o[0].GetExample(), "refused") {
		t.Errorf("outcomes %v, want 12 UNAVAILABLE, refused", o)
	}
	if !slices.ContainsFunc(done.GetHistograms(), func(h *control.Histogram) bool { return h.GetName() == "error" }) {
		t.Error("there is no histogram of the failed calls")
	}
}

// endless is a closed load that goes on until it is stopped.
func endless() *control.Begin {
	begin := closed(0)
	begin.DurationNs = int64(time.Hour)
	return begin
}

func TestStopEndsAPhase(t *testing.T) {
	t.Parallel()
	_, address := serve(t, "tcp")
	client := open(t)
	if _, err := client.Connect(t.Context(), unary("tcp", address)); err != nil {
		t.Fatal(err)
	}
	var ok int64
	var stopping sync.Once
	done, err := client.Begin(t.Context(), endless(), func(i *control.Interval) {
		if ok += i.GetOk(); ok > 0 {
			stopping.Do(func() {
				if err := client.Stop(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
	})
	if err != nil || done.GetArrivals() != ok {
		t.Errorf("done %v, %v; %d calls in intervals", done, err, ok)
	}
}

// How many calls a background has beside so many others depends on the machine; some phase is long enough for one.
func TestABackgroundRunsBesideTheMeasuredCalls(t *testing.T) {
	t.Parallel()
	server, address := serve(t, "grpc-go")
	client := open(t)
	connect := unary("grpc-go", address)
	connect.Background = &control.Background{
		Kind: stack.KindStream, RequestBytes: 10_000, ResponseBytes: 10_000, Messages: 20,
	}
	if _, err := client.Connect(t.Context(), connect); err != nil {
		t.Fatal(err)
	}
	before := mark(t, server).GetBytesIn()
	var beside, payload int64
	for beside == 0 {
		done, err := client.Begin(t.Context(), closed(300), ignore)
		if err != nil {
			t.Fatal(err)
		}
		b := done.GetBackground()
		if b.GetErrors() != 0 || done.GetOutcomes()[0].GetCalls() != 300 {
			t.Fatalf("outcomes %v, background %v, want OK calls", done.GetOutcomes(), b)
		}
		beside += b.GetOk()
		payload += done.GetPayloadBytesOut()
	}
	// Every background call carries 200 kB up; the measured calls have a kB each.
	if got, least := mark(t, server).GetBytesIn()-before, beside*200_000+payload; got < least {
		t.Errorf("the server got %d bytes, at least %d were due", got, least)
	}
	if s := mark(t, client).GetSockets(); s != 2 {
		t.Errorf("%d sockets, want the 2 of the measured calls", s)
	}
}

func TestABackgroundThatCannotBeHonouredIsNamed(t *testing.T) {
	t.Parallel()
	_, grpcAddress := serve(t, "grpc-go")
	_, tcpAddress := serve(t, "tcp")
	for _, c := range []struct {
		stack, field string
		background   *control.Background
	}{
		{"tcp", "connect.background", &control.Background{Kind: stack.KindUnary}},
		{"grpc-go", "connect.background.kind", &control.Background{Kind: stack.KindConnect}},
		{"grpc-go", "connect.background.messages", &control.Background{Kind: stack.KindStream}},
		{"grpc-go", "connect.background.messages", &control.Background{Kind: stack.KindUnary, Messages: 2}},
		{"grpc-go", "connect.background.request_bytes",
			&control.Background{Kind: stack.KindUnary, RequestBytes: stack.MessageBytesMax + 1}},
	} {
		connect := unary(c.stack, map[string]string{"tcp": tcpAddress, "grpc-go": grpcAddress}[c.stack])
		connect.Background = c.background
		_, err := open(t).Connect(t.Context(), connect)
		wantFault(t, err, c.field)
	}
}

func TestTheFirstCallIsTakenApartOnce(t *testing.T) {
	t.Parallel()
	_, address := serve(t, "grpc-go")
	_, port, _ := strings.Cut(address, ":")
	client := open(t)
	if _, err := client.Connect(t.Context(), unary("grpc-go", "localhost:"+port)); err != nil {
		t.Fatal(err)
	}
	done, err := client.Begin(t.Context(), closed(60), ignore)
	if err != nil {
		t.Fatal(err)
	}
	if first := done.GetFirst(); first.GetCallNs() <= 0 || first.GetTlsNs() != 0 || first.GetInCall() {
		t.Errorf("first call %v, want one after its connection, without TLS", first)
	}
	done, err = client.Begin(t.Context(), closed(60), ignore)
	if err != nil || done.GetFirst() != nil {
		t.Errorf("the second phase reports a first call %v, %v", done.GetFirst(), err)
	}
}
