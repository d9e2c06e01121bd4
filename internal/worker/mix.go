package worker

import (
	"errors"
	"fmt"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/load"
	"rpcbench/internal/worker/record"
)

// checkMix names the first field of a call that a mix can't have, or that this stack can't do.
func checkMix(info stack.Info, call *control.Call) error {
	const field = "connect.call.mix"
	recipes := call.GetMix().GetRecipes()
	reason := stack.CheckWeights(weightsOf(recipes))
	switch {
	case call.GetRecipe() != nil:
		return control.Faultf(field, "there is a recipe")
	case call.GetKind() != stack.KindUnary:
		return control.Faultf("connect.call.kind", "calls of a mix are unary, not %s", call.GetKind())
	case reason != "":
		return control.Faultf(field+".recipes", "%s", reason)
	}
	for i, r := range recipes {
		if err := checkProtocol(info, call.GetKind(), r.GetRecipe()); err != nil {
			return control.Faultf(field+".recipes", "number %d: %s", i, reasonOf(err))
		}
		if r.GetRecipe().GetAuthority() != authorityOf(call) {
			return control.Faultf(field+".recipes", "number %d has another authority than number 0, and they share connections", i)
		}
	}
	return nil
}

// reasonOf is what a Fault says beside its field.
func reasonOf(err error) string {
	if fault, ok := errors.AsType[*control.FaultError](err); ok {
		return fault.Message
	}
	return err.Error()
}

func weightsOf(recipes []*control.MixedRecipe) []uint64 {
	weights := make([]uint64, len(recipes))
	for i, r := range recipes {
		weights[i] = r.GetWeight()
	}
	return weights
}

// authorityOf is the authority of all calls.
func authorityOf(call *control.Call) string {
	if recipes := call.GetMix().GetRecipes(); len(recipes) > 0 {
		return recipes[0].GetRecipe().GetAuthority()
	}
	return call.GetRecipe().GetAuthority()
}

// setCalls makes the calls of a Connect.
func (cl *client) setCalls() error {
	call := cl.connect.GetCall()
	if call.GetMix() == nil {
		if err := setService(&cl.call, call.GetRecipe()); err != nil {
			return err
		}
		if cl.call.Method != nil {
			cl.within, cl.call.Method.Clock = newMessages(call.GetMessageRatePerSec())
		}
		cl.parts = []*part{{call: cl.call}}
		return nil
	}
	for i, r := range call.GetMix().GetRecipes() {
		one := &part{call: cl.call}
		if err := setService(&one.call, r.GetRecipe()); err != nil {
			return control.Faultf("connect.call.mix.recipes", "number %d: %s", i, reasonOf(err))
		}
		cl.parts = append(cl.parts, one)
	}
	cl.weights = stack.NewWeights(call.GetMix().GetSeed(), weightsOf(call.GetMix().GetRecipes()))
	return nil
}

// A mixSink records every call of a mix twice: among all of them, and among those of its recipe.
type mixSink struct {
	whole *record.Recorder
	each  []*record.Recorder
}

// mixShards are the shards of a recipe's recorder: few slots record the same recipe at the same moment.
const mixShards = 4

// sinkFor returns what a phase's samples go to, and the recorders of a mix; none without one.
func (cl *client) sinkFor(whole *record.Recorder) (sink load.Sink, each []*record.Recorder) {
	if cl.weights == nil {
		return whole, nil
	}
	for range cl.parts {
		each = append(each, record.New(record.Config{Shards: mixShards, Codes: stack.Codes, Code: codeOf}))
	}
	return &mixSink{whole, each}, each
}

// Record implements load.Sink.
func (m *mixSink) Record(from int, s *load.Sample) {
	m.whole.Record(from, s)
	m.each[s.Which].Record(from, s)
}

// addCarried adds what calls carried, and of a mix what was counted of each recipe.
func (cl *client) addCarried(done *control.Done, each []*record.Recorder) error {
	if cl.weights == nil {
		cl.parts[0].addTraffic(done)
		return nil
	}
	for i, recorder := range each {
		recorder.EndWindow(0)
		summary := recorder.Summary()
		one := &control.Done{Phase: done.GetPhase(), Clamped: summary.Clamped}
		addOutcomes(one, summary)
		for _, o := range one.GetOutcomes() {
			one.Arrivals += o.GetCalls()
		}
		cl.parts[i].addTraffic(one)
		if err := addHistograms(one, summary); err != nil {
			return fmt.Errorf("call %d of the mix: %w", i, err)
		}
		done.Mixed = append(done.Mixed, one)
		addSums(done, one)
	}
	return nil
}

// addSums adds what the calls of one recipe carried to what all carried.
func addSums(done, one *control.Done) {
	done.MessagesOut += one.GetMessagesOut()
	done.MessagesIn += one.GetMessagesIn()
	done.PayloadBytesOut += one.GetPayloadBytesOut()
	done.PayloadBytesIn += one.GetPayloadBytesIn()
	if one.GetTail() == nil {
		return
	}
	if done.Tail == nil {
		done.Tail = &control.Tail{}
	}
	done.Tail.Ok += one.GetTail().GetOk()
	done.Tail.MessagesOut += one.GetTail().GetMessagesOut()
	done.Tail.MessagesIn += one.GetTail().GetMessagesIn()
	done.Tail.PayloadBytesOut += one.GetTail().GetPayloadBytesOut()
	done.Tail.PayloadBytesIn += one.GetTail().GetPayloadBytesIn()
}
