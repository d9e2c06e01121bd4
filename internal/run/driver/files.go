package driver

import (
	"cmp"
	"fmt"

	"rpcbench/internal/plan"
	"rpcbench/internal/worker/control"
)

// ownFiles is the minimum number of files that a worker has open besides sockets.
const ownFiles = 16

// checkFiles returns an error if a process may not open as many files as the trial has sockets. Otherwise clients would fail
// halfway, and servers would leave connections waiting.
func (s *sides) checkFiles() error {
	if codes(s.spec) || s.spec.InOneProcess() {
		return nil
	}
	all := 0
	for i, client := range s.clients {
		sockets := fewestSockets(s.spec.OfClient(i), isMultiplexed(client.Hello, s.spec.Stack))
		if err := checkFilesOf(client, sockets); err != nil {
			return err
		}
		all += sockets
	}
	for _, server := range s.servers {
		if err := checkFilesOf(server, all/len(s.servers)); err != nil {
			return err
		}
	}
	return cmp.Or(checkFilesOf(s.relay, 2*all), checkFilesOf(s.proxy, all))
}

// fewestSockets returns how many sockets a client opens at least. The calls in flight of an open load are only a limit: how many
// there are depends on the server.
func fewestSockets(spec plan.Spec, isMultiplexed bool) int {
	if !spec.Closed() {
		return spec.Connections
	}
	return spec.Sockets(isMultiplexed)
}

func isMultiplexed(hello *control.Hello, stack string) bool {
	for _, info := range hello.GetStacks() {
		if info.GetName() == stack {
			return info.GetMultiplexed()
		}
	}
	return false
}

func checkFilesOf(p namedProcess, sockets int) error {
	if p.Worker == nil {
		return nil
	}
	limit := p.Hello.GetHost().GetOpenFiles()
	if needed := int64(sockets) + ownFiles; limit > 0 && needed > limit {
		return blame(p.name, fmt.Errorf("the system limits the process to %d open files, and %d sockets need at least %d: "+
			"raise the limit (ulimit -n), or use fewer connections", limit, sockets, needed))
	}
	return nil
}
