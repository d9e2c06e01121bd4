// Package stacktest is the test that every stack passes. It tries all that stack.Info promises: each kind of call on
// each network, security and compression, the codes of what goes wrong, and that nothing hangs.
//
//	func TestConforms(t *testing.T) { stacktest.Run(t, grpcgo.New()) }
package stacktest

import (
	"bytes"
	"fmt"
	"maps"
	"sync"
	"testing"

	"rpcbench/internal/stack"
)

// Run tests s.
func Run(t *testing.T, s stack.Stack) {
	RunMessages(t, s)
	t.Run("EveryPointWorks", func(t *testing.T) { everyPoint(t, s) })
	t.Run("ALostServerIsUnavailableAndComesBack", func(t *testing.T) { lostServer(t, s) })
	t.Run("ADeadlineIsSentWhereTheOptionSaysSo", func(t *testing.T) { sentDeadline(t, s) })
	t.Run("AServerThatReadsNothingHoldsUpNoCall", func(t *testing.T) { frozenServer(t, s) })
	t.Run("AnEndedContextEndsNoLaterCall", func(t *testing.T) { endedContext(t, s) })
	t.Run("AStopEndsTheServer", func(t *testing.T) { stop(t, s) })
	t.Run("AFailedHandshakeIsUnavailable", func(t *testing.T) { failedHandshake(t, s) })
	t.Run("WhoMayCallIsAsked", func(t *testing.T) { names(t, s) })
	t.Run("EveryCallIsAskedFor", func(t *testing.T) { changedMind(t, s) })
	t.Run("ASlowClientIsClosed", func(t *testing.T) { slow(t, s) })
	t.Run("WhatIsUnknownIsRefused", func(t *testing.T) { refuse(t, s) })
}

// RunMessages is the part of Run that depends on how messages are encoded. It is for another codec of a stack that passes
// Run: connections, handshakes and permissions are the same with every codec.
func RunMessages(t *testing.T, s stack.Stack) {
	RunSizes(t, s)
	t.Run("EveryDrawnSizeWorks", func(t *testing.T) { everyDraw(t, s) })
	t.Run("EveryAccessWorks", func(t *testing.T) { everyAccess(t, s) })
	t.Run("ABurstMayBeLongerThanWindows", func(t *testing.T) { longBurst(t, s) })
	t.Run("AStreamEndsAfterItsCalls", func(t *testing.T) { endingStreams(t, s) })
	t.Run("GzipShrinks", func(t *testing.T) { gzipShrinks(t, s) })
	t.Run("AWrongReplyIsMismatch", func(t *testing.T) { wrongReply(t, s) })
	t.Run("ACancelledCallReturns", func(t *testing.T) { cancelledCall(t, s) })
	t.Run("WhatExceedsALimitIsRefused", func(t *testing.T) { limited(t, s) })
}

// RunSizes is the part of RunMessages that a client's codec needs against another codec of the server: messages of all sizes,
// and batches of them. Both codecs pass RunMessages by themselves.
func RunSizes(t *testing.T, s stack.Stack) {
	t.Run("EverySizeWorks", func(t *testing.T) { everySize(t, s) })
	t.Run("EveryBatchWorks", func(t *testing.T) { everyBatch(t, s) })
}

// inFlight is small, but for the test of one window.
const (
	inFlight       = 3
	windowInFlight = 64
	messages       = 4
	largeBytes     = 2_000_000 / shrink // a few of these are more than the buffers of sockets and streams hold
)

// calls returns the calls that s can do with payloads of these sizes, several for ping_pong and burst.
func calls(s stack.Stack, requestBytes, responseBytes, slots int) map[string]stack.Call {
	request := text()[:requestBytes]
	all := map[string]stack.Call{}
	for _, kind := range s.Info().Kinds {
		if kind == stack.KindConnect || kind == stack.KindFirstCall {
			continue
		}
		call := stack.Call{Kind: kind, Request: request, ResponseBytes: responseBytes}
		call.Check = equal(expected(request, responseBytes))
		if stack.HasMessages(kind) {
			call.Messages = messages
		}
		if stack.SharesStreams(kind) {
			call.Streams = slots
			window := call
			window.Streams = 1
			all[map[string]string{stack.KindPingPong: "window", stack.KindBurst: "burst window"}[kind]] = window
		}
		all[kind] = call
	}
	return all
}

// withBatches adds, to each of the calls that can have batches, the same with n operations in a message.
func withBatches(all map[string]stack.Call, n int) map[string]stack.Call {
	both := maps.Clone(all)
	for name, call := range all {
		if stack.IsBatchKind(call.Kind) {
			call.Batch = n
			both[fmt.Sprintf("%s, batch %d", name, n)] = call
		}
	}
	return both
}

// text and noise are made once: the first n bytes of a payload are the payload of n bytes.
var (
	text  = sync.OnceValue(func() []byte { return stack.Payload(stack.PayloadJSON, 1, largeBytes) })
	noise = sync.OnceValue(func() []byte { return stack.Payload(stack.PayloadRandom, 2, largeBytes) })
)

// reply returns the payload with which the servers of this test answer if the sizes differ.
func reply(n int) []byte { return noise()[:n] }

// expected is the right reply to request.
func expected(request []byte, responseBytes int) []byte {
	if len(request) == responseBytes {
		return request
	}
	return reply(responseBytes)
}

func equal(want []byte) func([]byte) error {
	return func(got []byte) error {
		if !bytes.Equal(got, want) {
			return stack.Errorf(stack.Mismatch, "the reply of %d bytes has other bytes than the %d expected", len(got), len(want))
		}
		return nil
	}
}
