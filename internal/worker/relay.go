package worker

import (
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/relay"
)

// relays puts a link before servers.
func (w *worker) relays(c *control.Relay) (*control.Relaying, error) {
	if err := w.idle("relay"); err != nil {
		return nil, err
	}
	if err := checkRelay(c); err != nil {
		return nil, err
	}
	config := relay.Config{
		Link: relay.Link{
			RTT: time.Duration(c.GetRttNs()), Jitter: time.Duration(c.GetJitterNs()),
			UpPerSec: c.GetUpBytesPerSec(), DownPerSec: c.GetDownBytesPerSec(),
		},
		Seed:   c.GetSeed(),
		Failed: func(err error) { fmt.Fprintln(os.Stderr, "relay:", err) },
	}
	for _, hop := range c.GetHops() {
		config.Hops = append(config.Hops, relay.Hop{Network: hop.GetNetwork(), Listen: hop.GetListen(), Target: hop.GetTarget()})
	}
	made, err := relay.Start(config)
	if err != nil {
		return nil, control.Faultf("relay.hops", "%v", err)
	}
	w.relay = made
	return &control.Relaying{Addresses: made.Addresses()}, nil
}

// checkRelay names the first field that this worker can't honour.
func checkRelay(c *control.Relay) error {
	networks := []string{stack.NetworkTCP, stack.NetworkUnix}
	if len(c.GetHops()) == 0 {
		return control.Faultf("relay.hops", "there is none")
	}
	for i, hop := range c.GetHops() {
		switch {
		case !slices.Contains(networks, hop.GetNetwork()):
			return control.Faultf("relay.hops", "hop %d of %d: %q is not a network", i+1, len(c.GetHops()), hop.GetNetwork())
		case hop.GetListen() == "" || hop.GetTarget() == "":
			return control.Faultf("relay.hops", "hop %d of %d has no place to listen or no target", i+1, len(c.GetHops()))
		}
	}
	switch {
	case c.GetRttNs() < 0:
		return control.Faultf("relay.rtt_ns", "%d is negative", c.GetRttNs())
	case c.GetJitterNs() < 0 || c.GetJitterNs() > c.GetRttNs()/2:
		return control.Faultf("relay.jitter_ns", "%d is not between 0 and the delay of one way, %d", c.GetJitterNs(), c.GetRttNs()/2)
	}
	if !isRate(c.GetUpBytesPerSec()) {
		return control.Faultf("relay.up_bytes_per_sec", "%v is not a bandwidth", c.GetUpBytesPerSec())
	}
	if !isRate(c.GetDownBytesPerSec()) {
		return control.Faultf("relay.down_bytes_per_sec", "%v is not a bandwidth", c.GetDownBytesPerSec())
	}
	return nil
}

// isRate reports whether a link can have the bandwidth. Less than a byte a second would outlast any trial.
func isRate(perSec float64) bool { return perSec == 0 || perSec >= 1 && !math.IsInf(perSec, 0) }

// addRelay adds what a relay has done. Its bytes are those that it has passed on: out to servers, in to clients.
func addRelay(s *control.Snapshot, done relay.Stats) {
	s.Sockets = done.Connections
	s.BytesOut, s.BytesIn = &done.UpBytes, &done.DownBytes
	s.PacerCpuNs = new(int64(done.WaitCPU))
	if done.Late {
		s.RelayLateP99Ns, s.RelayLateMaxNs = new(int64(done.LateP99)), new(int64(done.LateMax))
	}
}
