package point

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"rpcbench/internal/stack"
)

// LocalHost is the name of this machine among hosts.
const LocalHost = "local"

var hostName = regexp.MustCompile(`\A[A-Za-z0-9][A-Za-z0-9._-]*\z`)

// maxHostName is checked apart from the form, where it would take long to compile.
const maxHostName = 64

// hostNames accepts names with commas between, each once, and writes this machine alone as the empty string.
func hostNames(text string) (string, error) {
	var names []string
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		switch {
		case len(name) > maxHostName || !hostName.MatchString(name):
			return "", fmt.Errorf("%q is not a list of names of hosts, such as db1,db2", text)
		case slices.Contains(names, name):
			return "", fmt.Errorf("the host %q is there twice; give more clients or servers instead", name)
		}
		names = append(names, name)
	}
	if len(names) > ClientsMax {
		return "", fmt.Errorf("%d hosts are above the limit of %d", len(names), ClientsMax)
	}
	if len(names) == 1 && names[0] == LocalHost {
		return "", nil
	}
	return strings.Join(names, ","), nil
}

// HostList are the names of hosts in a text as Spec.ClientHosts has it.
func HostList(text string) []string {
	if text == "" {
		return []string{LocalHost}
	}
	return strings.Split(text, ",")
}

// Hosts are the names of all hosts but this machine, each once.
func (s Spec) Hosts() []string {
	var names []string
	for _, name := range slices.Concat(HostList(s.ClientHosts), HostList(s.ServerHosts)) {
		if name != LocalHost && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// ClientHost is the host of a client, counted from 0; empty is this machine.
func (s Spec) ClientHost(i int) string { return dealtHost(s.ClientHosts, i) }

// ServerHost is the host of a server, counted from 0; empty is this machine.
func (s Spec) ServerHost(i int) string { return dealtHost(s.ServerHosts, i) }

func dealtHost(hosts string, i int) string {
	names := HostList(hosts)
	if name := names[i%len(names)]; name != LocalHost {
		return name
	}
	return ""
}

// CPUSets are the sets of processors in a text as Spec.ClientCPUs has it; all processors are one, the empty string.
func CPUSets(text string) []string { return strings.Split(text, "/") }

// places returns the number of places for processes on hosts with the same sets of processors: one on each set.
func places(hosts, cpus string) int { return len(HostList(hosts)) * len(CPUSets(cpus)) }

// ClientCPUSet are the processors of a client, counted from 0; empty is all. Clients of a host take its sets in turn.
func (s Spec) ClientCPUSet(i int) string { return dealtSet(s.ClientHosts, s.ClientCPUs, i) }

// ServerCPUSet are the processors of a server, counted from 0; empty is all.
func (s Spec) ServerCPUSet(i int) string { return dealtSet(s.ServerHosts, s.ServerCPUs, i) }

func dealtSet(hosts, cpus string, i int) string {
	sets := CPUSets(cpus)
	return sets[i/len(HostList(hosts))%len(sets)]
}

// Apart reports whether processes of a trial run on more than one host.
func (s Spec) Apart() bool {
	if s.Target != "" {
		return false // whatever the clients' hosts are, nobody connects to this machine
	}
	first := s.ClientHost(0)
	for i := range s.ClientCount() {
		if s.ClientHost(i) != first {
			return true
		}
	}
	for i := range s.ServerCount() {
		if s.ServerHost(i) != first {
			return true
		}
	}
	return false
}

// misplaced finds processes that could not reach each other on their hosts, or have none.
func misplaced(s Asked) *stack.Fault {
	if found := idle(s); found != nil {
		return found
	}
	switch {
	case s.Target != "" && s.ServerHosts != "":
		return fault("server_hosts", "the server at %s is already running", s.Target)
	case s.Network == stack.NetworkUnix && (s.Apart() || s.Target != "" && len(s.Hosts()) > 0):
		return fault("network", "a Unix socket can't be reached from another host")
	case s.Binary != "" && len(s.Hosts()) > 0:
		return fault("binary", "it is on this machine, and processes on other hosts run this rpcbench")
	default:
		return nil
	}
}

// SocketNetwork is the network of the sockets that the point's network has: tcp or unix; inproc has none.
func (s Spec) SocketNetwork() string { return stack.SocketNetwork(s.Network) }

// idle finds hosts that would have nothing to do.
func idle(s Asked) *stack.Fault {
	clients, servers := s.Clients, s.Servers
	if s.OneClient {
		clients = 1
	}
	if s.OneServer {
		servers = 1
	}
	if hosts := len(HostList(s.ClientHosts)); clients > 0 && clients < hosts {
		return idleHost("client", hosts, clients)
	}
	if hosts := len(HostList(s.ServerHosts)); servers > 0 && servers < hosts {
		return idleHost("server", hosts, servers)
	}
	if s.Coding() && len(CPUSets(s.ClientCPUs)) > 1 {
		return fault("client_cpus", "%s has one process: name one set of processors", s.Kind)
	}
	if room := places(s.ClientHosts, s.ClientCPUs); clients > 0 && clients < room {
		return idleSet("client", room, clients)
	}
	if room := places(s.ServerHosts, s.ServerCPUs); servers > 0 && servers < room {
		return idleSet("server", room, servers)
	}
	return nil
}

func idleSet(side string, sets, processes int) *stack.Fault {
	return fault(side+"_cpus", "each of the %d sets of processors needs a %[2]s, and %[2]ss is %[3]d: name fewer sets, or leave "+
		"%[2]ss out", sets, side, processes)
}

func idleHost(side string, hosts, processes int) *stack.Fault {
	return fault(side+"_hosts",
		"each of the %d hosts has a %[2]s at least, and %[2]ss is %[3]d: name fewer hosts, or leave %[2]ss out", hosts, side, processes)
}
