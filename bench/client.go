package main

import (
	"context"
	"fmt"
	"time"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

const (
	deadline = 10 * time.Second
	drain    = 10 * time.Second
	windows  = 20 // as many as a run keeps
	warmup   = time.Second

	// patience is the time that a phase may take beyond its duration, or for its calls.
	patience = 10 * time.Minute
)

// A point describes the calls that a client connects for: unary calls of a stack by default.
type point struct {
	stack       string
	kind        string // "" is unary
	address     string
	bytes       int // each way, of an operation where there are batches
	batch       int // operations in a message; 0 is no batch
	connections int
	inFlight    int
	options     map[string]string
}

// startServer starts a worker that serves a stack on loopback, and returns where. Close it.
func startServer(
	ctx context.Context, command []string, cpus []int, name string, options map[string]string,
) (*launch.Worker, string, error) {
	p, err := launch.Start(ctx, process.Command(command), launch.Order{CPUs: cpus})
	if err != nil {
		return nil, "", err
	}
	address, err := serve(ctx, p, name, options)
	if err != nil {
		_ = p.Abort() // err says more
		return nil, "", err
	}
	return p, address, nil
}

func serve(
	ctx context.Context, p *launch.Worker, name string, options map[string]string,
) (address string, err error) {
	serving, err := p.Serve(ctx, &control.Serve{
		Stack: name, Network: stack.NetworkTCP, Address: "127.0.0.1:0", Payload: stack.PayloadZeros,
		Security: &control.Security{Mode: stack.SecurityPlaintext}, Options: options,
	})
	return serving.GetAddress(), err
}

// startClient starts a worker and connects it. Close it.
func startClient(ctx context.Context, command []string, cpus []int, at point) (*launch.Worker, error) {
	p, err := launch.Start(ctx, process.Command(command), launch.Order{CPUs: cpus})
	if err != nil {
		return nil, err
	}
	if err := connect(ctx, p, at); err != nil {
		_ = p.Abort() // err says more
		return nil, err
	}
	return p, nil
}

func connect(ctx context.Context, p *launch.Worker, at point) error {
	c := &control.Connect{
		Stack: at.stack, Network: stack.NetworkTCP, Addresses: []string{at.address}, Options: at.options,
		Security:    &control.Security{Mode: stack.SecurityPlaintext},
		Connections: uint32(at.connections), InFlight: uint32(at.inFlight),
		Call: &control.Call{
			Kind: at.kind, RequestBytes: uint32(at.bytes), ResponseBytes: uint32(at.bytes), Payload: stack.PayloadZeros,
			Batch:       uint32(at.batch),
			Compression: stack.CompressionNone, DeadlineNs: int64(deadline), LengthsOnly: true,
		},
	}
	switch at.kind {
	case "":
		c.Call.Kind = stack.KindUnary
	case stack.KindPingPong:
		c.Streams = c.InFlight
	}
	_, err := p.Connect(ctx, c)
	return err
}

// A demand is the duration or number, and the rate, of a phase's calls. Without a rate the load is closed.
type demand struct {
	duration time.Duration
	calls    int64
	perSec   float64
}

// warmUp runs the demand's load for a while.
func warmUp(ctx context.Context, p *launch.Worker, d demand, length time.Duration) error {
	d.duration, d.calls = length, 0
	_, err := phase(ctx, p, control.Warmup, d)
	return err
}

// measure runs the demand. Every call must have succeeded.
func measure(ctx context.Context, p *launch.Worker, d demand) (*control.Done, error) {
	return phase(ctx, p, control.Measured, d)
}

func phase(ctx context.Context, p *launch.Worker, which control.Phase, d demand) (*control.Done, error) {
	l := &control.Load{Arrivals: "closed"}
	if d.perSec > 0 {
		l = &control.Load{Arrivals: "constant", PerSec: d.perSec}
	}
	ctx, cancel := context.WithTimeout(ctx, d.duration+patience)
	defer cancel()
	done, err := p.Begin(ctx, &control.Begin{
		Phase: which, Load: l, DurationNs: int64(d.duration), Calls: d.calls, DrainNs: int64(drain), Windows: windows,
	}, func(*control.Interval) {})
	if err != nil {
		return nil, err
	}
	for _, o := range done.GetOutcomes() {
		if o.GetCode() != "OK" {
			return nil, fmt.Errorf("%d of %d calls ended with %s: %s", o.GetCalls(), done.GetArrivals(), o.GetCode(), o.GetExample())
		}
	}
	return done, nil
}

// quantile reads a histogram of a phase, in ns.
func quantile(done *control.Done, name string, q float64) (float64, error) {
	for _, h := range done.GetHistograms() {
		if h.GetName() != name {
			continue
		}
		decoded, err := record.Decode(h.GetV2Compressed())
		if err != nil {
			return 0, err
		}
		return float64(record.Quantile(decoded, q)), nil
	}
	return 0, fmt.Errorf("the worker recorded no %s", name)
}
