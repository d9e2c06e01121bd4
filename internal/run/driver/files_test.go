package driver

import (
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/stack"
)

func TestAProcessThatMayNotOpenTheSocketsIsNamed(t *testing.T) {
	t.Parallel()
	const needs = "the system limits the process to 1024 open files, and 1009 sockets need at least 1025: " +
		"raise the limit (ulimit -n), or use fewer connections"
	shape := func(of string, connections, inFlight int) plan.Spec {
		return plan.Spec{
			Stack: of, Server: "s", Kind: stack.KindUnary, Connections: connections, InFlight: inFlight, Load: plan.LoadClosed,
		}
	}
	open := shape("slots", 1, 1009)
	open.Load = plan.LoadPoisson
	opening, http2 := shape("shares", 1, 1009), shape("slots", 1008, 9)
	inproc := shape("slots", 9999, 1)
	inproc.Network = stack.NetworkInproc
	opening.Kind = stack.KindConnect
	http2.Options = map[string]string{stack.OptionHTTPVersion: "2"}
	for name, c := range map[string]struct {
		spec           plan.Spec
		server, client int64
		want           string
	}{
		"a client within its limit":       {shape("shares", 1008, 9), 0, 1024, ""},
		"a client beyond it":              {shape("shares", 1009, 1), 0, 1024, "client: " + needs},
		"a socket for each slot":          {shape("slots", 1, 1009), 0, 1024, "client: " + needs},
		"an open load may need fewer":     {open, 0, 1024, ""},
		"HTTP/2 shares sockets":           {http2, 0, 1024, ""},
		"each call opens one":             {opening, 0, 1024, "client: " + needs},
		"a server beyond its own":         {shape("shares", 1009, 1), 1024, 20_000, "server: " + needs},
		"nobody knows the limits":         {shape("shares", 1_000_000, 1), 0, 0, ""},
		"memory has no sockets":           {inproc, 99, 99, ""},
		"a server that may open 1 more":   {shape("shares", 1008, 1), 1024, 1024, ""},
		"a codec has no sockets":          {plan.Spec{Stack: "slots", Connections: 9999, InFlight: 1}, 99, 99, ""},
		"the client is named before both": {shape("shares", 1009, 1), 1024, 1024, "client: " + needs},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := played(t, Config{}, c.spec, &player{files: c.server}, &player{files: c.client})
			got := ""
			if err := s.checkFiles(); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Clients are limited one by one, and a server by what all of them open.
func TestClientsShareTheSocketsOfATrial(t *testing.T) {
	t.Parallel()
	spec := plan.Spec{
		Stack: "shares", Server: "s", Kind: stack.KindUnary, Connections: 2000, InFlight: 1, Clients: 2, Load: plan.LoadClosed,
	}
	s := played(t, Config{}, spec, &player{files: 2016}, &player{files: 1016}, &player{files: 1016})
	if err := s.checkFiles(); err != nil {
		t.Error(err)
	}
	s.spec.Connections = 2002
	if err := s.checkFiles(); err == nil {
		t.Error("each client opens 1001 sockets, and may open 1000")
	}
}
