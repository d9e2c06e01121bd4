package point

import "rpcbench/internal/stack"

// InOneProcess reports whether client and server are in one process.
func (s Spec) InOneProcess() bool { return s.Network == stack.NetworkInproc }

// oneProcess finds what a process with both sides does not support.
func oneProcess(s Spec) *stack.Fault {
	const network = stack.NetworkInproc
	switch {
	case !s.InOneProcess():
		return nil
	case s.Target != "":
		return fault("network", "the server at %s runs in another process, so it can't be reached by %s", s.Target, network)
	case s.ClientCount() > 1 || s.ServerCount() > 1:
		return fault("network", "%s is one process, which has one client and one server", network)
	case s.Apart():
		return fault("network", "%s is one process, so client and server can't run on different hosts", network)
	case s.Link != nil:
		return fault("network", "%s has no sockets that a link could be put between", network)
	case s.ServerCPUs != "" && s.ServerCPUs != s.ClientCPUs:
		return fault("network", "%s is one process, so server_cpus must be those of client_cpus, or left out", network)
	default:
		return nil
	}
}
