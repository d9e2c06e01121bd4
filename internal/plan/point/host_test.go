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
	longest := strings.Repeat("a", 64)
	for text, want := range map[string]string{
		"a": "a", "a, b": "a,b", "local": "", "local,a": "local,a", longest: longest,
	} {
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
		"client_cpus: each of the 4 sets of processors needs a client, and clients is 3: name fewer sets, or leave clients out": {
			Spec: Spec{Kind: "unary", Clients: 3, ClientHosts: "a,b", ClientCPUs: "0/1"},
		},
		"server_cpus: each of the 2 sets of processors needs a server, and servers is 1: name fewer sets, or leave servers out": {
			Spec: Spec{Kind: "unary", ServerCPUs: "0/1"}, OneServer: true,
		},
		"client_cpus: encode has one process: name one set of processors": {Spec: Spec{Kind: "encode", ClientCPUs: "0/1"}},
		"server_hosts: the server at x:1 is already running":              {Spec: Spec{Kind: "unary", Target: "x:1", ServerHosts: "a"}},
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

func TestProcessesOfAHostTakeItsSetsOfProcessorsInTurn(t *testing.T) {
	t.Parallel()
	s := Spec{Kind: "unary", ClientHosts: "a,b", ClientCPUs: "0-1/2-3", ServerCPUs: "4/5/6", Connections: 5, Clients: 5}
	var clients, servers []string
	for i := range s.ClientCount() {
		clients = append(clients, s.ClientHost(i)+":"+s.ClientCPUSet(i))
		if own := s.OfClient(i); own.ClientCount() != 1 || own.ClientCPUs != s.ClientCPUSet(i) {
			t.Errorf("client %d has %d clients, on %s", i, own.ClientCount(), own.ClientCPUs)
		}
	}
	for i := range s.ServerCount() {
		servers = append(servers, s.ServerCPUSet(i))
	}
	if got := strings.Join(clients, " ") + ", " + strings.Join(servers, " "); got != "a:0-1 b:0-1 a:2-3 b:2-3 a:0-1, 4 5 6" {
		t.Errorf("clients and servers on %s", got)
	}
	if s.Clients = 0; s.ClientCount() != 4 {
		t.Errorf("%d clients on 2 hosts with 2 sets", s.ClientCount())
	}
}

func TestSetsOfProcessorsAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"1,0/3": "0-1/3", "0 / 1": "0/1", "all": "", "2": "2"} {
		if got, err := cpus(text); got != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"0/0-1": "0/0-1: processor 0 is in two sets", "0/": `"" is not a list of processors, such as 0-1,3`,
		"all/0": `"all" is not a list of processors, such as 0-1,3`,
	} {
		if _, err := cpus(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
