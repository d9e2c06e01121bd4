package conform

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// A timing is a claim about when a worker does something. No worker can do what the machine can't. So the yardstick, the
// reference's cheapest stack, does the same right before and after. If that is too late, the case is inconclusive.
type timing struct {
	measure func(*rig) (lateness, error)
	limit   time.Duration // what an undisturbed machine leaves far behind
}

// A lateness is how much later than due something was; detail says what.
type lateness struct {
	by     time.Duration
	detail string
}

// timingRounds limits how often a timing case is measured. Disturbances make things late, never early, so the best round counts.
const timingRounds = 3

// machineShare is how much of the yardstick's own lateness is allowed on top of the limit: a late timer or a lost processor
// affects a worker with a runtime several times where it affects a bare socket once.
const machineShare = 3

// judgeTiming measures rounds until one is good.
func (c Case) judgeTiming(ctx context.Context) finding {
	var last finding
	machineWasLate := false
	for round := 1; round <= timingRounds; round++ {
		last = c.round(ctx)
		last.repeated = round > 1
		if last.verdict == isOK {
			return last
		}
		machineWasLate = machineWasLate || last.verdict == inconclusive
		if ctx.Err() != nil {
			break
		}
	}
	if machineWasLate {
		last.verdict = inconclusive
	}
	return last
}

// round measures once, between two readings of the yardstick.
func (c Case) round(ctx context.Context) finding {
	before, err := try(ctx, c.asked(), c.timing.measure)
	if err != nil {
		return finding{verdict: inconclusive, detail: fmt.Sprintf("the yardstick: %v", err)}
	}
	got, err := try(ctx, c, c.timing.measure)
	if err != nil {
		return finding{verdict: isFailed, detail: err.Error()}
	}
	after, err := try(ctx, c.asked(), c.timing.measure)
	if err != nil {
		return finding{verdict: inconclusive, detail: fmt.Sprintf("the yardstick: %v", err)}
	}
	return judgeLateness(got, max(before.by, after.by), c.timing.limit)
}

// asked is the case as it is asked of the yardstick.
func (c Case) asked() Case {
	c.pair, c.worker = c.yardstick, c.reference
	return c
}

// judgeLateness judges a measurement by the limit and by how late the machine was.
func judgeLateness(got lateness, machine, limit time.Duration) finding {
	detail := fmt.Sprintf("%s: %v late, limit %v; this machine %v", got.detail, shown(got.by), limit, shown(machine))
	switch {
	case got.by <= limit:
		return finding{verdict: isOK, detail: detail}
	case machine > limit:
		return finding{verdict: inconclusive, detail: detail}
	case got.by <= limit+machineShare*machine:
		return finding{verdict: isOK, detail: detail}
	}
	return finding{verdict: isFailed, detail: detail}
}

func shown(d time.Duration) time.Duration { return max(d, 0).Round(10 * time.Microsecond) }

// timingOfWorker are the cases of timing about the worker as a whole.
func timingOfWorker() []Case {
	return at(StepTiming,
		Case{Name: "timing, a relay", timing: &timing{relayLate, maxRelayLateness}},
		Case{Name: "timing, end of input, idle", timing: &timing{endLate(idle), maxEndLateness}})
}

// timingOfStack are the cases of timing about the sides of a stack that the worker under test plays.
func timingOfStack(p pair) []Case {
	var cases []Case
	if p.server.tested {
		cases = append(cases, Case{Name: "timing, end of input, serving", timing: &timing{endLate(serving), maxEndLateness}})
	}
	if !p.client.tested {
		return at(StepTiming, cases...)
	}
	return at(StepTiming, append(cases,
		Case{Name: "timing, sends", timing: &timing{sendsLate, maxSendLateness}},
		Case{Name: "timing, intervals", timing: &timing{intervalsLate, maxIntervalLateness}},
		Case{Name: "timing, a stop", timing: &timing{stopLate, maxStopLateness}},
		Case{Name: "timing, overload", signals: true, timing: &timing{overloadLate, maxOverloadLateness}},
		Case{Name: "timing, deadline", signals: true, timing: &timing{deadlineLate, maxDeadlineLateness}},
		Case{Name: "timing, the server dies", signals: true, timing: &timing{diesLate, maxDeathLateness}},
		Case{Name: "timing, a frozen server, 1 slot", signals: true, timing: &timing{frozen(shape{1, 1}), maxFrozenLateness}},
		Case{Name: "timing, a frozen server, 10 slots", signals: true, timing: &timing{frozen(shape{1, 10}), maxFrozenLateness}},
		Case{Name: "timing, end of input, calling", timing: &timing{endLate(calling), maxEndLateness}},
	)...)
}

// errNoYardstick is why a case of timing can't be judged by a reference without a stack of bare sockets.
var errNoYardstick = errors.New("the reference has no stack that could say how late this machine is")

// newYardstick pairs the reference's cheapest stack with itself.
func newYardstick(command []string, reference *control.Hello) (pair, error) {
	for _, info := range reference.GetStacks() {
		if info.GetProtocol() == stack.ProtocolTCP && info.GetCalls() && info.GetServes() {
			return newPair(Config{Command: command, Reference: command}, info, reference), nil
		}
	}
	return pair{}, errNoYardstick
}
