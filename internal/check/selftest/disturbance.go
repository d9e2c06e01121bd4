package selftest

import (
	"fmt"
	"slices"
	"time"

	"rpcbench/internal/check/truth"
	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/record"
)

// checksOf are all checks of a pair.
func checksOf(p Pair, e Effort) []check {
	checks := append(queues(p, e), slowCalls(p, e), pauses(p, e), drops(p, e))
	if code, ok := failureCodes[p.Server.Protocol]; ok {
		checks = append(checks, failures(p, code))
	}
	for _, kind := range e.FreezeKinds {
		if slices.Contains(p.Client.Kinds, kind) && slices.Contains(p.Server.Kinds, kind) {
			for _, inFlight := range e.InFlight {
				checks = append(checks, freeze(p, e, kind, inFlight))
			}
		}
	}
	return checks
}

// Rates, in calls a second. That of pauses is no multiple of theirs, so that calls fall on all parts of a period.
const (
	slowPerSec   = 200
	pausesPerSec = 409
	dropsPerSec  = 400
	freezePerSec = 200
)

// slowCalls is a server that takes long for one call in a hundred.
func slowCalls(p Pair, e Effort) check {
	const usual, slow, every = 20 * time.Millisecond, 100 * time.Millisecond, 100
	spec := p.spec(fmt.Sprintf("slow %v every %d else %v", slow, every, usual))
	return check{
		spec: open(spec, plan.LoadConstant, slowPerSec, e.Window), seed: firstSeed,
		server: fmt.Sprintf("1%% slow, %v for %v", slow, usual),
		figures: []figure{
			quantile(result.HistResponse, .5, medianTolerance, usual),
			quantile(result.HistResponse, .999, tailTolerance, slow),
			callsOver(slow/2, 0, func(e *evidence) truth.Range { return truth.Exactly(float64(e.Arrivals / every)) }),
		},
	}
}

// pauses is a server that pauses repeatedly. Calls wait for the rest of a pause.
func pauses(p Pair, e Effort) check {
	const pause, period = 50 * time.Millisecond, 250 * time.Millisecond
	spec := p.spec(fmt.Sprintf("pause %v every %v", pause, period))
	want := func(q float64) figure {
		return quantile(result.HistResponse, q, tailTolerance, truth.Pause(pause, period, q))
	}
	return check{
		spec: open(spec, plan.LoadConstant, pausesPerSec, e.Window), seed: firstSeed,
		server: fmt.Sprintf("pauses %v every %v", pause, period), figures: []figure{want(.9), want(.99)},
	}
}

// drops is a server that never answers some calls. A call is given up at its deadline, or a twentieth later.
func drops(p Pair, e Effort) check {
	const every, patience = 50, 200 * time.Millisecond
	spec := open(p.spec(fmt.Sprintf("drop every %d", every)), plan.LoadConstant, dropsPerSec, e.Window)
	spec.DeadlineNs = int64(patience)
	given := quantile(result.HistError, .5, medianTolerance, patience)
	given.truth = func(*evidence) truth.Range {
		return truth.Range{Lo: float64(patience), Hi: float64(patience + patience/20)}
	}
	return check{
		spec: spec, seed: firstSeed, server: fmt.Sprintf("drops every %dth call", every),
		figures: []figure{outcome(stack.DeadlineExceeded.String(), every), given},
	}
}

// failureCodes are the outcomes of calls to a server whose every answer is an internal error, by protocol.
var failureCodes = map[string]stack.Code{
	stack.ProtocolGRPC: stack.Internal, stack.ProtocolConnect: stack.Internal, stack.ProtocolHTTPJSON: stack.Unknown,
}

// failures is such a server; in gRPC it says HTTP 200 nevertheless.
func failures(p Pair, code stack.Code) check {
	spec := p.spec("fail")
	spec.Calls = 200
	server := "HTTP 500"
	if p.Server.Protocol == stack.ProtocolGRPC {
		server = "HTTP 200, grpc-status 13"
	}
	return check{
		spec: spec, seed: firstSeed, server: server, timeless: true,
		figures: []figure{outcome(code.String(), 1), outcome(result.CodeOK, 1<<62)},
	}
}

// freeze is a server that pauses once.
func freeze(p Pair, e Effort, kind string, inFlight int) check {
	const felt = 100 * time.Millisecond
	after := p.warmUp() + e.FreezeWindow/4 // the warm-up counts from the first byte, and so does this
	spec := open(p.spec(fmt.Sprintf("freeze %v after %v", e.Freeze, after)), plan.LoadConstant, freezePerSec, e.FreezeWindow)
	spec.Kind, spec.InFlight = kind, inFlight
	if stack.SharesStreams(kind) {
		spec.Streams = inFlight
	}
	q := tail(int64(freezePerSec * e.FreezeWindow.Seconds()))
	response := quantile(result.HistResponse, q, freezeTolerance, 0)
	response.truth = func(seen *evidence) truth.Range { return backlogged(e, seen).Response(q) }
	return check{
		spec: spec, seed: firstSeed, server: fmt.Sprintf("freezes once for %v", e.Freeze),
		figures: []figure{
			response,
			callsOver(felt, freezeTolerance, func(seen *evidence) truth.Range { return backlogged(e, seen).Above(felt) }),
		},
	}
}

// backlogged is the freeze with the service time of unaffected calls: the maximum for a call of the backlog.
func backlogged(e Effort, seen *evidence) truth.Freeze {
	each := time.Duration(record.Quantile(seen.histogram(result.HistService), .5))
	return truth.Freeze{Least: e.Freeze, Most: e.Freeze, PerSec: freezePerSec, Each: each, Calls: seen.Arrivals}
}
