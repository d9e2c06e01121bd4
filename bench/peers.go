package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"rpcbench/internal/results/stat"
)

// What all clients do: unary calls of grpc.testing.BenchmarkService with a payload of one byte each way,
// pinned to a processor of their own, against one server that is pinned to another. grpc-wire and ghz are told of each
// failed call, and one is too many; h2load takes every answer with the HTTP status 200 for a good one. Each of them
// calls for a second, which is not measured, and then for the length of a run.
//
// Client CPU is what the process has used: of h2load and ghz from start to end, of ours between two Marks around its
// phase, because a worker's start, which has all stacks of rpcbench in it, is no part of a call.
const (
	peersPairs  = 10 // at most
	peersBytes  = 1
	peersMethod = "grpc.testing.BenchmarkService/UnaryCall"

	// Of medians at 50 and at 500 in flight.
	minPeersRate     = 0.98 // of h2load's calls per second
	maxPeersGHZ      = 0.1  // of ghz's CPU per call
	ghzConnections   = 1000 // beyond, at 5,000, it ends in a panic
	minPeersLimit    = 1.1  // of h2load's calls per second where the client is the limit
	peersLimitsOwn   = 0.95 // of a processor, for it to be that
	peersServerStack = "grpc-go"
)

var (
	peersClientCPUs = []int{0}
	peersServerCPUs = []int{1}

	oneCall     = shape{1, 1}
	peersShapes = []shape{oneCall, {1, 50}, {1, 500}, {100, 1}, {400, 1}, {5000, 1}}

	// maxPeersCPU is the maximum of our CPU per call as a fraction of h2load's.
	maxPeersCPU = map[shape]float64{
		oneCall: 1, {1, 50}: 0.5, {1, 500}: 0.3, {100, 1}: 0.85, {400, 1}: 0.85, {5000, 1}: 0.85,
	}
)

// A shape is a number of connections, and of calls in flight on each of them.
type shape struct{ connections, inFlight int }

func (s shape) String() string { return strconv.Itoa(s.connections) + "x" + strconv.Itoa(s.inFlight) }

// An effort is the cost of calls.
type effort struct {
	perSec float64
	perUS  float64 // µs of client CPU per call
	busy   float64 // of a processor
}

// A peer is a client that measures calls on a server.
type peer struct {
	name string
	call func(ctx context.Context, address string, at shape) (effort, error)
}

// peersBar sets grpc-wire beside the tools that people use.
func peersBar(ctx context.Context, r *rig) ([]line, error) {
	peers := []peer{{"grpc-wire", r.wireEffort}, {"h2load", r.h2loadEffort}, {"ghz", r.ghzEffort}}
	var lines []line
	for _, at := range peersShapes {
		those := peers
		if at.connections > ghzConnections {
			those = peers[:2]
		}
		rounds, err := r.rounds(ctx, those, at, r.onPinnedServer)
		if err != nil {
			return lines, err
		}
		lines = append(lines, peerLines(those, rounds, at)...)
	}
	rounds, err := r.rounds(ctx, peers[:2], shape{1, 500}, r.onWireServer)
	if err != nil {
		return lines, err
	}
	return append(lines, limitLines(rounds)...), nil
}

// rounds measures all peers against a fresh server, again and again, in another order each time.
func (r *rig) rounds(
	ctx context.Context, peers []peer, at shape, onServer func(context.Context, func(address string) error) error,
) ([]map[string]effort, error) {
	return repeat(ctx, min(r.pairs, peersPairs), func() (map[string]effort, error) {
		round := map[string]effort{}
		order := slices.Clone(peers)
		r.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		err := onServer(ctx, func(address string) error {
			for _, p := range order {
				made, err := p.call(ctx, address, at)
				if err != nil {
					return fmt.Errorf("%s, %v: %w", p.name, at, err)
				}
				round[p.name] = made
			}
			return nil
		})
		return round, err
	})
}

func perSecOf(e effort) float64 { return e.perSec }
func cpuOf(e effort) float64    { return e.perUS }

// ratioTo sums up our figure over a peer's.
func ratioTo(peer string, rounds []map[string]effort, figure func(effort) float64) stat.Summary {
	return summarize(rounds, func(round map[string]effort) float64 { return figure(round["grpc-wire"]) / figure(round[peer]) })
}

func peerLines(peers []peer, rounds []map[string]effort, at shape) []line {
	var lines []line
	for _, p := range peers {
		of := func(figure func(effort) float64) stat.Summary {
			return summarize(rounds, func(round map[string]effort) float64 { return figure(round[p.name]) })
		}
		lines = append(lines,
			line{name: fmt.Sprintf("peers %v %s", at, p.name), measured: figure(of(cpuOf), 2, "µs CPU/call")},
			line{name: fmt.Sprintf("peers %v %s", at, p.name), measured: figure(of(perSecOf), 0, "calls/s")})
	}
	for _, p := range peers[1:] {
		most := maxPeersGHZ
		if p.name == "h2load" {
			most = maxPeersCPU[at]
		}
		held := atMostOf(fmt.Sprintf("peers %v CPU / %s's", at, p.name), ratioTo(p.name, rounds, cpuOf), most)
		if p.name == "ghz" && at == oneCall {
			held.limit = "" // the system calls are all there is
		}
		lines = append(lines, held)
	}
	return append(lines,
		atLeastOf(fmt.Sprintf("peers %v calls / h2load's", at), ratioTo("h2load", rounds, perSecOf), minPeersRate))
}

// limitLines are of a server that is faster than h2load, which must be at its limit. Ours may still have some to spare.
func limitLines(rounds []map[string]effort) []line {
	busy := func(name string) stat.Summary {
		return summarize(rounds, func(round map[string]effort) float64 { return round[name].busy })
	}
	rate := func(name string) line {
		perSec := summarize(rounds, func(round map[string]effort) float64 { return round[name].perSec })
		return line{name: "peers limit " + name, measured: figure(perSec, 0, "calls/s")}
	}
	return []line{
		rate("grpc-wire"), {name: "peers limit busy", measured: figure(busy("grpc-wire"), 3, "of a core")},
		rate("h2load"), atLeastOf("peers limit busy h2load", busy("h2load"), peersLimitsOwn),
		atLeastOf("peers limit / h2load's", ratioTo("h2load", rounds, perSecOf), minPeersLimit),
	}
}

func atMostOf(name string, s stat.Summary, limit float64) line {
	return line{name: name, measured: figure(s, 3, ""), limit: fmt.Sprintf("≤ %g", limit), pass: s.Median <= limit}
}

func atLeastOf(name string, s stat.Summary, limit float64) line {
	return line{name: name, measured: figure(s, 3, ""), limit: fmt.Sprintf("≥ %g", limit), pass: s.Median >= limit}
}

func (r *rig) onPinnedServer(ctx context.Context, measure func(address string) error) error {
	command, err := r.worker(ctx)
	if err != nil {
		return err
	}
	server, address, err := startServer(ctx, command, peersServerCPUs, peersServerStack, nil)
	if err != nil {
		return err
	}
	defer server.Close()
	return measure(address)
}

// wireEffort is of our client, in a fresh process.
func (r *rig) wireEffort(ctx context.Context, address string, at shape) (effort, error) {
	command, err := r.worker(ctx)
	if err != nil {
		return effort{}, err
	}
	p, err := startClient(ctx, command, peersClientCPUs, point{
		stack: "grpc-wire", address: address, bytes: peersBytes, connections: at.connections, inFlight: at.inFlight,
	})
	if err != nil {
		return effort{}, err
	}
	defer p.Close()
	if err := warmUp(ctx, p, demand{}, warmup); err != nil {
		return effort{}, err
	}
	before, err := p.Mark(ctx)
	if err != nil {
		return effort{}, err
	}
	done, err := measure(ctx, p, demand{duration: r.duration})
	if err != nil {
		return effort{}, err
	}
	after, err := p.Mark(ctx)
	if err != nil {
		return effort{}, err
	}
	cpu := after.GetCpuUserNs() + after.GetCpuSystemNs() - before.GetCpuUserNs() - before.GetCpuSystemNs()
	return effortOf(float64(done.GetArrivals()), r.duration.Seconds(), float64(cpu)/1e9), nil
}

// effortOf returns the effort of calls that took this many seconds, and seconds of CPU time.
func effortOf(calls, seconds, cpu float64) effort {
	return effort{perSec: calls / seconds, perUS: cpu / calls * 1e6, busy: cpu / seconds}
}
