package conform

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"strings"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// relayLink is what the relay emulates.
var relayLink = link{rtt: 40 * time.Millisecond, perSec: 1e6}

// A link has a bandwidth up; down has no limit.
type link struct {
	rtt    time.Duration
	perSec float64 // bytes
}

// trip returns the minimum time for n bytes there and back.
func (l link) trip(n int) time.Duration {
	return l.rtt + time.Duration(float64(n)/l.perSec*float64(time.Second))
}

// The data that goes through the relay.
const (
	relayMessage = 1000
	relayBulk    = 100_000
	relayTrips   = 10
)

// relaying puts the worker's link between this process and its own server. Relaying is optional: a worker without it answers with
// a Fault, and conforms as well.
func relaying(r *rig) (string, error) { return relayingOver(r, relayLink) }

func relayingOver(r *rig, l link) (string, error) {
	target, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer target.Close()
	go echo(target)
	vacant, err := newVacancy()
	if err != nil {
		return "", err
	}
	defer vacant.Close()
	dead := vacant.address()
	c, err := r.start(r.worker)
	if err != nil {
		return "", err
	}
	relaying, err := c.Relay(r.ctx, relayCommand(l, target.Addr().String(), dead))
	if fault, ok := asFault(err); ok && !strings.HasPrefix(fault.Field, "relay") {
		_, err := c.Mark(r.ctx)
		return "it does not relay: " + fault.Error(), c.explain(err)
	}
	if err != nil {
		return "", c.explain(err)
	}
	if n := len(relaying.GetAddresses()); n != 2 {
		return "", fmt.Errorf("relaying.addresses has %d, want one for each of 2 hops", n)
	}
	if err := distance(r, c, l, relaying.GetAddresses()[0]); err != nil {
		return "", err
	}
	if err := refusal(r, relaying.GetAddresses()[1]); err != nil {
		return "", err
	}
	if err := c.end(); err != nil {
		return "", err
	}
	return fmt.Sprintf("no round trip took less than %v", l.trip(relayMessage)), relayFaults(r, dead)
}

func relayCommand(l link, targets ...string) *control.Relay {
	command := &control.Relay{RttNs: int64(l.rtt), UpBytesPerSec: l.perSec, Seed: seed}
	for _, target := range targets {
		hop := &control.Hop{Network: stack.NetworkTCP, Listen: "127.0.0.1:0", Target: target}
		command.Hops = append(command.Hops, hop)
	}
	return command
}

// echo sends back what arrives on every connection, and ends when the client has.
func echo(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return // the case is over
		}
		go func() {
			defer conn.Close()
			_, _ = io.Copy(conn, conn) // the client sees what is missing
		}()
	}
}

// distance checks that a connection, a round trip and a bulk transfer take at least as long as on the link, that each direction
// ends separately, and the relay's counts.
func distance(r *rig, c *party, l link, address string) error {
	begun := time.Now()
	socket, err := dialFor(r, address)
	if err != nil {
		return err
	}
	defer socket.Close()
	if err := exchange(socket, relayMessage); err != nil {
		return fmt.Errorf("the first message: %w", err)
	}
	trip := l.trip(relayMessage)
	if took := time.Since(begun); took < trip+l.rtt {
		return fmt.Errorf("a connection and its first message took %v, want two round trips, %v", took, trip+l.rtt)
	}
	best, err := bestTrip(socket)
	if err != nil {
		return err
	}
	if best < trip {
		return fmt.Errorf("the shortest of %d round trips took %v, less than %v", relayTrips, best, trip)
	}
	begun = time.Now()
	if err := exchange(socket, relayBulk); err != nil {
		return err
	}
	if took := time.Since(begun); took < l.trip(relayBulk) {
		return fmt.Errorf("%d bytes took %v there and back, less than %v", relayBulk, took, l.trip(relayBulk))
	}
	return errors.Join(relayEnd(socket), relayMarks(r, c))
}

// bestTrip returns the shortest of some round trips.
func bestTrip(socket net.Conn) (time.Duration, error) {
	best := time.Duration(math.MaxInt64)
	for range relayTrips {
		begun := time.Now()
		if err := exchange(socket, relayMessage); err != nil {
			return 0, err
		}
		best = min(best, time.Since(begun))
	}
	return best, nil
}

// maxRelayLateness is 5% of a round trip.
const maxRelayLateness = 2 * time.Millisecond

// relayLate measures how much longer than the link's the shortest round trip is.
func relayLate(r *rig) (lateness, error) {
	target, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return lateness{}, err
	}
	defer target.Close()
	go echo(target)
	c, err := r.start(r.worker)
	if err != nil {
		return lateness{}, err
	}
	relaying, err := c.Relay(r.ctx, relayCommand(relayLink, target.Addr().String()))
	if fault, ok := asFault(err); ok {
		return lateness{detail: "it does not relay: " + fault.Error()}, nil
	}
	if err != nil {
		return lateness{}, c.explain(err)
	}
	socket, err := dialFor(r, relaying.GetAddresses()[0])
	if err != nil {
		return lateness{}, err
	}
	defer socket.Close()
	best, err := bestTrip(socket)
	trip := relayLink.trip(relayMessage)
	return lateness{best - trip, fmt.Sprintf("the shortest of %d round trips of %v", relayTrips, trip)}, err
}

func dialFor(r *rig, address string) (*net.TCPConn, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(r.ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	until, _ := r.ctx.Deadline()
	_ = conn.SetDeadline(until) // a new socket takes it
	return conn.(*net.TCPConn), nil
}

// exchange sends n bytes and expects them back.
func exchange(socket net.Conn, n int) error {
	sent := make(chan error, 1)
	go func() {
		_, err := socket.Write(stack.Payload(stack.PayloadRandom, seed, n))
		sent <- err
	}()
	reply := make([]byte, n)
	_, err := io.ReadFull(socket, reply)
	if err = errors.Join(<-sent, err); err == nil && string(reply) != string(stack.Payload(stack.PayloadRandom, seed, n)) {
		err = fmt.Errorf("%d bytes came back changed", n)
	}
	return err
}

// relayEnd ends one direction, which must not end the other.
func relayEnd(socket *net.TCPConn) error {
	message := []byte("the end")
	if _, err := socket.Write(message); err != nil {
		return err
	}
	if err := socket.CloseWrite(); err != nil {
		return err
	}
	rest, err := io.ReadAll(socket)
	if string(rest) != string(message) {
		err = errors.Join(fmt.Errorf("after the end of one direction %q came back on the other, want %q", rest, message), err)
	}
	return err
}

// relayMarks checks the relay's own counters.
func relayMarks(r *rig, c *party) error {
	mark, err := c.Mark(r.ctx)
	if err != nil {
		return c.explain(err)
	}
	want := int64((relayTrips+1)*relayMessage + relayBulk + len("the end"))
	switch {
	case mark.GetBytesOut() != want || mark.GetBytesIn() != want:
		return fmt.Errorf("bytes_out is %d and bytes_in %d, want %d of both", mark.GetBytesOut(), mark.GetBytesIn(), want)
	case mark.GetSockets() != 1:
		return fmt.Errorf("sockets is %d, want 1", mark.GetSockets())
	case mark.RelayLateP99Ns == nil || mark.RelayLateMaxNs == nil:
		return errors.New("relay_late_p99_ns or relay_late_max_ns is absent")
	case mark.GetRelayLateP99Ns() < 0 || mark.GetRelayLateMaxNs() < mark.GetRelayLateP99Ns():
		return fmt.Errorf("relay_late_p99_ns is %d, relay_late_max_ns %d", mark.GetRelayLateP99Ns(), mark.GetRelayLateMaxNs())
	}
	return nil
}

// refusal connects to a hop whose server is not there.
func refusal(r *rig, address string) error {
	socket, err := dialFor(r, address)
	if err != nil {
		return nil // refused
	}
	defer socket.Close()
	n, err := socket.Read(make([]byte, 1))
	switch timeout, isNet := errors.AsType[net.Error](err); {
	case n > 0:
		return errors.New("a server that is not there sent something")
	case isNet && timeout.Timeout():
		return errors.New("a connection to a server that is not there was kept open")
	}
	return nil
}

// relayFaults asks a fresh worker for links that there can't be.
func relayFaults(r *rig, target string) error {
	c, err := r.start(r.worker)
	if err != nil {
		return err
	}
	made := func() *control.Relay { return relayCommand(relayLink, target) }
	_, err = refuses(unsupportedRelays, made, func(command *control.Relay) error {
		_, err := c.Relay(r.ctx, command)
		return err
	})
	return err
}

var unsupportedRelays = []unsupported[*control.Relay]{
	{"relay.hops", func(c *control.Relay) { c.Hops = nil }},
	{"relay.hops", func(c *control.Relay) { c.Hops[0].Network = noWord }},
	{"relay.hops", func(c *control.Relay) { c.Hops[0].Target = "" }},
	{"relay.hops", func(c *control.Relay) { c.Hops[0].Listen = "127.0.0.1:port" }},
	{"relay.rtt_ns", func(c *control.Relay) { c.RttNs = -1 }},
	{"relay.jitter_ns", func(c *control.Relay) { c.JitterNs = c.GetRttNs() }},
	{"relay.up_bytes_per_sec", func(c *control.Relay) { c.UpBytesPerSec = -1 }},
	{"relay.down_bytes_per_sec", func(c *control.Relay) { c.DownBytesPerSec = -1 }},
}
