package worker_test

import (
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

func TestAFurtherConnectBeginsAnew(t *testing.T) {
	t.Parallel()
	_, address := serve(t, "grpc-go")
	client := open(t)
	for i, connections := range []uint32{2, 5, 1} {
		connect := unary("grpc-wire", address)
		connect.Connections, connect.Call.RequestBytes = connections, 10*connections
		connected, err := client.Connect(t.Context(), connect)
		if err != nil {
			t.Fatal(err)
		}
		s, open := mark(t, client), connected.GetSockets()
		if s.GetSockets() != int64(connections) || s.GetBytesOut() >= 10_000 || open != connections {
			t.Errorf("connected %d times: %d sockets so far, %d open, %d bytes", i+1, s.GetSockets(), open, s.GetBytesOut())
		}
		done, err := client.Begin(t.Context(), closed(100*int64(connections)), ignore)
		if err != nil {
			t.Fatal(err)
		}
		if done.GetArrivals() != 100*int64(connections) || done.GetPayloadBytesOut() != 1000*int64(connections*connections) ||
			done.GetFirst() == nil {
			t.Errorf("connected %d times: %v", i+1, done)
		}
	}
}

func TestAFurtherConnectThatFailsLeavesNoConnection(t *testing.T) {
	t.Parallel()
	_, address := serve(t, "tcp")
	client := open(t)
	if _, err := client.Connect(t.Context(), unary("tcp", address)); err != nil {
		t.Fatal(err)
	}
	_, err := client.Connect(t.Context(), unary("grpc-rust", address))
	wantFault(t, err, "connect.stack")
	if n := mark(t, client).GetSockets(); n != 0 {
		t.Errorf("%d sockets after it", n)
	}
	_, err = client.Begin(t.Context(), closed(1), ignore)
	wantFault(t, err, "begin")
	if _, err := client.Connect(t.Context(), unary("tcp", address)); err != nil {
		t.Fatal(err)
	}
	if done, err := client.Begin(t.Context(), closed(7), ignore); err != nil || done.GetArrivals() != 7 {
		t.Errorf("%v, %v", done, err)
	}
}

// A client within the process of its server calls it again, and no other.
func TestAFurtherConnectWithinAProcess(t *testing.T) {
	t.Parallel()
	_, far := serve(t, "tcp")
	both := open(t)
	serving, err := both.Serve(t.Context(), &control.Serve{
		Stack: "grpc-go", Network: stack.NetworkInproc, Address: "inproc:1", Security: plaintext, Payload: stack.PayloadRandom,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, connections := range []uint32{2, 1} {
		connect := unary("grpc-go", serving.GetAddress())
		connect.Network, connect.Connections = stack.NetworkInproc, connections
		if _, err := both.Connect(t.Context(), connect); err != nil {
			t.Fatal(err)
		}
		if done, err := both.Begin(t.Context(), closed(9), ignore); err != nil || done.GetOutcomes()[0].GetCalls() != 9 {
			t.Errorf("%v, %v", done, err)
		}
		if n := mark(t, both).GetSockets(); n != int64(connections) {
			t.Errorf("%d sockets, want %d", n, connections)
		}
	}
	_, err = both.Connect(t.Context(), unary("tcp", far))
	wantFault(t, err, "connect")
}
