package conform

import (
	"fmt"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// mixWeights are those of a mix's calls. The second calls a method that no server has.
var mixWeights = []uint64{70, 20, 10}

// missingMethod is one that a schema has, and no server.
const missingMethod = "NoSuchCall"

// mixCalls is the number of calls, in one slot, so that it is known which each one is.
const mixCalls = 200

// mixes makes a mix of calls: which ones are made is the reference's draw, and the whole is the sum of them, in each phase and
// after its window.
func mixes(r *rig) (string, error) {
	s := plain(stack.KindUnary, shape{1, 1})
	client, server, err := r.served(&s)
	if err != nil {
		return "", err
	}
	defer client.close()
	defer server.close()
	command, err := r.mixCommand(s)
	if err != nil {
		return "", err
	}
	if !client.Hello.GetMixes() {
		return "hello.mixes is false", nil
	}
	if _, err := client.Connect(r.ctx, command); err != nil {
		return "", fmt.Errorf("client: %w", client.explain(err))
	}
	drawn := make([]int64, len(mixWeights))
	weights := stack.NewWeights(seed, mixWeights)
	for i := range uint64(mixCalls) {
		drawn[weights.Draw(i)]++
	}
	for _, begin := range []*control.Begin{closedCalls(mixCalls), openCalls(mixCalls)} {
		done, err := r.phase(client, begin)
		if err == nil {
			err = judgeMix(done, drawn)
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", begin.GetLoad().GetArrivals(), err)
		}
	}
	per := traffic{1, 1, methodRequestBytes, methodReplyBytes}
	if err := r.judgeLate(client, mixCalls, func(done *control.Done) error { return checkMixedTail(done, per) }); err != nil {
		return "", err
	}
	return fmt.Sprintf("calls %v, as drawn", drawn), nil
}

// openCalls are as many arrivals of an open load, within 100 ms.
func openCalls(calls int64) *control.Begin {
	begin := closedCalls(calls)
	begin.Load = &control.Load{Arrivals: control.LoadConstant, PerSec: float64(10 * calls), Seed: seed}
	return begin
}

func (r *rig) mixCommand(s setup) (*control.Connect, error) {
	call := &control.Call{
		Kind: stack.KindUnary, Compression: stack.CompressionNone, DeadlineNs: int64(caseLimit), Mix: &control.Mix{Seed: seed},
	}
	command := &control.Connect{}
	for i, method := range []string{"UnaryCall", missingMethod, "UnaryCall"} {
		one, err := r.methodCommand(s, methodCase{kind: stack.KindUnary, method: method})
		if err != nil {
			return nil, err
		}
		command = one
		call.Mix.Recipes = append(call.Mix.Recipes, &control.MixedRecipe{Recipe: one.GetCall().GetRecipe(), Weight: mixWeights[i]})
	}
	command.Call = call
	return command, nil
}

func judgeMix(done *control.Done, drawn []int64) error {
	if len(done.GetMixed()) != len(drawn) {
		return fmt.Errorf("done.mixed has %d calls, want %d", len(done.GetMixed()), len(drawn))
	}
	var sum control.Done
	for i, one := range done.GetMixed() {
		if one.GetArrivals() != drawn[i] {
			return fmt.Errorf("done.mixed[%d].arrivals is %d, want %d: other calls were drawn", i, one.GetArrivals(), drawn[i])
		}
		code, carried := "OK", drawn[i]
		if i == 1 {
			code, carried = "UNIMPLEMENTED", 0
		}
		if err := wantOutcome(one, code, drawn[i]); err != nil {
			return fmt.Errorf("done.mixed[%d]: %w", i, err)
		}
		if one.GetMessagesIn() != carried || one.GetPayloadBytesIn() != carried*methodReplyBytes {
			return fmt.Errorf("done.mixed[%d] has %d messages in of %d bytes, want %d of %d", i, one.GetMessagesIn(),
				one.GetPayloadBytesIn(), carried, carried*methodReplyBytes)
		}
		all, err := decodeAll(one)
		if err != nil {
			return err
		}
		name := map[bool]string{true: "error", false: "response"}[i == 1]
		if all[name] == nil || all[name].TotalCount() != drawn[i] {
			return fmt.Errorf("done.mixed[%d] has no histogram %q of %d calls", i, name, drawn[i])
		}
		sum.Arrivals += one.GetArrivals()
		sum.MessagesIn += one.GetMessagesIn()
		sum.PayloadBytesOut += one.GetPayloadBytesOut()
	}
	if sum.GetArrivals() != done.GetArrivals() || sum.GetMessagesIn() != done.GetMessagesIn() ||
		sum.GetPayloadBytesOut() != done.GetPayloadBytesOut() {
		return fmt.Errorf("done.mixed adds up to %d arrivals, %d messages in and %d bytes out, and the whole has %d, %d and %d",
			sum.GetArrivals(), sum.GetMessagesIn(), sum.GetPayloadBytesOut(), done.GetArrivals(), done.GetMessagesIn(),
			done.GetPayloadBytesOut())
	}
	return nil
}
