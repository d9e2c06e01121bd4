package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"rpcbench/internal/run/child"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/control"
)

// What all do: unary calls of no bytes on four connections with ten in flight on each. The plain programs of cpp/plain use
// the same library in the same way as the stacks and record nothing. Every pair has fresh processes.
//
// What differs: ours can cancel every call, checks its reply, counts sockets and bytes, and records in nanoseconds.
//
//nolint:gosec // these are paths and a line, not credentials
const (
	cppConnections = 4
	cppInFlight    = 10
	cppWorker      = "bin/cpp/worker"
	cppPlain       = "bin/cpp/build/plain"
	cppListening   = "listening on "
)

// A spending is the calls per second of a client, and the processor time that a side takes for one.
type spending struct{ perSec, cpuNs float64 }

// cppBar sets both clients, and both servers, beside plain ones.
func cppBar(ctx context.Context, r *rig) ([]line, error) {
	for _, needed := range []string{cppWorker, cppPlain} {
		if _, err := os.Stat(needed); err != nil {
			return nil, errors.New("make plain builds what it needs")
		}
	}
	var lines []line
	for _, api := range []string{"callback", "async"} {
		more, err := r.cppPairs("cpp client "+api,
			func() (spending, error) {
				return r.onPlainServer(ctx, func(at string) (spending, error) { return r.cppClient(ctx, api, at) })
			},
			func() (spending, error) {
				return r.onPlainServer(ctx, func(at string) (spending, error) { return r.plainClient(ctx, api, at) })
			})
		lines = append(lines, more...)
		if err != nil {
			return lines, err
		}
	}
	for _, api := range []string{"callback", "sync"} {
		more, err := r.cppPairs("cpp server "+api,
			func() (spending, error) { return r.cppServer(ctx, api) },
			func() (spending, error) { return r.plainServer(ctx, api) })
		lines = append(lines, more...)
		if err != nil {
			return lines, err
		}
	}
	return lines, nil
}

// cppPairs measures pairs of ours and theirs, and compares the rate with the bar. Processor time explains the rate, and can be
// compared even on a machine that others use.
func (r *rig) cppPairs(name string, ours, theirs func() (spending, error)) ([]line, error) {
	var rates, costs []pair
	for range min(r.pairs, jvmPairs) {
		var own, other spending
		both, err := pairOf(r.random,
			func() (_ float64, err error) { own, err = ours(); return own.perSec, err },
			func() (_ float64, err error) { other, err = theirs(); return other.perSec, err })
		if err != nil {
			return nil, err
		}
		rates, costs = append(rates, both), append(costs, pair{other.cpuNs, own.cpuNs})
	}
	ratio := ratios(rates)
	return []line{
		{
			name: name, measured: "ours / plain " + figure(ratio, 4, ""),
			limit: fmt.Sprintf("≥ %g", harnessRatio), pass: ratio.Median >= harnessRatio,
		},
		{name: name + " cpu", measured: "plain / ours " + figure(ratios(costs), 4, "")},
		{name: name + " rate", measured: "plain " + figure(summarize(rates, func(p pair) float64 { return p.b }), 0, "calls/s")},
	}, nil
}

func summaryOf(done *control.Done, before, after *control.Snapshot, length time.Duration) spending {
	used := after.GetCpuUserNs() + after.GetCpuSystemNs() - before.GetCpuUserNs() - before.GetCpuSystemNs()
	return spending{float64(done.GetArrivals()) / length.Seconds(), float64(used) / float64(max(done.GetArrivals(), 1))}
}

// cppClient measures our client, in a fresh process.
func (r *rig) cppClient(ctx context.Context, api, address string) (spending, error) {
	p, err := startClient(ctx, []string{cppWorker}, nil, point{
		stack: "grpc-cpp-" + api, address: address, connections: cppConnections, inFlight: cppInFlight,
	})
	if err != nil {
		return spending{}, err
	}
	defer p.Close()
	return r.measureMarked(ctx, p, p)
}

// measureMarked measures a client, and the processor time of a process meanwhile.
func (r *rig) measureMarked(ctx context.Context, client, marked *launch.Worker) (spending, error) {
	if err := warmUp(ctx, client, demand{}, r.duration); err != nil {
		return spending{}, err
	}
	before, err := marked.Mark(ctx)
	if err != nil {
		return spending{}, err
	}
	done, err := measure(ctx, client, demand{duration: r.duration})
	if err != nil {
		return spending{}, err
	}
	after, err := marked.Mark(ctx)
	return summaryOf(done, before, after, r.duration), err
}

// plainClient measures the plain client.
func (r *rig) plainClient(ctx context.Context, api, address string) (spending, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*r.duration+theirPatience)
	defer cancel()
	seconds := strconv.Itoa(int(r.duration / time.Second))
	out, err := child.Run(ctx, exec.Command(cppPlain, "client", api, address,
		strconv.Itoa(cppConnections), strconv.Itoa(cppInFlight), seconds), nil)
	if err != nil {
		return spending{}, err
	}
	perSec, err := parseTheirs(out, "qps:")
	if err != nil {
		return spending{}, err
	}
	cpu, err := parseTheirs(out, "cpu_ns:")
	return spending{perSec, cpu}, err
}

// onPlainServer measures on a fresh plain server.
func (r *rig) onPlainServer(ctx context.Context, measure func(address string) (spending, error)) (s spending, err error) {
	_, err = r.whilePlainServes(ctx, "callback", func(address string) error {
		s, err = measure(address)
		return err
	})
	return s, err
}

// whilePlainServes does something while a fresh plain server runs, and returns the processor time that it took in all.
func (r *rig) whilePlainServes(ctx context.Context, api string, do func(address string) error) (cpuNs float64, err error) {
	server, err := child.StartPiped(exec.Command(cppPlain, "server", api), nil)
	if err != nil {
		return 0, err
	}
	stop := context.AfterFunc(ctx, server.Kill)
	defer stop()
	defer func() {
		server.Kill() // its end is not measured
		_ = server.Wait()
	}()
	out := bufio.NewReader(server.Out)
	said, err := out.ReadString('\n')
	address, found := strings.CutPrefix(strings.TrimSpace(said), cppListening)
	if err != nil || !found {
		return 0, fmt.Errorf("the plain server said %q, not where it listens: %w", said, err)
	}
	if err := do(address); err != nil {
		return 0, err
	}
	_ = server.In.Close() // it says what it took
	rest, err := io.ReadAll(out)
	if err != nil {
		return 0, err
	}
	return parseTheirs(string(rest), "cpu_ns:")
}

// plainServer measures a plain server with our client. Its processor time covers the warm-up and the equally long measurement,
// so it is divided by twice the calls that our client reports.
func (r *rig) plainServer(ctx context.Context, api string) (s spending, err error) {
	cpu, err := r.whilePlainServes(ctx, api, func(address string) error {
		s, err = r.cppClient(ctx, "callback", address)
		return err
	})
	s.cpuNs = cpu / (2 * s.perSec * r.duration.Seconds())
	return s, err
}

// cppServer measures our server, by our client.
func (r *rig) cppServer(ctx context.Context, api string) (spending, error) {
	server, address, err := startServer(ctx, []string{cppWorker}, nil, "grpc-cpp-"+api, nil)
	if err != nil {
		return spending{}, err
	}
	defer server.Close()
	client, err := startClient(ctx, []string{cppWorker}, nil, point{
		stack: "grpc-cpp-callback", address: address, connections: cppConnections, inFlight: cppInFlight,
	})
	if err != nil {
		return spending{}, err
	}
	defer client.Close()
	before, err := server.Mark(ctx)
	if err != nil {
		return spending{}, err
	}
	s, err := r.measureMarked(ctx, client, server)
	if err != nil {
		return s, err
	}
	after, err := server.Mark(ctx)
	used := after.GetCpuUserNs() + after.GetCpuSystemNs() - before.GetCpuUserNs() - before.GetCpuSystemNs()
	s.cpuNs = float64(used) / (2 * s.perSec * r.duration.Seconds()) // as of the plain server
	return s, err
}
