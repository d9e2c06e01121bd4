package fleet

import (
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/run/launch/qps"
	"rpcbench/internal/run/manifest"
	"rpcbench/internal/stack"
)

// addQPS adds gRPC's own workers. Several that stand for one stack are one worker.
func (f *Fleet) addQPS(workers []qps.Worker) {
	f.qps = qps.New(workers)
	seen := map[string]bool{}
	for _, w := range workers {
		if !seen[w.Stack] {
			seen[w.Stack] = true
			f.workers = append(f.workers, manifest.Worker{
				Name: w.Stack, Path: qps.Scheme + w.Address, Stacks: []string{w.Stack}, LeastWarmup: qpsWarmup,
			})
		}
	}
}

// qpsWarmup is the minimum warm-up of gRPC's own scenarios. Its Java workers have 15 s, but nothing reports which workers are
// Java.
const qpsWarmup = 5 * time.Second

// qpsNote explains the figures of gRPC's workers.
const qpsNote = "Clients that are benchmark workers of gRPC time calls from when they are sent, in buckets of 1%, so that a " +
	"latency is within 0.6%. Of a Poisson load they don't tell which calls were due, and some offer another rate " +
	"than they are asked for."

// asking is how the worker of a manifest is started to be asked.
func (f *Fleet) asking(w manifest.Worker) (launch.Launcher, error) {
	if f.qps.Hosts(w.Stacks[0]) {
		return f.qps, nil
	}
	if r := f.remoteOf(w.Stacks[0]); r != nil {
		return r, nil
	}
	program, err := f.program(w, nil)
	return process.Always(program), err
}

// lacksQPS returns what of a point gRPC's workers do not support, or "".
func lacksQPS(s plan.Spec) string {
	switch {
	case s.Calls > 0:
		return "makes calls for a time, and not a number of them"
	case s.Load != plan.LoadClosed && s.Load != plan.LoadPoisson:
		return "has no load " + s.Load
	case s.Batch > 0:
		return "has no batch"
	case stack.SharesStreams(s.Kind) && s.Streams != s.InFlight:
		return "has a stream for each call in flight"
	default:
		return ""
	}
}
