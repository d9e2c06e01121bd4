package stack

import "slices"

// A Message is the part of a request to our services that may differ between the messages of a call.
type Message struct {
	First uint64 // the id of its first operation, from which they count up; without a batch it has none
	// Drawn says that Payload and ResponseBytes are the message's; else they are the Call's.
	Drawn         bool
	Payload       []byte // shared: never write to it
	ResponseBytes int    // of its reply's payload

	accesses *Accesses // of its operations; nil where they are echoed
	slot     int
}

// Accesses reports whether the operations are accesses to a Store.
func (m Message) Accesses() bool { return m.accesses != nil }

// Access returns the Store operation of operation i.
func (m Message) Access(i int) Access { return m.accesses.Of(m.slot, m.First%slotIDs+uint64(i)) }

// IsSizedKind reports whether the lengths of a kind's messages can differ by chance.
func IsSizedKind(kind string) bool {
	return slices.Contains([]string{KindUnary, KindStream, KindPingPong, KindBurst, KindUpload}, kind)
}

// drawnReplies is the state of Replies for calls whose messages are drawn at random.
type drawnReplies struct {
	sizes    *Sizes
	accesses *Accesses
	request  []byte // the longest, or what a value has behind its key
	slot     int
	tally    *Tally

	first, next uint64 // the numbers of this call's first message, and of the next call's
}

func newDrawnReplies(call Call, slot int) *drawnReplies {
	if call.Sizes == nil && call.Accesses == nil {
		return nil
	}
	return &drawnReplies{sizes: call.Sizes, accesses: call.Accesses, request: call.Request, slot: slot, tally: call.tally(slot)}
}

func (d *drawnReplies) begin(sent int) {
	d.first = d.next
	d.next += uint64(sent)
}

// fill sets the fields of message i of the call.
func (d *drawnReplies) fill(m *Message, i int) {
	m.accesses, m.slot = d.accesses, d.slot
	if d.sizes != nil {
		drawn := d.sizes.At(d.slot, d.first+uint64(i))
		m.Drawn, m.Payload, m.ResponseBytes = true, d.request[:drawn.Request:drawn.Request], drawn.length()
	}
}

func (s DrawnSize) length() int { return int(s.Response) }

// count counts what a successful call carried.
func (d *drawnReplies) count(r *Replies) {
	carried := Traffic{MessagesOut: int64(r.sent), MessagesIn: int64(r.want)}
	for i := range r.sent {
		isAnswered := i >= r.sent-r.want // one reply to many messages answers the last
		if d.sizes != nil {
			drawn := d.sizes.At(d.slot, d.first+uint64(i))
			carried.BytesOut += int64(drawn.Request)
			if isAnswered {
				carried.BytesIn += int64(drawn.Response)
			}
			continue
		}
		writes := d.writes(r, i)
		carried.BytesOut += int64(writes) * int64(len(d.request))
		if isAnswered {
			carried.BytesIn += int64(r.batch-writes) * int64(len(d.request))
		}
	}
	d.tally.Add(carried)
}

// writes returns the number of writes among the operations of message i.
func (d *drawnReplies) writes(r *Replies, i int) (n int) {
	m := r.Message(i)
	for k := range r.batch {
		if m.Access(k).Writes {
			n++
		}
	}
	return n
}
