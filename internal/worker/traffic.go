package worker

import (
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// addTraffic adds what the OK calls of a phase carried, and of it what came after the window, with so many late calls.
func (cl *client) addTraffic(done *control.Done, late int64) {
	all, tail := cl.traffic(done, late)
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

// traffic is what the OK calls carried, all of them and the late ones.
func (cl *client) traffic(done *control.Done, lateCalls int64) (all, tail stack.Traffic) {
	ledger := cl.call.Ledger()
	if ledger == nil {
		return cl.carriedBy(okIn(done)), cl.carriedBy(lateCalls)
	}
	carried, late := ledger.Traffic(), ledger.LateTraffic()
	all, tail = carried.Minus(cl.carried), late.Minus(cl.late)
	cl.carried, cl.late = carried, late
	return all, tail
}

// callLate notes that the latest call of a slot was late. Calls of a foreign service carry different messages.
func (cl *client) callLate(slot int) {
	if cl.tallies != nil {
		cl.tallies[slot].Late()
	}
}

// carriedBy is what so many OK calls carry, which are alike.
func (cl *client) carriedBy(calls int64) stack.Traffic {
	out, in := stack.MessagesOf(cl.call.Kind, int64(cl.call.Messages))
	payloads := int64(max(1, cl.call.Batch)) // of a message
	return stack.Traffic{
		MessagesOut: calls * out, BytesOut: calls * out * payloads * int64(len(cl.call.Request)),
		MessagesIn: calls * in, BytesIn: calls * in * payloads * int64(cl.call.ResponseBytes),
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
