package wire_test

import (
	"testing"

	"golang.org/x/net/http2"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
)

// A connection on a loop behaves like one with a goroutine.
func TestOnLoops(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]func(*testing.T){
		"Cancel":             TestCancelEndsACallWhateverItWaitsFor,
		"GoAwayUnnoticed":    TestAServerThatGoesAwayIsLeftWhenNobodyWaits,
		"ToldAtOnce":         TestACallThatCannotGoOnIsToldAtOnce,
		"NoIDs":              TestAConnectionWithoutIDsIsReplaced,
		"PingsAndSettings":   TestPingsAndSettingsAreAnswered,
		"EveryRequest":       TestAServerReadsTheSameInEveryRequest,
		"FewStreams":         TestAServerThatAllowsFewStreamsGetsFew,
		"GoAway":             TestAServerMayGoAwayInGoodOrder,
		"LongCall":           TestALongCallDoesNotStandInTheWay,
		"Reset":              TestACancelledCallIsResetAndTheNextIsAnswered,
		"Close":              TestCloseEndsWhatWaits,
		"Fields":             TestACallHasFieldsOfItsOwn,
		"NoMoreMessages":     TestACallMayFindThatItHasNoMoreMessages,
		"CannotBeMade":       TestACallThatCannotBeMadeEnds,
		"ServersWindows":     TestARequestKeepsToTheServersWindows,
		"ChangedWindows":     TestASettingChangesOpenWindows,
		"NothingWaiting":     TestALostConnectionLeavesNothingWaiting,
		"FilledWindows":      TestAServersWindowsAreFilledUp,
		"BesideOneThatHangs": TestCallsGoOnBesideOneThatHangsWhereTheServerLeft,
		"HangsWhereItLeft":   TestWhatHangsWhereTheServerLeftEnds,
		"SharedStreamHangs":  TestASharedStreamIsLeftToWhatHangs,
		"WaitsWhereItLeft":   TestWhatWaitsForAWindowWhereTheServerLeftGoesOut,
		"Refused":            TestTheCallsOfARefusedStreamGoOutOnceMore,
		"SharedStream":       TestRepliesOfASharedStreamAreInOrder,
		"BrokenStream":       TestAnOpenStreamThatBreaksIsOpenedAgain,
		"Endless":            TestAnEndlessResponseIsLeft,
		"EndingStream":       TestAStreamEndsAfterItsCalls,
		"CancelWhileItEnds":  TestACallIsCancelledWhileItsStreamEnds,
		"WrittenLater":       TestWhatASocketDoesNotTakeIsWrittenLater,
		"BrokenServer":       TestABrokenServerIsAnOutcomeWithASentence,
		"FailedWrite":        TestAFailedWriteIsWhatTheCallSays,
		"DuringFailedWrite":  TestACallThatBeginsDuringAFailedWriteGoesOutOnceMoreToo,
		"ServerReadsNothing": readsNothing,
	} {
		t.Run(name, test)
	}
}

// A server that reads nothing more holds up nobody on its loop, and memory does not grow with the calls. When it reads on, all is
// in order.
func readsNothing(t *testing.T) {
	t.Parallel()
	const rounds, inFlight = 200, 20
	stalled, on := make(chan struct{}), make(chan struct{})
	address := serve(t, func(s *server, _ int) {
		s.ReadMetaHeaders = newDecoder(nil)
		s.greet(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 30})
		s.WriteWindowUpdate(0, 1<<30)
		s.answered()
		close(stalled)
		within(t, on)
		s.goodAll()
	})
	client, err := dial(t, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	exchanges := make([]wire.Exchange, inFlight)
	slots := make([]int, inFlight)
	for i := range slots {
		slots[i], exchanges[i] = i, &exchange{message: large}
	}
	p := pump(t, client, unary(), exchanges...)
	within(t, stalled)
	for range rounds { // 800 MB
		p.lane.Send(slots)
		for _, slot := range slots {
			p.lane.Cancel(slot)
			p.want(slot, stack.Canceled)
		}
	}
	if held, most := client.Held(), 512<<10; held > most {
		t.Errorf("%d bytes are kept for the server, want at most %d", held, most)
	}
	close(on)
	p.lane.Send(slots)
	for _, slot := range slots {
		p.want(slot, stack.OK)
	}
}
