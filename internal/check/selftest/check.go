package selftest

import (
	"strings"
	"time"

	"rpcbench/internal/check/script"
	"rpcbench/internal/check/truth"
	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
)

// A check is a trial with a known answer.
type check struct {
	spec   plan.Spec
	seed   uint64 // of arrivals
	server string // what it does, in short
	// way is the time to the server and back on this machine. The formulas cover the time in the server; in an open load, users
	// also wait for the way, up to this much. In a closed load it is hidden by the calls of other slots.
	way     time.Duration
	figures []figure
	// timeless is that the figures are the same however late anything is, so that no host can put them off.
	timeless bool
	stamps   string // path of the kernel's times of calls; empty has none
}

// A figure is something that a trial reports.
type figure struct {
	name      string
	unit      Unit
	tolerance float64
	truth     func(e *evidence) truth.Range
	read      func(e *evidence) float64
	allowance time.Duration // that the truth may be missed by, where it is more than the tolerance
	travels   bool          // it is a time in the server, without the way there and back
}

// Tolerances, as fractions of the true value.
const (
	medianTolerance = .05
	tailTolerance   = .10
	freezeTolerance = .02
)

// lines are the check's figures, nothing reported of any.
func (c check) lines() []Line {
	lines := make([]Line, len(c.figures))
	for i, f := range c.figures {
		lines[i] = Line{
			Stack: c.spec.Stack, Load: loadOf(c.spec), Server: c.server, Figure: f.name, Unit: f.unit, Tolerance: f.tolerance,
			Allowance: f.allowance,
		}
	}
	return lines
}

// read compares a trial's figures with the true ones.
func (c check) read(trial result.Trial) []Line {
	lines := c.lines()
	e, err := readEvidence(trial)
	if err == nil && c.stamps != "" {
		e.kernel, err = readStamps(c.stamps, e.Arrivals)
	}
	disturbed := ""
	if !c.timeless {
		disturbed = disturbanceOf(trial)
	}
	for i, f := range c.figures {
		if err != nil {
			lines[i].Failure = err.Error()
			continue
		}
		lines[i].True, lines[i].Reported, lines[i].Disturbed = f.truth(e), f.read(e), disturbed
		if f.travels && c.spec.Load != plan.LoadClosed {
			lines[i].True.Hi += float64(c.way)
		}
	}
	return lines
}

// loadOf is "unary 1x64 poisson 175/s".
func loadOf(spec plan.Spec) string {
	words := strings.Fields(spec.String()) // STACK KIND SIZE B SHAPE LOAD [RATE] …
	end := 6
	if spec.Load != plan.LoadClosed {
		end = 7
	}
	return words[1] + " " + strings.Join(words[4:end], " ")
}

const (
	payloadBytes = 100
	slotsQueue   = 32 // more than ever wait for a queue here, so that calls wait in the server
	slotsOpen    = 16 // more than calls are in flight where there is no queue
	slotsClosed  = 4
	queueLoad    = .7 // part of the time that the server of a queue is busy
	warmUp       = 200 * time.Millisecond
	deadline     = 10 * time.Second
)

// spec is a unary trial of a pair, closed, against a server with a script.
func (p Pair) spec(text string) plan.Spec {
	return plan.Spec{
		Stack: p.Client.Name, Server: p.Server.Name, Protocol: p.Client.Protocol, Kind: stack.KindUnary,
		RequestBytes: payloadBytes, ResponseBytes: payloadBytes, Connections: 1, InFlight: slotsClosed, Load: plan.LoadClosed,
		Security: stack.SecurityPlaintext, Network: stack.NetworkTCP, Compression: stack.CompressionNone,
		Payload: stack.PayloadRandom, Options: map[string]string{script.Option: text},
		DeadlineNs: int64(deadline), DrainNs: int64(deadline), WarmupNs: int64(p.warmUp()),
	}
}

func (p Pair) warmUp() time.Duration { return max(warmUp, p.LeastWarmup) }

// open makes the trial an open load over a window.
func open(spec plan.Spec, load string, perSec float64, window time.Duration) plan.Spec {
	spec.Load, spec.OfferedPerSec, spec.InFlight, spec.DurationNs = load, perSec, slotsOpen, int64(window)
	return spec
}
