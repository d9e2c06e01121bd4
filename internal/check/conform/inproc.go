package conform

import (
	"fmt"
	"slices"

	"rpcbench/internal/stack"
)

// inprocCases have one worker play both sides, with every kind: a transport within a process is seldom the one that a stack has
// for sockets.
func inprocCases(p pair) []Case {
	if !slices.Contains(p.networks, stack.NetworkInproc) || p.client.tested != p.server.tested {
		return nil
	}
	var cases []Case
	for _, kind := range p.kinds {
		s := ofKind(kind)
		s.network = stack.NetworkInproc
		cases = append(cases, Case{
			Name: "inproc, " + kind, run: func(r *rig) (string, error) { return r.countedInproc(s) },
		})
	}
	return cases
}

// onlyInproc reports whether there is no other network, and so no two processes for the pair's sides.
func (p pair) onlyInproc() bool {
	return slices.Contains(p.networks, stack.NetworkInproc) && !slices.Contains(p.networks, stack.NetworkTCP)
}

// countedInproc makes calls from a worker to itself and checks their counts. Counts of bytes and sockets are the client's; both
// are unknown if nothing is encoded. The first call is not checked: without sockets the other slots may have made all calls
// before the first slot's turn.
func (r *rig) countedInproc(s setup) (string, error) {
	worker, err := r.start(r.pair.client.command)
	if err != nil {
		return "", err
	}
	if err := r.serve(worker, &s); err != nil {
		return "", err
	}
	if _, err := r.connect(worker, s); err != nil {
		return "", err
	}
	done, err := r.phase(worker, closedCalls(countedCalls))
	if err != nil {
		return "", err
	}
	if err := checkCounts(done, s); err != nil {
		return "", err
	}
	mark, err := worker.Mark(r.ctx)
	if err != nil {
		return "", err
	}
	if most := max(s.slots(), countedCalls); mark.GetSockets() > most {
		return "", fmt.Errorf("the worker opened %d sockets, expected those of the client, at most %d", mark.GetSockets(), most)
	}
	return fmt.Sprintf("%d calls, %s", countedCalls, wireText(mark)), checkPayloadOnWire(s, done, mark)
}
