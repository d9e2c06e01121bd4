package worker_test

import (
	"testing"
	"time"

	"rpcbench/internal/worker/control"
)

func TestAServerKeepsTheLimitsOfItsCommand(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tcp", "grpc-go"} {
		command := serveCommand(name, plaintext, nil)
		command.Limits = &control.Limits{RequestBytes: 500, Connections: 100, HeaderNs: int64(time.Hour), IdleNs: int64(time.Hour)}
		serving, err := open(t).Serve(t.Context(), command)
		if err != nil {
			t.Fatal(err)
		}
		client := open(t)
		connect := unary(name, serving.GetAddress()) // asks with 1000 bytes
		connect.Connections, connect.InFlight = 1, 1
		if _, err := client.Connect(t.Context(), connect); err != nil {
			t.Fatal(err)
		}
		done, err := client.Begin(t.Context(), closed(30), ignore)
		if err != nil {
			t.Fatal(err)
		}
		if o := done.GetOutcomes(); len(o) != 1 || o[0].GetCode() != "RESOURCE_EXHAUSTED" || o[0].GetCalls() != 30 {
			t.Errorf("%s: outcomes %v, want 30 RESOURCE_EXHAUSTED", name, o)
		}
	}
}

func TestALimitThatCannotBeHonouredIsNamed(t *testing.T) {
	t.Parallel()
	for field, limits := range map[string]*control.Limits{
		"serve.limits.header_ns": {HeaderNs: -1},
		"serve.limits.idle_ns":   {IdleNs: -1},
	} {
		command := serveCommand("tcp", plaintext, nil)
		command.Limits = limits
		_, err := open(t).Serve(t.Context(), command)
		wantFault(t, err, field)
	}
}
