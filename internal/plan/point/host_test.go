package point

import (
	"slices"
	"strings"
	"testing"
)

func TestProcessesAreDealtToHosts(t *testing.T) {
	t.Parallel()
	s := Spec{Kind: "unary", ClientHosts: "a,local", ServerHosts: "b,a", Clients: 3}
	var clients, servers []string
	for i := range s.ClientCount() {
		clients = append(clients, s.ClientHost(i))
	}
	for i := range s.ServerCount() {
		servers = append(servers, s.ServerHost(i))
	}
	if got := strings.Join(clients, "|") + " " + strings.Join(servers, "|"); got != "a||a b|a" {
		t.Errorf("clients and servers on %s", got)
	}
	if got := s.Hosts(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("hosts %q", got)
	}
}

func TestATrialIsApartWhereItsHostsDiffer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spec Spec
		want bool
	}{
		"here":               {Spec{Kind: "unary"}, false},
		"one host":           {Spec{Kind: "unary", ClientHosts: "a", ServerHosts: "a"}, false},
		"two":                {Spec{Kind: "unary", ClientHosts: "a", ServerHosts: "b"}, true},
		"a host and this":    {Spec{Kind: "unary", ServerHosts: "b"}, true},
		"clients on two":     {Spec{Kind: "unary", ClientHosts: "a,b", ServerHosts: "a"}, true},
		"a target elsewhere": {Spec{Kind: "unary", ClientHosts: "a,b", Target: "c:1"}, false},
	} {
		if got := c.spec.Apart(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestNamesOfHostsAreChecked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"a": "a", "a, b": "a,b", "local": "", "local,a": "local,a"} {
		if got, err := hostNames(text); got != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "a,", "a,a", "-oProxyCommand=x", "a b", "a;b", "../x", strings.Repeat("a", 65)} {
		if got, err := hostNames(text); err == nil {
			t.Errorf("%q is taken as %q", text, got)
		}
	}
}

func TestProcessesThatCannotMeetAreRefused(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]Asked{
		"client_hosts: each of the 3 hosts has a client at least, and clients is 2: name fewer hosts, or leave clients out": {
			Spec: Spec{Kind: "unary", Clients: 2, ClientHosts: "a,b,c"},
		},
		"client_hosts: each of the 2 hosts has a client at least, and clients is 1: name fewer hosts, or leave clients out": {
			Spec: Spec{Kind: "unary", ClientHosts: "a,b"}, OneClient: true,
		},
		"server_hosts: each of the 3 hosts has a server at least, and servers is 2: name fewer hosts, or leave servers out": {
			Spec: Spec{Kind: "unary", Servers: 2, ServerHosts: "a,b,c"},
		},
		"server_hosts: each of the 2 hosts has a server at least, and servers is 1: name fewer hosts, or leave servers out": {
			Spec: Spec{Kind: "unary", ServerHosts: "a,b"}, OneServer: true,
		},
		"server_hosts: the server at x:1 is already running": {Spec: Spec{Kind: "unary", Target: "x:1", ServerHosts: "a"}},
		"network: a Unix socket can't be reached from another host": {
			Spec: Spec{Kind: "unary", Network: "unix", ServerHosts: "a"},
		},
		"binary: it is on this machine, and processes on other hosts run this rpcbench": {
			Spec: Spec{Kind: "unary", Binary: "old=./old", ClientHosts: "a"},
		},
	} {
		if got := misplaced(a); got == nil || got.Field+": "+got.Reason != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	for name, a := range map[string]Asked{
		"a socket on one host":       {Spec: Spec{Kind: "unary", Network: "unix", ClientHosts: "a", ServerHosts: "a"}},
		"one client on one host":     {Spec: Spec{Kind: "unary", ClientHosts: "a"}, OneClient: true},
		"as many as there are":       {Spec: Spec{Kind: "unary", ClientHosts: "a,b"}},
		"several on each of them":    {Spec: Spec{Kind: "unary", Clients: 5, ClientHosts: "a,b"}},
		"one server, and one client": {Spec: Spec{Kind: "unary"}, OneClient: true, OneServer: true},
	} {
		if got := misplaced(a); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}
