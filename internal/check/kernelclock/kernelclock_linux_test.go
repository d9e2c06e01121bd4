package kernelclock_test

import (
	"context"
	"net"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"rpcbench/internal/check/kernelclock"
	"rpcbench/internal/check/script"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/tcp"
	"rpcbench/internal/test/stacktest"
)

func TestWithoutTheOptionItIsTheStack(t *testing.T) {
	t.Parallel()
	stacktest.IsTheStack(t, kernelclock.Wrap)
}

// serve serves calls that take some time each until the test ends.
func serve(t *testing.T, each string) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, err := script.Wrap(tcp.New()).Serve(stack.ServeConfig{
		Listener: listener, Reply: func(n int) []byte { return make([]byte, n) },
		Options: map[string]string{script.Option: "fixed " + each},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), stack.StopGrace)
		defer cancel()
		server.Stop(ctx)
	})
	return listener.Addr().String()
}

// timed opens a connection whose calls the kernel times.
func timed(t *testing.T, address, path string) (stack.Conn, stack.Caller) {
	t.Helper()
	conn, err := kernelclock.Wrap(tcp.New()).Dial(t.Context(), stack.DialConfig{
		Network: stack.NetworkTCP, Address: address, Dial: new(net.Dialer).DialContext,
		Compression: stack.CompressionNone, InFlight: 1, Options: map[string]string{kernelclock.Option: path},
	})
	if err != nil {
		t.Fatal(err)
	}
	caller, err := conn.Caller(stack.Call{Kind: stack.KindUnary, Request: make([]byte, 10), ResponseBytes: 10,
		Check: func([]byte) error { return nil }}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return conn, caller
}

// untilStamped makes calls until the kernel has timed one. It begins to time what comes in a while after the first socket of the
// machine asked for it, and ends after the last.
func untilStamped(t *testing.T, address string) {
	t.Helper()
	for {
		path := filepath.Join(t.TempDir(), "times.json")
		conn, caller := timed(t, address, path)
		if err := caller.Call(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
		if times, err := kernelclock.Read(path); err == nil && len(times) == 1 {
			return
		}
	}
}

// The kernel's time lies between how long the server took and how long the client's system calls did.
func TestTheKernelTimesEachCallWithinTheClientsOwnTime(t *testing.T) {
	t.Parallel()
	if err := kernelclock.Available(); err != nil {
		t.Skip("the kernel has no time stamps:", err)
	}
	const calls, each = 50, time.Millisecond
	path := filepath.Join(t.TempDir(), "times.json")
	address := serve(t, each.String())
	conn, caller := timed(t, address, path)
	untilStamped(t, address)
	var outer []int64
	for range calls {
		begun := time.Now()
		if err := caller.Call(t.Context()); err != nil {
			t.Fatal(err)
		}
		outer = append(outer, int64(time.Since(begun)))
		if err := caller.After(); err != nil {
			t.Fatal(err)
		}
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	times, err := kernelclock.Read(path)
	if err != nil || len(times) != calls {
		t.Fatalf("%d times of %d calls, %v", len(times), calls, err)
	}
	for i, c := range times {
		if c.KernelNs < int64(each) || c.SocketNs < c.KernelNs || outer[i] < c.SocketNs {
			t.Errorf("call %d: the server took %v, the kernel says %d ns, the system calls %d ns, the client %d ns", i, each,
				c.KernelNs, c.SocketNs, outer[i])
		}
	}
}

func TestTheOptionIsTheClients(t *testing.T) {
	t.Parallel()
	options := kernelclock.Wrap(tcp.New()).Info().Options
	i := slices.IndexFunc(options, func(o stack.Option) bool { return o.Name == kernelclock.Option })
	if i < 0 || !options[i].Client || options[i].Server {
		t.Errorf("options %+v", options)
	}
}

func TestASocketWithoutADescriptorIsRefused(t *testing.T) {
	t.Parallel()
	conn, err := kernelclock.Wrap(tcp.New()).Dial(t.Context(), stack.DialConfig{
		Network: stack.NetworkTCP, Address: "x:1", Compression: stack.CompressionNone, InFlight: 1,
		Dial:    func(context.Context, string, string) (net.Conn, error) { a, _ := net.Pipe(); return a, nil },
		Options: map[string]string{kernelclock.Option: filepath.Join(t.TempDir(), "times.json")},
	})
	if err == nil {
		conn.Close()
		t.Error("a pipe has no time stamps")
	}
}
