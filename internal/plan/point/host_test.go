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
	for want, s := range map[string]Spec{
		"client_hosts: the 3 hosts are more than the clients, of which there are 2": {Kind: "unary", Clients: 2, ClientHosts: "a,b,c"},
		"server_hosts: the 3 hosts are more than the servers, of which there are 2": {Kind: "unary", Servers: 2, ServerHosts: "a,b,c"},
		"server_hosts: the server at x:1 runs already":                              {Kind: "unary", Target: "x:1", ServerHosts: "a"},
		"network: a Unix socket can't be reached from another host":                 {Kind: "unary", Network: "unix", ServerHosts: "a"},
		"binary: it is on this machine, and processes on other hosts run this rpcbench": {
			Kind: "unary", Binary: "old=./old", ClientHosts: "a",
		},
	} {
		if got := misplaced(s); got == nil || got.Field+": "+got.Reason != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	if got := misplaced(Spec{Kind: "unary", Network: "unix", ClientHosts: "a", ServerHosts: "a"}); got != nil {
		t.Errorf("one host: %v", got)
	}
}
