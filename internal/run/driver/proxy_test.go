package driver_test

import (
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/results/result"
)

// pass is a proxy, in its own process: what comes at its first argument goes on to its second. With a third it dies after
// so many bytes.
func pass(arguments []string) {
	listener, err := net.Listen("tcp", arguments[0])
	if err != nil {
		os.Exit(5)
	}
	var most int64 = 1 << 60
	if len(arguments) > 2 {
		most, _ = strconv.ParseInt(arguments[2], 10, 64)
	}
	for {
		client, err := listener.Accept()
		if err != nil {
			os.Exit(6)
		}
		server, err := net.Dial("tcp", arguments[1])
		if err != nil {
			client.Close()
			continue
		}
		go func() {
			if n, _ := io.CopyN(server, client, most); n == most {
				os.Stderr.WriteString("it is too much\n")
				os.Exit(7)
			}
			server.Close()
		}()
		go func() {
			_, _ = io.Copy(client, server)
			client.Close()
		}()
	}
}

func through(words ...string) func(*plan.Spec) {
	command := append([]string{os.Args[0], "pass", "{address}", "{upstream}"}, words...)
	return func(s *plan.Spec) {
		s.Proxy = &point.Proxy{Name: "mine", Program: &point.Program{Command: command, WithinNs: int64(patience), Library: "test 1"}}
	}
}

func TestAProxyIsAThirdSide(t *testing.T) {
	t.Parallel()
	workers := workers("good")
	k, failed, err := run(t, workers, unary(through()), unary(through()))
	if err != nil || failed != 0 || len(workers.started) != 6 {
		t.Fatalf("%d failed, %v, %d processes; trials %+v", failed, err, len(workers.started), k.trials)
	}
	e := k.trials[1]
	if e.Clients[0].Outcomes[0] != (result.Outcome{Code: "OK", Calls: 300}) {
		t.Errorf("outcomes %+v", e.Clients[0].Outcomes)
	}
	p := e.Proxy
	if p == nil || p.Library != "test 1" || p.Begin == nil || p.End == nil || p.End.TimeNs <= p.Begin.TimeNs {
		t.Fatalf("proxy %+v", p)
	}
	if p.End.CPUUserNs+p.End.CPUSystemNs <= 0 || p.End.PeakMemoryBytes < 1<<20 || p.End.BytesOut != nil {
		t.Errorf("it used %+v", p.End)
	}
	// The client's bytes go to the proxy, and as many from there to the server.
	if sent, got := *e.Clients[0].End.BytesOut, *e.Servers[0].End.BytesIn; sent != got || sent < 300*100 {
		t.Errorf("the client sent %d bytes, the server got %d", sent, got)
	}
	workers.gone(t)
}

func TestAProxyThatFailsFailsItsTrialByName(t *testing.T) {
	t.Parallel()
	program := func(p point.Program) func(*plan.Spec) {
		return func(s *plan.Spec) { s.Proxy = &point.Proxy{Name: "mine", Program: &p} }
	}
	for name, c := range map[string]struct {
		change           func(*plan.Spec)
		failure, ofCalls string
	}{
		"no such command": {
			program(point.Program{Command: []string{"/nowhere/proxy", "{port}"}, WithinNs: int64(patience)}),
			`proxy: there is no such program: exec: "/nowhere/proxy"`, "",
		},
		"it ends at once": {
			program(point.Program{Command: []string{os.Args[0], "pass", "no address", "{upstream}{port}"}, WithinNs: int64(patience)}),
			"proxy: the proxy " + os.Args[0] + " exited unexpectedly with exit status 5", "",
		},
		"it is never ready": {
			program(point.Program{
				Command: []string{os.Args[0], "pass", "{address}", "{upstream}"}, ReadyLine: "at your service",
				WithinNs: int64(20 * time.Millisecond),
			}),
			`proxy: it printed no line with "at your service": it was not ready within 20ms`, "",
		},
		"it dies on the way": {
			func(s *plan.Spec) { through("20000")(s); endless(s) }, "proxy: ", "exit status 7",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			workers := workers("good")
			k, failed, err := run(t, workers, unary(c.change))
			if err != nil || failed != 1 {
				t.Fatalf("%d failed, %v: %+v", failed, err, k.trials)
			}
			e := k.trials[0]
			if !strings.HasPrefix(e.Failure, c.failure) || !strings.Contains(e.Failure, c.ofCalls) {
				t.Errorf("%q, last words %q; want %q, %q", e.Failure, e.LastWords, c.failure, c.ofCalls)
			}
			workers.gone(t)
		})
	}
}
