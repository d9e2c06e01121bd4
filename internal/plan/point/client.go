package point

import "rpcbench/internal/stack"

// ClientCount returns the number of client processes: at least one on each host, and on each of its sets of processors.
func (s Spec) ClientCount() int { return max(s.Clients, places(s.ClientHosts, s.ClientCPUs)) }

// OfClient returns the part of the Spec for one of the clients, counted from 0: its connections, its calls and its share of the
// rate. What can't be divided evenly is dealt out, so all clients together do exactly what the Spec says.
func (s Spec) OfClient(i int) Spec {
	n := s.ClientCount()
	if n == 1 {
		return s
	}
	s.ClientCPUs = s.ClientCPUSet(i)
	s.Clients, s.ClientHosts = 0, ""
	s.Connections = int(dealt(int64(s.Connections), n, i))
	s.Calls = dealt(s.Calls, n, i)
	s.OfferedPerSec /= float64(n)
	s.Schedule = s.Schedule.Divided(n)
	return s
}

// dealt returns the share of number i of n if count items are dealt out one by one.
func dealt(count int64, n, i int) int64 { return (count + int64(n-1-i)) / int64(n) }

// unshared finds clients that can't share a point, because one would have nothing to do, or more than its part.
func unshared(s Spec) *stack.Fault {
	n := s.ClientCount()
	switch {
	case n == 1:
		return nil
	case s.Connections > 0 && s.Connections < n:
		return fault("clients", "%d share the connections, and each needs one: shape %s has %d", n, s.Shape(), s.Connections)
	case s.Calls > 0 && s.Calls < int64(n):
		return fault("clients", "%d share the calls, and each needs one: there are %d", n, s.Calls)
	case s.Load == LoadClosed && s.Schedule != nil && s.Connections%n != 0:
		return fault("clients", "%d can't share calls in flight that change: the %d connections can't be divided by %d", n,
			s.Connections, n)
	default:
		return nil
	}
}
