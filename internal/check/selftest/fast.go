package selftest

import (
	"fmt"
	"path/filepath"
	"time"

	"rpcbench/internal/check/kernelclock"
	"rpcbench/internal/check/truth"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/record"
)

// fastServices are service times at the scale of calls over loopback.
var fastServices = []time.Duration{10 * time.Microsecond, 50 * time.Microsecond, 200 * time.Microsecond}

// fastAllowance is the tolerance for a fast call, if larger than medianTolerance: the client's own work between a socket and the
// clock.
const fastAllowance = 3 * time.Microsecond

// fast are the checks at the scale of what rows report: a server that spins for some microseconds, and a client of bare
// sockets, whose calls the kernel times too. What is reported of a call must lie between two times of another clock: that
// from when the request left the socket until the reply was in it, by the kernel's stamps, and that from the system call
// which wrote the request to the end of the one that read the reply. This holds for each call, and so for each percentile
// of them, however long loopback and the scheduler took.
//
// Other stacks' libraries add their own work, which is no error, so that only this client is checked.
func fast(p Pair, e Effort, folder string) []check {
	if p.Client.Protocol != stack.ProtocolTCP || p.Client.Name != p.Server.Name || kernelclock.Available() != nil {
		return nil
	}
	var checks []check
	for _, service := range fastServices {
		fixed := fmt.Sprintf("fixed %v", service)
		spec := p.spec(fixed)
		spec.InFlight, spec.Calls = 1, e.FastCalls
		path := filepath.Join(folder, fmt.Sprintf("kernel-%d.json", service))
		spec.Options[kernelclock.Option] = path
		checks = append(checks, check{
			spec: spec, seed: firstSeed, server: fixed, stamps: path,
			figures: []figure{betweenClocks(.5), betweenClocks(tail(spec.Calls))},
		})
	}
	return checks
}

// betweenClocks is a quantile of the response, between those of the two times of the other clock.
func betweenClocks(q float64) figure {
	return figure{
		name: fmt.Sprintf("response p%g", 100*q), unit: Nanoseconds, tolerance: medianTolerance, allowance: fastAllowance,
		truth: func(e *evidence) truth.Range {
			kernel, socket := make([]time.Duration, len(e.kernel)), make([]time.Duration, len(e.kernel))
			for i, t := range e.kernel {
				kernel[i], socket[i] = time.Duration(t.KernelNs), time.Duration(t.SocketNs)
			}
			return truth.Range{Lo: float64(truth.Quantile(kernel, q)), Hi: float64(truth.Quantile(socket, q))}
		},
		read: func(e *evidence) float64 { return float64(record.Quantile(e.histogram(result.HistResponse), q)) },
	}
}

// readStamps reads the kernel's times of the measured calls, which are the last ones. A call without stamps is a defect of the
// check, not of what it checks.
func readStamps(path string, calls int64) ([]kernelclock.Time, error) {
	times, err := kernelclock.Read(path)
	if err != nil {
		return nil, err
	}
	if int64(len(times)) < calls {
		return nil, fmt.Errorf("the kernel has time stamps of %d calls, and %d were measured", len(times), calls)
	}
	return times[int64(len(times))-calls:], nil
}
