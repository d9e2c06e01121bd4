package worker

import (
	"slices"
	"sync/atomic"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// A part is one of the calls that a client makes: the only one, or one of a mix.
type part struct {
	call    stack.Call
	tallies []*stack.Tally // of the pool's slots, by their numbers; nil where the call has no ledger
	carried stack.Traffic  // of the phases before this, by call.Ledger
	late    stack.Traffic  // what late calls of them carried
	// lateCalls are those of this phase.
	lateCalls atomic.Int64
}

// on makes a Tally for each slot, and the call with those of its slots for each connection.
func (p *part) on(conns, inFlight int) (each []stack.Call) {
	each = slices.Repeat([]stack.Call{p.call}, conns)
	for i := range each {
		each[i].Sizes, each[i].Accesses = p.call.Sizes.On(i, conns), p.call.Accesses.On(i, conns)
	}
	ledger := p.call.Ledger()
	if ledger == nil {
		return each
	}
	for range inFlight {
		for i := range each {
			tally := ledger.NewTally()
			p.tallies = append(p.tallies, tally)
			each[i].Tallies = append(each[i].Tallies, tally)
		}
	}
	return each
}

// callLate notes that the latest call of a slot was late. Calls of a foreign service carry different messages.
func (p *part) callLate(slot int) {
	p.lateCalls.Add(1)
	if p.tallies != nil {
		p.tallies[slot].Late()
	}
}

// addTraffic adds what the OK calls of a phase carried, and of it what came after the window.
func (p *part) addTraffic(done *control.Done) {
	late := p.lateCalls.Swap(0)
	all, tail := p.traffic(okIn(done), late)
	done.MessagesOut, done.MessagesIn = all.MessagesOut, all.MessagesIn
	done.PayloadBytesOut, done.PayloadBytesIn = all.BytesOut, all.BytesIn
	done.UnpairedReplies = all.Unpaired
	if late > 0 {
		done.Tail = &control.Tail{
			Ok: late, MessagesOut: tail.MessagesOut, MessagesIn: tail.MessagesIn,
			PayloadBytesOut: tail.BytesOut, PayloadBytesIn: tail.BytesIn,
		}
	}
}

// traffic is what the OK calls of a phase carried, all of them and the late ones.
func (p *part) traffic(ok, lateCalls int64) (all, tail stack.Traffic) {
	ledger := p.call.Ledger()
	if ledger == nil {
		return p.carriedBy(ok), p.carriedBy(lateCalls)
	}
	carried, late := ledger.Traffic(), ledger.LateTraffic()
	all, tail = carried.Minus(p.carried), late.Minus(p.late)
	p.carried, p.late = carried, late
	return all, tail
}

// carriedBy is what so many OK calls carry, which are alike.
func (p *part) carriedBy(calls int64) stack.Traffic {
	out, in := stack.MessagesOf(p.call.Kind, int64(p.call.Messages))
	payloads := int64(max(1, p.call.Batch)) // of a message
	return stack.Traffic{
		MessagesOut: calls * out, BytesOut: calls * out * payloads * int64(len(p.call.Request)),
		MessagesIn: calls * in, BytesIn: calls * in * payloads * int64(p.call.ResponseBytes),
	}
}

func okIn(done *control.Done) int64 {
	for _, o := range done.GetOutcomes() {
		if o.GetCode() == stack.OK.String() {
			return o.GetCalls()
		}
	}
	return 0
}
