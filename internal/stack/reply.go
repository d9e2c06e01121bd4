package stack

// A Reply is the reply to a message.
type Reply struct {
	Payload []byte  // of a call without batches
	Answers Answers // of a call with them
	Bytes   int     // of somebody else's service, whose replies are counted only
}

// Replies gives ids to the operations of one Caller's calls and follows the replies: their number, and of several to one
// call the lengths and ids, while the call runs; the rest after it, which of several is the last one's bytes. So checking
// costs the measured time next to nothing, and memory does not grow with messages.
type Replies struct {
	check   func(payload []byte) error
	sent    int // messages of a call
	want    int // replies of a call
	length  int // of every reply
	batch   int // operations of a message; 0 is none
	answers answerCheck
	method  *methodReplies // of somebody else's service; nil of our own
	drawn   *drawnReplies  // of calls whose messages differ by chance; nil of others

	first, next uint64 // the ids of this call's first operation, and of the next call's

	got      int
	wrong    error // about the first wrong reply
	last     Reply
	complete bool
}

// NewReplies follows the calls of a slot, whose operations have other ids than those of other slots.
func NewReplies(call Call, slot int) Replies {
	if call.IsForeign() {
		return Replies{method: newMethodReplies(call, slot), sent: 1, want: 1}
	}
	sent, want := MessagesOf(call.Kind, int64(call.Messages))
	return Replies{
		check: call.Check, sent: int(sent), want: int(want), length: call.ResponseBytes, batch: call.Batch,
		answers: newAnswerCheck(call), next: uint64(slot) * slotIDs, drawn: newDrawnReplies(call, slot),
	}
}

// methodReplies is the state of Replies for calls of a Method or a Resource, whose replies it counts and does not judge.
type methodReplies struct {
	any     bool // any number of replies is right
	tally   *Tally
	traffic Traffic       // of the call
	times   *messageTimes // nil where nothing is timed
}

func newMethodReplies(call Call, slot int) *methodReplies {
	tally := call.tally(slot)
	return &methodReplies{
		any: call.Kind == KindDownload || call.Kind == KindStream, tally: tally, times: newMessageTimes(call, tally),
	}
}

// Begin starts a call.
func (r *Replies) Begin() {
	r.first = r.next
	r.next += uint64(r.sent) * uint64(r.batch)
	if r.drawn != nil {
		r.drawn.begin(r.sent)
	}
	r.got, r.wrong, r.last, r.complete = 0, nil, Reply{}, false
	if r.method == nil {
		return
	}
	r.method.traffic = Traffic{}
	if r.method.times != nil {
		r.method.times.begin()
	}
}

// Again restarts a call that has received nothing yet, and discards the counts of its messages.
func (r *Replies) Again() {
	if r.method == nil {
		return
	}
	r.method.traffic = Traffic{}
	if r.method.times != nil {
		r.method.times.again()
	}
}

// FirstID is the id of the first operation in message i of the call, 0 ≤ i; those after it count up.
func (r *Replies) FirstID(i int) uint64 { return r.first + uint64(i)*uint64(r.batch) }

// Message returns the varying part of message i ≥ 0 of the call.
func (r *Replies) Message(i int) Message {
	m := Message{First: r.FirstID(i)}
	if r.drawn != nil {
		r.drawn.fill(&m, i)
	}
	return m
}

// Add counts a reply. It is kept until the next Add or Begin.
func (r *Replies) Add(reply Reply) {
	if r.method != nil {
		r.AddBytes(reply.Bytes)
		return
	}
	r.got++
	r.last = reply
	if r.wrong != nil || r.got > r.want {
		return
	}
	switch {
	case r.batch > 0 && r.want > 1:
		r.wrong = r.matchLast(nil)
	case r.batch == 0:
		if length := r.due(); len(reply.Payload) != length {
			r.wrong = Errorf(Mismatch, "reply %d has %d bytes, expected %d", r.got, len(reply.Payload), length)
		}
	}
}

// due returns the expected length of the last reply.
func (r *Replies) due() int {
	if r.drawn == nil {
		return r.length
	}
	return r.drawn.sizes.At(r.drawn.slot, r.drawn.first+uint64(r.answered())).length()
}

// answered is which message of the call the last reply answers. One reply to many messages answers the last.
func (r *Replies) answered() int { return r.sent - r.want + r.got - 1 }

// matchLast matches the last reply with the message that it answers.
func (r *Replies) matchLast(check func([]byte) error) error {
	return r.answers.match(r.last.Answers, r.Message(r.answered()), check)
}

// AddBytes counts a reply to a call of a foreign service.
func (r *Replies) AddBytes(bytes int) {
	r.got++
	r.method.traffic.MessagesIn++
	r.method.traffic.BytesIn += int64(bytes)
	if r.method.times != nil {
		r.method.times.reply()
	}
}

// WakeSender has wake called when the next message of a method's call may be due, where messages have due times. It is for
// before the first call. wake may be called in vain, and from any goroutine.
func (r *Replies) WakeSender(wake func()) {
	if t := r.method.times; t != nil && t.clock.PerSec > 0 {
		t.ask = t.clock.Beat(wake)
	}
}

// Sending reports whether message i of a method's call may be sent, and notes that it is sent now. Where it is not yet due,
// WakeSender's function is called when it is, and Sending is to be asked again.
func (r *Replies) Sending(i int) bool { return r.method.times == nil || r.method.times.sending(i) }

// AddSent counts a message sent by a call of a foreign service.
func (r *Replies) AddSent(bytes int) {
	r.method.traffic.MessagesOut++
	r.method.traffic.BytesOut += int64(bytes)
}

// End ends a call that did not fail.
func (r *Replies) End() { r.complete = true }

// Verify implements Caller.After: it returns nil after a failed call, and MISMATCH after a wrong reply. It counts what a
// successful call of a foreign service carried.
func (r *Replies) Verify() error {
	if !r.complete {
		return nil
	}
	err := r.judge()
	switch {
	case err != nil:
	case r.method != nil:
		r.method.tally.Add(r.method.traffic)
	case r.drawn != nil:
		r.drawn.count(r)
	}
	return err
}

// judge returns what is wrong with the replies of a call that did not fail.
func (r *Replies) judge() error {
	switch {
	case r.method != nil && r.method.any:
		return nil
	case r.got != r.want:
		return Errorf(Mismatch, "%d replies came, expected %d", r.got, r.want)
	case r.wrong != nil:
		return r.wrong
	case r.batch > 0:
		return r.matchLast(r.check)
	case r.check == nil:
		return nil
	}
	return r.check(r.last.Payload)
}
