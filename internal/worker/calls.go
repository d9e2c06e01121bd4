package worker

import (
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/load"
)

// calls are what fills a room: a Caller for each slot, or a Pipeline for each connection.
type calls struct {
	callers []load.Caller
	lines   []load.Pipeline
}

// callsOn makes them for all slots of all connections. Callers are made slot by slot over all connections, so that few
// calls in flight use all of them.
func callsOn(conns []stack.Conn, call stack.Call, inFlight int) (calls, error) {
	if _, ok := conns[0].(stack.Pipeliner); ok {
		return linesOn(conns, call)
	}
	callers := make([]load.Caller, 0, len(conns)*inFlight)
	for slot := range inFlight {
		for _, conn := range conns {
			caller, err := conn.Caller(call, slot)
			if err != nil {
				return calls{}, err
			}
			callers = append(callers, caller)
		}
	}
	return calls{callers: callers}, nil
}

func linesOn(conns []stack.Conn, call stack.Call) (calls, error) {
	lines := make([]load.Pipeline, 0, len(conns))
	for _, conn := range conns {
		line, err := conn.(stack.Pipeliner).Pipeline(call)
		if err != nil {
			return calls{}, err
		}
		lines = append(lines, line)
	}
	return calls{lines: lines}, nil
}

// watch has the first call of the first slot timed.
func (c calls) watch(first *firstCall) {
	if c.lines != nil {
		c.lines[0] = &firstLine{c.lines[0], first}
		return
	}
	c.callers[0] = &firstCaller{c.callers[0], first}
}
