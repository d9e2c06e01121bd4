package main

import (
	"context"
	"fmt"
	"math"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"rpcbench/internal/results/stat"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

const (
	relayRuns        = 7
	relayTrips       = 41
	relayConnections = 4
	relayWindow      = 64  // messages in flight on each
	relayBytes       = 100 // of a message, each way
	relayCarry       = 125e6
	relayMessages    = 50_000
	relayShare       = .05 // that times and bandwidths may be off
	relayOff         = 300 * time.Microsecond
)

// relayBar measures the emulated link: whether its latency and bandwidth are as specified, and what it carries when only the
// relay limits it. Client and server are bare sockets in this process; the relay is a process of its own.
func relayBar(ctx context.Context, r *rig) ([]line, error) {
	var lines []line
	for _, rtt := range []time.Duration{500 * time.Microsecond, 2 * time.Millisecond, 45 * time.Millisecond} {
		trips, err := repeat(ctx, relayRuns, func() (float64, error) { return r.relayTrip(ctx, rtt) })
		if err != nil {
			return lines, err
		}
		lines = append(lines, relayTripLine(rtt, stat.Summarize(trips)))
	}
	wide, err := r.relayWidth(ctx)
	lines = append(lines, wide...)
	if err != nil {
		return lines, err
	}
	carried, err := r.relayCarries(ctx)
	return append(lines, carried...), err
}

func relayTripLine(rtt time.Duration, s stat.Summary) line {
	most := max(relayOff, time.Duration(relayShare*float64(rtt)))
	ms := float64(time.Millisecond)
	return line{
		name: "relay rtt " + rtt.String(), measured: figure(s, 3, "ms"),
		limit: fmt.Sprintf("%v to +%v", rtt, most),
		pass:  s.Median >= float64(rtt)/ms && s.Median <= float64(rtt+most)/ms,
	}
}

// relayed is a relay and a server behind it.
type relayed struct {
	*launch.Worker
	target  net.Listener
	address string
}

func (r *rig) startRelay(ctx context.Context, link *control.Relay) (*relayed, error) {
	target, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go serveRelayed(target)
	p, err := launch.Start(ctx, process.Command(r.noopWorker()), launch.Order{})
	if err != nil {
		_ = target.Close()
		return nil, err
	}
	made := &relayed{Worker: p, target: target}
	link.Hops = []*control.Hop{{Network: stack.NetworkTCP, Listen: "127.0.0.1:0", Target: target.Addr().String()}}
	relaying, err := p.Relay(ctx, link)
	if err != nil {
		made.close()
		return nil, err
	}
	made.address = relaying.GetAddresses()[0]
	return made, nil
}

func (r *relayed) close() {
	_ = r.target.Close()
	_ = r.Abort() // what was measured is known
}

// dial opens a connection that is past its set-up.
func (r *relayed) dial(length time.Duration) (net.Conn, error) {
	conn, err := net.Dial("tcp", r.address)
	if err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(time.Now().Add(length + deadline)); err != nil {
		return nil, err
	}
	_, err = exchange(conn, 1, 1)
	return conn, err
}

// relayTrip returns the median of some round trips through a fresh relay, in ms.
func (r *rig) relayTrip(ctx context.Context, rtt time.Duration) (float64, error) {
	link, err := r.startRelay(ctx, &control.Relay{RttNs: int64(rtt)})
	if err != nil {
		return 0, err
	}
	defer link.close()
	conn, err := link.dial(relayTrips * rtt)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	sample := make([]float64, relayTrips)
	for i := range sample {
		took, err := exchange(conn, relayBytes, relayBytes)
		if err != nil {
			return 0, err
		}
		sample[i] = took.Seconds() * 1000
	}
	slices.Sort(sample)
	return sample[relayTrips/2], nil
}

// relayWidth measures 100 Mbit/s each way, and 1 Gbit/s, for a second each.
func (r *rig) relayWidth(ctx context.Context) ([]line, error) {
	var lines []line
	for _, w := range []struct {
		name   string
		perSec float64
		up     bool
	}{{"100 Mbit/s up", 12.5e6, true}, {"100 Mbit/s down", 12.5e6, false}, {"1 Gbit/s up", relayCarry, true}} {
		link := func() *control.Relay {
			return &control.Relay{RttNs: int64(time.Millisecond), UpBytesPerSec: w.perSec, DownBytesPerSec: w.perSec}
		}
		rates, err := repeat(ctx, relayRuns, func() (float64, error) {
			load, err := r.relayBulk(ctx, link(), int(w.perSec), w.up)
			return load.perSec * 8 / 1e6, err
		})
		if err != nil {
			return lines, err
		}
		s, want := stat.Summarize(rates), w.perSec*8/1e6
		lines = append(lines, line{
			name: "relay " + w.name, measured: figure(s, 1, "Mbit/s"), limit: fmt.Sprintf("%.0f Mbit/s ± 5%%", want),
			pass: math.Abs(s.Median-want) <= relayShare*want,
		})
	}
	return lines, nil
}

// relayCarries measures the throughput of a link without limits.
func (r *rig) relayCarries(ctx context.Context) ([]line, error) {
	link := func() *control.Relay { return &control.Relay{RttNs: int64(500 * time.Microsecond)} }
	bulks, err := repeat(ctx, relayRuns, func() (relayLoad, error) {
		return r.relayBulk(ctx, link(), int(relayCarry*r.duration.Seconds()), true)
	})
	if err != nil {
		return nil, err
	}
	lines := relayLines("bytes", "Mbit/s", relayCarry*8/1e6, 8/1e6, bulks)
	messages, err := repeat(ctx, relayRuns, func() (relayLoad, error) { return r.relaySmall(ctx, link()) })
	if err != nil {
		return lines, err
	}
	return append(lines, relayLines("messages", "/s", relayMessages, 1, messages)...), nil
}

// A relayLoad is what a relay carried, and its cost.
type relayLoad struct {
	perSec float64 // bytes or messages
	cpu    float64 // percent of a core
	late   float64 // µs at p99
}

func relayLines(name, unit string, least, scale float64, loads []relayLoad) []line {
	s := summarize(loads, func(l relayLoad) float64 { return l.perSec * scale })
	cpu := summarize(loads, func(l relayLoad) float64 { return l.cpu })
	late := summarize(loads, func(l relayLoad) float64 { return l.late })
	return []line{
		{name: "relay " + name, measured: figure(s, 0, unit), limit: fmt.Sprintf("≥ %.0f %s", least, unit), pass: s.Median >= least},
		{name: "relay cpu, " + name, measured: figure(cpu, 1, "% of a core")},
		{name: "relay late p99, " + name, measured: figure(late, 1, "µs")},
	}
}

// relayBulk sends n bytes in one direction. Both ends of it take half a round trip beside.
func (r *rig) relayBulk(ctx context.Context, command *control.Relay, n int, up bool) (relayLoad, error) {
	link, err := r.startRelay(ctx, command)
	if err != nil {
		return relayLoad{}, err
	}
	defer link.close()
	conn, err := link.dial(patience)
	if err != nil {
		return relayLoad{}, err
	}
	defer conn.Close()
	return link.measure(ctx, func() (float64, error) {
		there, back := n, 1
		if !up {
			there, back = 1, n
		}
		took, err := exchange(conn, there, back)
		return float64(n) / (took - time.Duration(command.GetRttNs())).Seconds(), err
	})
}

// relaySmall sends small messages there and back on some connections.
func (r *rig) relaySmall(ctx context.Context, command *control.Relay) (relayLoad, error) {
	link, err := r.startRelay(ctx, command)
	if err != nil {
		return relayLoad{}, err
	}
	defer link.close()
	conns := make([]net.Conn, relayConnections)
	for i := range conns {
		if conns[i], err = link.dial(r.duration); err != nil {
			return relayLoad{}, err
		}
		defer conns[i].Close()
	}
	return link.measure(ctx, func() (float64, error) {
		var answers atomic.Int64
		var sending sync.WaitGroup
		errs := make([]error, len(conns))
		begun := time.Now()
		for i, conn := range conns {
			sending.Go(func() { errs[i] = exchanges(conn, relayBytes, relayWindow, r.duration, &answers) })
		}
		sending.Wait()
		for _, err := range errs {
			if err != nil {
				return 0, err
			}
		}
		return float64(answers.Load()) / time.Since(begun).Seconds(), nil
	})
}

// measure takes the relay's snapshots around a load.
func (r *relayed) measure(ctx context.Context, load func() (perSec float64, err error)) (relayLoad, error) {
	before, err := r.Mark(ctx)
	if err != nil {
		return relayLoad{}, err
	}
	perSec, err := load()
	if err != nil {
		return relayLoad{}, err
	}
	after, err := r.Mark(ctx)
	if err != nil {
		return relayLoad{}, err
	}
	cpu := after.GetCpuUserNs() + after.GetCpuSystemNs() - before.GetCpuUserNs() - before.GetCpuSystemNs()
	return relayLoad{
		perSec: perSec, cpu: 100 * float64(cpu) / float64(after.GetTimeNs()-before.GetTimeNs()),
		late: float64(after.GetRelayLateP99Ns()) / microsecond,
	}, nil
}
