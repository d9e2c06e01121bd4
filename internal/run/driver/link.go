package driver

import (
	"context"
	"fmt"
	"net"
	"path/filepath"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// linkSide is the name of the process that plays the link, beside server and client.
const linkSide = "link"

// reach returns the addresses where the client finds servers that are at targets: the link's, where there is one.
func (s *sides) reach(ctx context.Context, targets []string) ([]string, error) {
	link := s.spec.Link
	if link == nil {
		return targets, nil
	}
	relay := &control.Relay{
		RttNs: link.RTTNs, JitterNs: link.JitterNs, UpBytesPerSec: link.UpBytesPerSec, DownBytesPerSec: link.DownBytesPerSec,
		Seed: s.trialSeed(),
	}
	for i, target := range targets {
		listen, err := s.listen(s.relay.Worker, fmt.Sprintf("l%d", i))
		if err != nil {
			return nil, blame(linkSide, err)
		}
		relay.Hops = append(relay.Hops, &control.Hop{Network: s.spec.SocketNetwork(), Listen: listen, Target: target})
	}
	relaying, err := s.relay.Relay(ctx, relay)
	if err != nil {
		return nil, blame(linkSide, err)
	}
	return relaying.GetAddresses(), nil
}

// listen returns where a process of the trial is to listen: on a port that it picks, where the others reach its host, or
// at a socket of that name, or within the process.
func (s *sides) listen(process *launch.Worker, name string) (string, error) {
	switch s.spec.Network {
	case stack.NetworkUnix:
	case stack.NetworkInproc:
		return "inproc:1", nil // libraries want it to look like host:port
	default:
		return net.JoinHostPort(process.Host().Address, "0"), nil
	}
	if err := s.makeSocketFolder(); err != nil {
		return "", err
	}
	return filepath.Join(s.sockets, name), nil
}
