package worker

import (
	"errors"
	"slices"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/loop"
	"rpcbench/internal/worker/load"
)

// calls holds what makes a room's calls: a Caller for each slot, or a Pipeline for each loop or each connection.
type calls struct {
	callers []load.Caller
	lines   []load.Pipeline
	lineOf  []int          // the line of each slot
	crews   []*crew        // the lines, if they are loops
	tallies []*stack.Tally // of the slots, in their order; nil where the call has no ledger
}

// callsOn makes them for all slots of all connections. Consecutive slots use different connections, so a few calls in flight use
// all of them. Loops make the calls if the connections can join them, and the system has loops.
func callsOn(conns []stack.Conn, network string, call stack.Call, inFlight int) (calls, error) {
	tallies, each := talliesOf(call, len(conns), inFlight)
	if canJoin(conns, network) {
		made, err := crewsOn(conns, each, inFlight, processors())
		if !errors.Is(err, loop.ErrUnsupported) {
			made.tallies = tallies
			return made, err
		}
	}
	if _, ok := conns[0].(stack.Pipeliner); ok {
		lines, err := linesOn(conns, each)
		return calls{lines: lines, lineOf: load.Evenly(len(lines), inFlight), tallies: tallies}, err
	}
	callers := make([]load.Caller, 0, len(conns)*inFlight)
	for slot := range inFlight {
		for i, conn := range conns {
			caller, err := conn.Caller(each[i], slot)
			if err != nil {
				return calls{}, err
			}
			callers = append(callers, caller)
		}
	}
	return calls{callers: callers, tallies: tallies}, nil
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

// talliesOf makes a Tally for each slot, and the call with those of its slots for each connection.
func talliesOf(call stack.Call, conns, inFlight int) (all []*stack.Tally, each []stack.Call) {
	each = slices.Repeat([]stack.Call{call}, conns)
	for i := range each {
		each[i].Sizes, each[i].Accesses = call.Sizes.On(i, conns), call.Accesses.On(i, conns)
	}
	ledger := call.Ledger()
	if ledger == nil {
		return nil, each
	}
	for range inFlight {
		for i := range each {
			tally := ledger.NewTally()
			all = append(all, tally)
			each[i].Tallies = append(each[i].Tallies, tally)
		}
	}
	return all, each
}

// watch has the first call of the first slot timed.
func (c calls) watch(first *firstCall) {
	if c.lines != nil {
		c.lines[0] = &firstLine{c.lines[0], first}
		return
	}
	c.callers[0] = &firstCaller{c.callers[0], first}
}
