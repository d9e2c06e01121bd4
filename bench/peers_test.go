package main

import (
	"context"
	"net"
	"strings"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcwire"
)

func TestParseH2loadTakesWholeSuccessOnly(t *testing.T) {
	t.Parallel()
	const line = "finished in 2.00s, 100 req/s\n" +
		"requests: %total, 250 started, 200 done, %ok succeeded, %failed failed, 0 errored, 0 timeout\n"
	say := func(total, ok, failed string) string {
		return strings.NewReplacer("%total", total+" total", "%ok", ok, "%failed", failed).Replace(line)
	}
	if calls, err := parseH2load([]byte(say("200", "200", "0"))); calls != 200 || err != nil {
		t.Errorf("%v calls and %v, want 200", calls, err)
	}
	for _, out := range []string{"", say("200", "199", "1"), say("0", "0", "0")} {
		if calls, err := parseH2load([]byte(out)); err == nil {
			t.Errorf("%q was taken for %v calls", out, calls)
		}
	}
}

func TestParseGHZTakesOKOnly(t *testing.T) {
	t.Parallel()
	if calls, err := parseGHZ([]byte(`{"count":7,"statusCodeDistribution":{"OK":7}}`)); calls != 7 || err != nil {
		t.Errorf("%v calls and %v, want 7", calls, err)
	}
	for _, out := range []string{"", "{}", `{"count":7,"statusCodeDistribution":{"OK":6,"Unavailable":1}}`} {
		if calls, err := parseGHZ([]byte(out)); err == nil {
			t.Errorf("%q was taken for %v calls", out, calls)
		}
	}
}

func TestPeersAreHeldToTheirBars(t *testing.T) {
	t.Parallel()
	round := map[string]effort{
		"grpc-wire": {perSec: 100, perUS: 1}, "h2load": {perSec: 101, perUS: 2}, "ghz": {perSec: 10, perUS: 11},
	}
	all := []peer{{name: "grpc-wire"}, {name: "h2load"}, {name: "ghz"}}
	for at, want := range map[shape][]bool{{1, 50}: {true, true, true}, {1, 500}: {false, true, true}} {
		lines := peerLines(all, []map[string]effort{round}, at)
		for i, l := range lines[len(lines)-3:] {
			if l.pass != want[i] || l.limit == "" {
				t.Errorf("%v: %v, want pass %t", at, l, want[i])
			}
		}
	}
	crowd := peerLines(all[:2], []map[string]effort{round}, shape{5000, 1})
	if cpu, rate := crowd[len(crowd)-2], crowd[len(crowd)-1]; len(crowd) != 6 || !cpu.pass || cpu.limit != "≤ 0.85" || !rate.pass {
		t.Errorf("without ghz: %v", crowd)
	}
	one := peerLines(all, []map[string]effort{round}, shape{1, 1})
	for i, limit := range []string{"≤ 1", "", "≥ 0.98"} {
		if l := one[len(one)-3+i]; l.limit != limit || !l.pass {
			t.Errorf("with one in flight: %v, want the limit %q", l, limit)
		}
	}
}

// The wire server's answers are right by the client that looks at everything.
func TestTheWireServerAnswersWell(t *testing.T) {
	t.Parallel()
	here, there := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- (&wireServer{socket: there}).serve() }()
	conn, err := grpcwire.New().Dial(t.Context(), dialPipe(here))
	if err != nil {
		t.Fatal(err)
	}
	caller, err := conn.Caller(stack.Call{Kind: stack.KindUnary, Request: []byte{0}, ResponseBytes: 1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := caller.Call(t.Context()); err != nil {
			t.Error(err)
		}
	}
	conn.Close()
	<-served
}

func dialPipe(socket net.Conn) stack.DialConfig {
	return stack.DialConfig{
		Network: stack.NetworkTCP, Address: "wire", Compression: stack.CompressionNone, InFlight: 1,
		Dial: func(context.Context, string, string) (net.Conn, error) { return socket, nil },
	}
}
