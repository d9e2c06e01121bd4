package endtoend

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/server"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
	"rpcbench/internal/worker/control"
)

// strangersKinds are calls that a server of others can answer, by lengths alone.
var strangersKinds = []struct {
	kind              string
	request, response uint32
	streams, messages uint32
}{
	{stack.KindConnect, 0, 0, 0, 0},
	{stack.KindFirstCall, 0, 0, 0, 0},
	{stack.KindUnary, 0, 0, 0, 0},
	{stack.KindUnary, 1000, 1000, 0, 0},
	{stack.KindUnary, 10, 200_000, 0, 0},
	{stack.KindUnary, 200_000, 10, 0, 0},
	{stack.KindPingPong, 1000, 1000, 4, 0},
	{stack.KindPingPong, 50_000, 10, 1, 0},
	{stack.KindStream, 100, 300, 0, 7},
}

func TestTheWireClientLoadsGRPCsOwnBenchmarkServer(t *testing.T) {
	t.Parallel()
	loadStranger(t, foreign(t))
}

// loadStranger has grpc-wire make calls of every kind that the server has.
func loadStranger(t *testing.T, address string) {
	t.Helper()
	for _, test := range strangersKinds {
		t.Run(fmt.Sprintf("%s %d %d", test.kind, test.request, test.response), func(t *testing.T) {
			t.Parallel()
			const calls = 200
			c := lengthsOnly(address, test.kind, test.request, test.response)
			c.Stack, c.Streams, c.Call.Messages = "grpc-wire", test.streams, test.messages
			wantAll(t, test.kind, measure(t, connect(t, c), closed(calls)), "OK", calls)
		})
	}
}

// Calls of a second kind share the connection of a Pipeline, though they are Callers. How many a phase has of them depends
// on the machine; some phase is long enough for one.
func TestABackgroundSharesTheWireClientsConnection(t *testing.T) {
	t.Parallel()
	_, address := serve(t, "grpc-go")
	c := command("grpc-wire", address)
	c.Connections, c.InFlight = 2, 3
	c.Background = &control.Background{Kind: stack.KindStream, Messages: 20, RequestBytes: 3000, ResponseBytes: 100}
	p := connect(t, c)
	for ended := int64(0); ended == 0 && !t.Failed(); {
		done := measure(t, p, closed(1000))
		wantAll(t, "measured", done, "OK", 1000)
		beside := done.GetBackground()
		if ended = beside.GetOk(); beside.GetErrors() != 0 {
			t.Errorf("beside them %d calls were OK and %d not: %s", ended, beside.GetErrors(), beside.GetExample())
		}
	}
	if sockets := mark(t, p).GetSockets(); sockets != 2 {
		t.Errorf("%d sockets, want 2", sockets)
	}
}

// A call costs no memory: from the load's loop through the connection and back to the histograms. A worker allocates
// meanwhile for its Intervals, of which a slow machine has more.
func TestACallOfTheWireClientAllocatesNothing(t *testing.T) {
	t.Parallel()
	_, address := serve(t, "grpc-go")
	for what, test := range map[string]struct {
		kind    string
		streams uint32
		load    *control.Load
	}{
		"unary":               {stack.KindUnary, 0, &control.Load{Arrivals: "closed"}},
		"unary, at a rate":    {stack.KindUnary, 0, &control.Load{Arrivals: "constant", PerSec: 10_000}},
		"ping_pong":           {stack.KindPingPong, 16, &control.Load{Arrivals: "closed"}},
		"ping_pong, a window": {stack.KindPingPong, 1, &control.Load{Arrivals: "closed"}},
	} {
		c := command("grpc-wire", address)
		c.Call.Kind, c.Streams, c.InFlight = test.kind, test.streams, 16
		calls, intervals, allocations := allocated(t, connect(t, c), test.load)
		t.Logf("%s: %d allocations in %d calls and %d intervals", what, allocations, calls, intervals)
		if calls < enoughCalls || allocations > calls/10+allocationsOfInterval*intervals {
			t.Errorf("%s: %d allocations in %d calls, want none for a call", what, allocations, calls)
		}
	}
}

const (
	enoughCalls           = 20_000 // so many that what is not theirs can't be mistaken for it
	allocationsOfInterval = 50     // at the most: some 16 were counted
)

// allocated counts allocations in the midst of a phase, and the calls that were OK and the intervals: its begin and its end
// have their own.
func allocated(t *testing.T, p *launch.Worker, load *control.Load) (calls, passed, allocations int64) {
	t.Helper()
	begin := &control.Begin{Phase: control.Measured, DurationNs: int64(time.Hour), DrainNs: int64(time.Second), Load: load}
	intervals := make(chan int64, 1000) // so that none waits: the answer to a Mark would wait with it
	var err error
	go func() {
		defer close(intervals)
		_, err = p.Begin(t.Context(), begin, func(i *control.Interval) { intervals <- i.GetOk() })
	}()
	<-intervals
	before := mark(t, p).GetAllocations()
	for ok := range intervals {
		passed++
		if calls += ok; calls >= enoughCalls {
			break
		}
	}
	allocations = mark(t, p).GetAllocations() - before
	if err := p.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	for range intervals { // to the end
	}
	if err != nil {
		t.Fatal(err)
	}
	return calls, passed, allocations
}

func mark(t *testing.T, p *launch.Worker) *control.Snapshot {
	t.Helper()
	snapshot, err := p.Mark(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

const javaWorker = "../../../bin/java/grpc-java/worker"

// The server of grpc-java, on netty, is one that Go's libraries have not been made for.
func TestTheWireClientLoadsGRPCJava(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(javaWorker); err != nil {
		t.Skip("make java builds the server that it needs")
	}
	worker, err := filepath.Abs(javaWorker)
	if err != nil {
		t.Fatal(err)
	}
	p := startCommand(t, worker)
	serving, err := p.Serve(t.Context(), &control.Serve{
		Stack: "grpc-java-netty", Network: stack.NetworkTCP, Address: "127.0.0.1:0", Security: plaintext, Payload: stack.PayloadRandom,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{stack.KindUnary, stack.KindStream, stack.KindPingPong, stack.KindUpload, stack.KindDownload,
		stack.KindBothWays} {
		checkKind(t, "grpc-wire", serving.GetAddress(), kind)
	}
	loadStranger(t, serving.GetAddress())
}

// nghttpd is a server of HTTP/2 that knows nothing of gRPC: it serves a file, which is a message, and a trailer.
func TestTheWireClientReadsWhatNghttpdServes(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("nghttpd")
	if err != nil {
		t.Skip("Debian's nghttp2-server has the server that it needs")
	}
	folder := t.TempDir()
	message := append([]byte{0, 0, 0, 0, 4}, "pong"...)
	for name, content := range map[string][]byte{
		"call.grpc": message, "page.html": message, "types": []byte("application/grpc grpc\n"),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	free, err := server.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(free)
	nghttpd := exec.CommandContext(t.Context(), program, "--no-tls", "--address=127.0.0.1", "--htdocs="+folder,
		"--trailer=grpc-status: 0", "--mime-types-file="+filepath.Join(folder, "types"), port)
	if err := nghttpd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- nghttpd.Wait() }()
	client := dialSoon(t, "127.0.0.1:"+port, ended)
	for _, test := range []struct {
		path  string
		want  stack.Code
		calls int
	}{
		{"/call.grpc", stack.OK, 5000},
		{"/none.grpc", stack.Unimplemented, 300}, // it bears few streams that are reset, and then goes away
		{"/page.html", stack.Unknown, 300},
	} {
		const slots = 150 // more at once than the 100 streams that it allows
		path, want, calls := test.path, test.want, test.calls
		ended, failed := 0, 0
		var lane *wire.Lane
		lane = client.Lane(wire.Call{Path: path, Replies: 1}, func(slot int, err error) {
			ended++
			if stack.CodeOf(err) != want {
				failed++
				t.Logf("%s: %v", path, err)
			}
			if ended+slots <= calls {
				lane.Send([]int{slot})
			}
		})
		for slot := range slots {
			lane.Add(&pong{})
			lane.Send([]int{slot})
		}
		for ended < calls && failed < 10 {
			client.Wait()
		}
		if failed > 0 {
			t.Errorf("%s: %d calls did not end with %v", path, failed, want)
		}
	}
}

// dialSoon connects to a server that is just being started, and says nothing when it is ready.
func dialSoon(t *testing.T, address string, ended <-chan error) *wire.Client {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		client, err := wire.Dial(t.Context(), wire.Config{
			Dial: func(ctx context.Context) (net.Conn, error) {
				var d net.Dialer
				return d.DialContext(ctx, "tcp", address)
			},
			Authority: address, MessageBytesMax: 1000,
		})
		if err == nil {
			t.Cleanup(client.Close)
			time.AfterFunc(patience, client.Close) // which ends what hangs
			return client
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
		select {
		case err := <-ended:
			t.Fatalf("the server ended: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// A pong is a slot whose reply is to be one.
type pong struct{ right bool }

func (p *pong) Begin() (int, error)          { p.right = false; return 1, nil }
func (p *pong) Fields() []byte               { return nil }
func (p *pong) Message(int) ([]byte, error)  { return []byte{0, 0, 0, 0, 0}, nil }
func (p *pong) Reply(payload []byte, _ bool) { p.right = string(payload) == "pong" }
func (p *pong) End() error {
	if !p.right {
		return stack.Errorf(stack.Mismatch, "there was no pong")
	}
	return nil
}
