package point

import "testing"

func TestOneProcessRefusesWhatTakesTwo(t *testing.T) {
	t.Parallel()
	const network = "inproc"
	for want, s := range map[string]Spec{
		"network: the server at x:1 runs in another process, so it can't be reached by inproc": {
			Network: network, Target: "x:1",
		},
		"network: inproc is one process, which has one client and one server":               {Network: network, Servers: 2},
		"network: inproc is one process, so client and server can't run on different hosts": {Network: network, ServerHosts: "a"},
		"network: inproc has no sockets that a link could be put between": {
			Network: network, Link: &Link{RTTNs: 1},
		},
		"network: inproc is one process, so server_cpus must be those of client_cpus, or left out": {
			Network: network, ClientCPUs: "0", ServerCPUs: "1",
		},
	} {
		if got := oneProcess(s); got == nil || got.Field+": "+got.Reason != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	for name, s := range map[string]Spec{
		"another network":   {Network: "tcp", Servers: 2, Link: &Link{RTTNs: 1}},
		"nothing":           {Network: network},
		"the same host":     {Network: network, ClientHosts: "a", ServerHosts: "a"},
		"the same CPUs":     {Network: network, ClientCPUs: "0", ServerCPUs: "0"},
		"the client's CPUs": {Network: network, ClientCPUs: "0"},
	} {
		if got := oneProcess(s); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}
