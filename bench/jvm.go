package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"rpcbench/internal/run/child"
)

// What both clients do: unary calls of no bytes on four connections with ten in flight on each, and the rest as
// qps_client has it when nothing is said: NIO, windows of 1 MiB, callbacks in a fork-join pool of as many threads as
// there are processors, a heap of 2 GB. Both warm up as long as they measure.
//
// Server and client are programs of io.grpc:grpc-benchmarks, run from the libraries of our worker, so that all have one
// version of everything. Their server listens on all interfaces, for as long as a pair takes.
//
// What differs: ours gives every call a deadline, checks every reply, counts bytes and records in nanoseconds; theirs
// records in microseconds, without counting what failed.
const (
	jvmConnections = 4
	jvmInFlight    = 10
	jvmWindow      = 1 << 20
	jvmPairs       = 10 // at most
	jvmLonger      = 3  // times as long as the other bars: a JIT takes its time
	jvmFolder      = "bin/java/grpc-java"
	jvmWorker      = jvmFolder + "/worker"
	jvmWarmup      = 8 * time.Second // what its manifest asks for
)

var jvmHeap = []string{"-Xms2g", "-Xmx2g"}

// jvmBar sets our client beside theirs on a fresh server of theirs for every pair.
func jvmBar(ctx context.Context, r *rig) ([]line, error) {
	if !jvmBuilt() {
		return nil, errors.New("make java builds the worker that it needs")
	}
	onServer := func(measure func(string) (pair, error)) (pair, error) { return r.onTheirJVM(ctx, measure) }
	c, err := r.compete(min(r.pairs, jvmPairs), onServer,
		func(address string) (float64, error) { return r.oursOnJVM(ctx, address) },
		func(address string) (float64, error) { return r.theirsOnJVM(ctx, address) })
	if err != nil {
		return nil, err
	}
	return c.lines("jvm", ""), nil
}

func jvmBuilt() bool {
	_, err := os.Stat(jvmWorker)
	return err == nil
}

// oursOnJVM returns the calls per second of our client, in a fresh process.
func (r *rig) oursOnJVM(ctx context.Context, address string) (float64, error) {
	command := append([]string{jvmWorker}, jvmHeap...)
	p, err := startClient(ctx, command, nil, point{
		stack: "grpc-java-netty", address: address, connections: jvmConnections, inFlight: jvmInFlight,
		options: map[string]string{
			"transport": "nio", "flow_control_window_bytes": strconv.Itoa(jvmWindow),
			"executor_threads": strconv.Itoa(runtime.NumCPU()),
		},
	})
	if err != nil {
		return 0, err
	}
	defer p.Close()
	length := jvmLonger * r.duration
	if err := warmUp(ctx, p, demand{}, length); err != nil {
		return 0, err
	}
	done, err := measure(ctx, p, demand{duration: length})
	return float64(done.GetArrivals()) / length.Seconds(), err
}

// theirsOnJVM runs AsyncClient, and returns its calls per second.
func (r *rig) theirsOnJVM(ctx context.Context, address string) (float64, error) {
	length := jvmLonger * r.duration
	ctx, cancel := context.WithTimeout(ctx, 2*length+theirPatience)
	defer cancel()
	seconds := strconv.Itoa(int(length / time.Second))
	command := theirJVM("AsyncClient", "--address="+address, "--channels="+strconv.Itoa(jvmConnections),
		"--outstanding_rpcs="+strconv.Itoa(jvmInFlight), "--duration="+seconds, "--warmup_duration="+seconds,
		"--flow_control_window="+strconv.Itoa(jvmWindow))
	out, err := child.Run(ctx, command, nil)
	if err != nil {
		return 0, err
	}
	return parseTheirs(out, "QPS:")
}

// onTheirJVM measures a pair on a fresh AsyncServer.
func (r *rig) onTheirJVM(ctx context.Context, measure func(address string) (pair, error)) (pair, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*(2*jvmLonger*r.duration+theirPatience)) // both clients of the pair
	defer cancel()
	command := theirJVM("AsyncServer", "--address=localhost:0", "--flow_control_window="+strconv.Itoa(jvmWindow))
	server, err := child.StartPiped(command, nil)
	if err != nil {
		return pair{}, fmt.Errorf("start grpc-java's server: %w", err)
	}
	stop := context.AfterFunc(ctx, server.Kill)
	defer stop()
	defer func() {
		server.Kill() // its end is not measured
		_ = server.Wait()
	}()
	address, err := listening(bufio.NewScanner(server.Out))
	if err != nil {
		return pair{}, err
	}
	return measure(address)
}

// listening reads where their server listens from "QPS Server started on HOST/ADDRESS:PORT".
func listening(lines *bufio.Scanner) (address string, err error) {
	for lines.Scan() {
		where, found := strings.CutPrefix(lines.Text(), "QPS Server started on ")
		if !found {
			continue
		}
		_, port, err := net.SplitHostPort(where[strings.LastIndex(where, "/")+1:])
		return net.JoinHostPort("127.0.0.1", port), err
	}
	return "", errors.New("grpc-java's server did not say where it listens")
}

func theirJVM(program string, args ...string) *exec.Cmd {
	words := append([]string{"-cp", filepath.Join(jvmFolder, "lib", "*")}, jvmHeap...)
	return exec.Command("java", append(append(words, "io.grpc.benchmarks.qps."+program), args...)...)
}
