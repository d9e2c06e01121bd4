package worker

import (
	"errors"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/loop"
	"rpcbench/internal/worker/load"
)

// calls holds what makes a pool's calls: a Caller for each slot, or a Pipeline for each loop or each connection.
type calls struct {
	callers []load.Caller
	mix     *load.Mix // instead of callers
	lines   []load.Pipeline
	lineOf  []int   // the line of each slot
	crews   []*crew // the lines, if they are loops
}

// callsOn makes them for all slots of all connections. Consecutive slots use different connections, so a few calls in flight use
// all of them. Loops make the calls if the connections can join them, and the system has loops. The calls of a mix have Callers:
// loops and Pipelines make one call only.
func callsOn(conns []stack.Conn, network string, parts []*part, weights *stack.Weights, inFlight int) (calls, error) {
	if weights != nil {
		return mixOn(conns, parts, weights, inFlight)
	}
	each := parts[0].on(len(conns), inFlight)
	if only, ok := conns[0].(stack.Blocker); ok && len(conns)*inFlight == 1 {
		only.Block()
		callers, err := callersOn(conns, each, inFlight)
		return calls{callers: callers}, err
	}
	if canJoin(conns, network, processors()) {
		made, err := crewsOn(conns, each, inFlight, processors())
		if !errors.Is(err, loop.ErrUnsupported) {
			return made, err
		}
	}
	if _, ok := conns[0].(stack.Pipeliner); ok {
		lines, err := linesOn(conns, each)
		return calls{lines: lines, lineOf: load.Evenly(len(lines), inFlight)}, err
	}
	callers, err := callersOn(conns, each, inFlight)
	return calls{callers: callers}, err
}

func callersOn(conns []stack.Conn, each []stack.Call, inFlight int) ([]load.Caller, error) {
	callers := make([]load.Caller, 0, len(conns)*inFlight)
	for slot := range inFlight {
		for i, conn := range conns {
			caller, err := conn.Caller(each[i], slot)
			if err != nil {
				return nil, err
			}
			callers = append(callers, caller)
		}
	}
	return callers, nil
}

// mixOn makes a Caller of each part for every slot.
func mixOn(conns []stack.Conn, parts []*part, weights *stack.Weights, inFlight int) (calls, error) {
	slots := make([][]load.Caller, len(conns)*inFlight)
	for _, p := range parts {
		callers, err := callersOn(conns, p.on(len(conns), inFlight), inFlight)
		if err != nil {
			return calls{}, err
		}
		for slot, caller := range callers {
			slots[slot] = append(slots[slot], caller)
		}
	}
	return calls{mix: &load.Mix{Callers: slots, Draw: weights.Draw}}, nil
}

func linesOn(conns []stack.Conn, each []stack.Call) ([]load.Pipeline, error) {
	lines := make([]load.Pipeline, 0, len(conns))
	for i, conn := range conns {
		line, err := conn.(stack.Pipeliner).Pipeline(each[i])
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// watch has the first call of the first slot timed.
func (c calls) watch(first *firstCall) {
	if c.lines != nil {
		c.lines[0] = &firstLine{c.lines[0], first}
		return
	}
	slot := c.callers[:min(1, len(c.callers))]
	if c.mix != nil {
		slot = c.mix.Callers[0]
	}
	for i := range slot {
		slot[i] = &firstCaller{slot[i], first}
	}
}
