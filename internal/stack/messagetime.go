package stack

import (
	"sync"
	"sync/atomic"
	"time"

	"rpcbench/internal/stack/ring"
)

// A MessageTime is something that is timed of the messages within a call.
type MessageTime int

const (
	// TimeFirstReply is from when a call was sent to its first reply: of download and stream.
	TimeFirstReply MessageTime = iota
	// TimeReplyGap is from one reply to the next: of download.
	TimeReplyGap
	// TimeMessage is from when a message was due, or without a rate sent, to the reply of the same number: of stream.
	TimeMessage
	// TimeMessageLag is from when a message was due until it was sent: of upload and stream with a rate.
	TimeMessageLag
	// MessageTimes is the number of these times.
	MessageTimes
)

// A MessageClock times messages within the calls of a Method, whatever the outcome of the call, and says when they are due. The
// worker passes it in: adapters read no clock. It may be used concurrently. Do not copy it.
type MessageClock struct {
	Now func() time.Duration // monotonic, from any origin
	// PerSec is the number of messages that each upload or stream call sends per second: message k is due k/PerSec after its call
	// was sent, whatever the replies do. 0 sends them as fast as the connection takes them.
	PerSec float64
	// Beat returns a function that asks for a wake-up at a time of Now. Asking again before it has come moves it. wake may also
	// be called after it is no longer needed. Only with PerSec.
	Beat func(wake func()) (ask func(at time.Duration))
	// Record takes a measured time. Concurrent callers use different slots.
	Record func(slot int, of MessageTime, took time.Duration)

	slots atomic.Int64
}

// maxPaired limits the messages of a call that wait for their replies and are timed, to bound memory.
const maxPaired = 1 << 14

// messageTimes times the messages of one slot's calls. One goroutine may send while another receives.
type messageTimes struct {
	clock *MessageClock
	kind  string
	slot  int
	tally *Tally
	ask   func(at time.Duration)

	mu      sync.Mutex
	begun   time.Duration // the call
	last    time.Duration // when the last reply came
	replies int           // of the call
	waiting ring.Ring[sentMessage]
}

// A sentMessage waits for its reply.
type sentMessage struct {
	number int
	from   time.Duration // when it was due, or without a rate sent
}

// newMessageTimes is nil where a kind's calls have nothing to be timed.
func newMessageTimes(call Call, tally *Tally) *messageTimes {
	if call.Method == nil { // over HTTP a call is one message
		return nil
	}
	clock := call.Method.Clock
	switch {
	case clock == nil:
		return nil
	case call.Kind != KindDownload && call.Kind != KindStream && !call.Method.Paced():
		return nil
	}
	return &messageTimes{clock: clock, kind: call.Kind, slot: int(clock.slots.Add(1) - 1), tally: tally}
}

func (t *messageTimes) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begun = t.clock.Now()
	t.replies = 0
	t.waiting.Clear()
}

// again forgets the messages that were sent. They are due when they were.
func (t *messageTimes) again() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting.Clear()
}

// sending notes that message i is sent now. It is false before the message is due, and asks for a wake-up then.
func (t *messageTimes) sending(i int) bool {
	if t.kind == KindDownload {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.clock.Now()
	from := now
	if t.clock.PerSec > 0 {
		from = t.begun + time.Duration(float64(i)*float64(time.Second)/t.clock.PerSec)
		if from > now {
			t.ask(from)
			return false
		}
		t.clock.Record(t.slot, TimeMessageLag, now-from)
	}
	if t.kind == KindStream && i >= t.replies && t.waiting.Len() < maxPaired {
		t.waiting.Push(sentMessage{number: i, from: from})
	}
	return true
}

// reply notes that a reply came.
func (t *messageTimes) reply() {
	if t.kind == KindUpload {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.clock.Now()
	switch {
	case t.replies == 0:
		t.clock.Record(t.slot, TimeFirstReply, now-t.begun)
	case t.kind == KindDownload:
		t.clock.Record(t.slot, TimeReplyGap, now-t.last)
	}
	if t.kind == KindStream {
		t.pair(now)
	}
	t.last = now
	t.replies++
}

// pair times the message that the next reply answers. A reply without one, because its message is not sent yet or was
// too far ahead to be noted, is counted.
func (t *messageTimes) pair(now time.Duration) {
	if t.waiting.Len() == 0 || t.waiting.At(0).number != t.replies {
		t.tally.unpaired.Add(1)
		return
	}
	t.clock.Record(t.slot, TimeMessage, now-t.waiting.Pop().from)
}
