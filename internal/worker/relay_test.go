package worker_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// relayTo has a worker put a link of 10 ms before addresses.
func relayTo(t *testing.T, addresses ...string) (*control.Session, *control.Relaying) {
	t.Helper()
	s := open(t)
	command := &control.Relay{RttNs: int64(10 * time.Millisecond)}
	for _, address := range addresses {
		command.Hops = append(command.Hops, &control.Hop{Network: stack.NetworkTCP, Listen: "127.0.0.1:0", Target: address})
	}
	relaying, err := s.Relay(t.Context(), command)
	if err != nil {
		t.Fatal(err)
	}
	return s, relaying
}

func TestCallsThroughARelayTakeItsRoundTripAndAreCounted(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tcp", "grpc-go"} {
		first, one := serve(t, name)
		second, two := serve(t, name)
		link, relaying := relayTo(t, one, two)
		if len(relaying.GetAddresses()) != 2 {
			t.Fatalf("%s: addresses %v, want two", name, relaying.GetAddresses())
		}
		client := open(t)
		connect := unary(name, "")
		connect.Addresses = relaying.GetAddresses()
		if _, err := client.Connect(t.Context(), connect); err != nil {
			t.Fatal(err)
		}
		done, err := client.Begin(t.Context(), closed(60), ignore)
		if err != nil {
			t.Fatal(err)
		}
		if got := done.GetOutcomes(); len(got) != 1 || got[0].GetCode() != "OK" {
			t.Errorf("%s: outcomes %v", name, got)
		}
		if least := int64(100 * time.Millisecond); done.GetElapsedNs() < least { // ten calls in each of six slots
			t.Errorf("%s: 60 calls took %d ns, want at least %d", name, done.GetElapsedNs(), least)
		}
		c, l, servers := settled(t, client, link, first, second)
		if l.GetSockets() != c.GetSockets() || l.GetBytesOut() != c.GetBytesOut() || servers != c.GetBytesOut() {
			t.Errorf("%s: the client sent %d bytes on %d sockets, the relay passed on %d on %d, the servers got %d",
				name, c.GetBytesOut(), c.GetSockets(), l.GetBytesOut(), l.GetSockets(), servers)
		}
		if l.RelayLateP99Ns == nil || l.GetRelayLateMaxNs() < l.GetRelayLateP99Ns() || l.PacerCpuNs == nil {
			t.Errorf("%s: snapshot %v", name, l)
		}
		if c.RelayLateP99Ns != nil {
			t.Errorf("%s: a client says how late it relays", name)
		}
	}
}

// settled marks everybody, again until nothing is on the way any more: some stacks say a word after the last call.
func settled(t *testing.T, client, link, first, second *control.Session) (c, l *control.Snapshot, servers int64) {
	t.Helper()
	for until := time.Now().Add(patience); ; {
		c, l = mark(t, client), mark(t, link)
		servers = mark(t, first).GetBytesIn() + mark(t, second).GetBytesIn()
		passed := l.GetBytesOut() == c.GetBytesOut() && servers == c.GetBytesOut()
		if passed || time.Now().After(until) {
			return c, l, servers
		}
	}
}

func TestWhatWasNeverPassedOnWasNeverLate(t *testing.T) {
	t.Parallel()
	s, _ := relayTo(t, "127.0.0.1:1")
	if m := mark(t, s); m.RelayLateP99Ns != nil || m.RelayLateMaxNs != nil || m.GetBytesOut() != 0 || m.GetSockets() != 0 {
		t.Errorf("snapshot %v", m)
	}
}

func TestALinkThatCanNotBeIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	made := func() *control.Relay {
		return &control.Relay{
			Hops:  []*control.Hop{{Network: stack.NetworkTCP, Listen: "127.0.0.1:0", Target: "127.0.0.1:1"}},
			RttNs: 10, JitterNs: 5, UpBytesPerSec: 1,
		}
	}
	for _, c := range []struct {
		field, why string
		change     func(*control.Relay)
	}{
		{"relay.hops", "there is none", func(r *control.Relay) { r.Hops = nil }},
		{"relay.hops", `hop 1 of 1: "udp" is not a network`, func(r *control.Relay) { r.Hops[0].Network = "udp" }},
		{"relay.hops", "no place to listen or no target", func(r *control.Relay) { r.Hops[0].Target = "" }},
		{"relay.hops", "hop 1 of 1: listen tcp", func(r *control.Relay) { r.Hops[0].Listen = "127.0.0.1:port" }},
		{"relay.rtt_ns", "-1", func(r *control.Relay) { r.RttNs = -1 }},
		{"relay.jitter_ns", "6 is not between 0 and the delay of one way, 5", func(r *control.Relay) { r.JitterNs = 6 }},
		{"relay.jitter_ns", "-1", func(r *control.Relay) { r.JitterNs = -1 }},
		{"relay.up_bytes_per_sec", "-1", func(r *control.Relay) { r.UpBytesPerSec = -1 }},
		{"relay.up_bytes_per_sec", "NaN", func(r *control.Relay) { r.UpBytesPerSec = math.NaN() }},
		{"relay.down_bytes_per_sec", "Inf", func(r *control.Relay) { r.DownBytesPerSec = math.Inf(1) }},
	} {
		command := made()
		c.change(command)
		_, err := s.Relay(t.Context(), command)
		var fault *control.FaultError
		if !errors.As(err, &fault) || fault.Field != c.field || !strings.Contains(fault.Message, c.why) {
			t.Errorf("%s: %v, want it to say %q", c.field, err, c.why)
		}
	}
	if _, err := s.Relay(t.Context(), made()); err != nil {
		t.Errorf("after the Faults: %v", err)
	}
}

func TestAWorkerHasOneRole(t *testing.T) {
	t.Parallel()
	server, address := serve(t, "tcp")
	link, relaying := relayTo(t, address)
	_, serving := server.Relay(t.Context(), &control.Relay{Hops: []*control.Hop{{Network: "tcp", Listen: ":0", Target: address}}})
	_, connecting := link.Connect(t.Context(), unary("tcp", relaying.GetAddresses()[0]))
	_, again := link.Relay(t.Context(), &control.Relay{})
	for _, c := range []struct {
		field string
		err   error
	}{{"relay", serving}, {"connect", connecting}, {"relay", again}} {
		var fault *control.FaultError
		if !errors.As(c.err, &fault) || fault.Field != c.field || !strings.Contains(fault.Message, "busy") {
			t.Errorf("%s: %v, want a Fault", c.field, c.err)
		}
	}
}
