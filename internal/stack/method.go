package stack

import (
	"sync"
	"sync/atomic"
)

// A Method is a method of a foreign service, and what its calls send. Messages are already encoded, and adapters inspect
// neither them nor replies. They read each call's status, and count messages and their bytes by a Tally. The kinds are:
//
//   - unary sends one message and expects one reply;
//   - upload sends the messages of a request and expects one reply;
//   - download sends one message and reads replies until the server has sent all. Call.Messages is the maximum: when
//     another reply comes, the stream is reset and the call has succeeded;
//   - stream sends the messages of a request while replies come, half-closes, and reads replies until the server has sent
//     all, however many they are;
//   - ping_pong sends one message on a stream that stays open, and expects one reply.
//
// For upload and stream, Call.Messages is the number of messages that a call sends; 0 is the number in its request.
// Replies may have any length, and Call.Check is nil.
//
// A Method may be used concurrently. Do not copy it.
type Method struct {
	Path     string // "/package.Service/Method"
	Metadata []Metadatum
	Requests Requests
	Clock    *MessageClock // times the messages within calls; nil times nothing

	Ledger
}

// Requests holds the messages of a method's calls, encoded as protobuf. What a call sends depends only on its number.
type Requests interface {
	// Constant returns the one message that every call sends, shared; it is false where calls differ.
	Constant() (message []byte, ok bool)
	// Messages returns the number of messages of a call's request: at least 1, except for a client's stream.
	Messages(call uint64) int
	// Append appends message i of a call; after the last message its request begins again. An error says what does not fit.
	Append(dst []byte, call uint64, i int) ([]byte, error)
}

// A Metadatum goes along with every call.
type Metadatum struct {
	Name string // in lower case, and not the protocol's own
	Value
}

// A Value may differ from call to call.
type Value interface {
	// Constant returns the value that every call has; it is false where calls differ.
	Constant() (value []byte, ok bool)
	// Append appends a call's value; of a name that ends in -bin, the bytes themselves.
	Append(dst []byte, call uint64) ([]byte, error)
	// AppendWire appends a call's value as HTTP/2 carries it: base64 without padding under a name that ends in -bin.
	AppendWire(dst []byte, call uint64) ([]byte, error)
}

// A Ledger numbers the calls of a foreign service, and counts what they carry. It may be used concurrently. Do not copy it.
type Ledger struct {
	numbers atomic.Uint64
	part    uint64 // of parts: the client whose calls these are
	parts   uint64 // 0 and 1 are a single client
	mu      sync.Mutex
	tallies []*Tally
}

// Deal has calls numbered as those of client number part, from 0, of parts clients that call the same. It comes before NextCall.
func (l *Ledger) Deal(part, parts uint32) { l.part, l.parts = uint64(part), uint64(parts) }

// NextCall returns the number of the next call, from 0 unless they are dealt. On an open ping_pong stream each message is a call.
// The stream's metadata is that of the call that opened it, and each stream counts on for its messages.
//
// Of several clients each takes one number of each round of as many. Which one changes without a pattern: if it were always the
// same, a client would call with some requests only, where their number and that of the clients have a common divisor.
func (l *Ledger) NextCall() uint64 {
	round := l.numbers.Add(1) - 1
	if l.parts <= 1 {
		return round
	}
	turn := round * 0x9e3779b97f4a7c15 >> 33 // 2^64 by the golden ratio, as in Fibonacci hashing
	return round*l.parts + (l.part+turn)%l.parts
}

// NewTally returns counters of one slot's. Who counts much in many slots has each its own.
func (l *Ledger) NewTally() *Tally {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := &Tally{}
	l.tallies = append(l.tallies, t)
	return t
}

// Paced reports whether the messages of a call have due times.
func (m *Method) Paced() bool { return m.Clock != nil && m.Clock.PerSec > 0 }

// Traffic returns the sum of what all Tallies have counted so far.
func (l *Ledger) Traffic() Traffic {
	l.mu.Lock()
	defer l.mu.Unlock()
	var sum Traffic
	for _, t := range l.tallies {
		t.all.addTo(&sum)
		sum.Unpaired += t.unpaired.Load()
	}
	return sum
}

// LateTraffic returns the part of Traffic carried by calls that ended after the windows of their phases.
func (l *Ledger) LateTraffic() Traffic {
	l.mu.Lock()
	defer l.mu.Unlock()
	var sum Traffic
	for _, t := range l.tallies {
		t.late.addTo(&sum)
	}
	return sum
}

// A Traffic is messages, and the bytes of their encodings without gRPC's prefixes, or of HTTP's bodies, of good calls; and of
// all calls, the replies that a MessageClock paired with no message.
type Traffic struct{ MessagesOut, MessagesIn, BytesOut, BytesIn, Unpaired int64 }

// Minus returns the increase since an earlier Traffic.
func (t Traffic) Minus(earlier Traffic) Traffic {
	return Traffic{
		t.MessagesOut - earlier.MessagesOut, t.MessagesIn - earlier.MessagesIn,
		t.BytesOut - earlier.BytesOut, t.BytesIn - earlier.BytesIn, t.Unpaired - earlier.Unpaired,
	}
}

// A Tally counts a slot's Traffic. Calls are counted one after another; Ledger.Traffic may read meanwhile.
type Tally struct {
	all, late sums
	unpaired  atomic.Int64
	last      Traffic // of the latest good call

	_ [16]byte // another slot's is in another cache line
}

// Add counts what a successful call carried.
func (t *Tally) Add(call Traffic) {
	t.last = call
	t.all.add(call)
}

// Late marks the call counted last as ended after its phase's window: what it carried belongs to the tail.
func (t *Tally) Late() { t.late.add(t.last) }

type sums struct{ messagesOut, messagesIn, bytesOut, bytesIn atomic.Int64 }

func (s *sums) add(more Traffic) {
	s.messagesOut.Add(more.MessagesOut)
	s.messagesIn.Add(more.MessagesIn)
	s.bytesOut.Add(more.BytesOut)
	s.bytesIn.Add(more.BytesIn)
}

func (s *sums) addTo(sum *Traffic) {
	sum.MessagesOut += s.messagesOut.Load()
	sum.MessagesIn += s.messagesIn.Load()
	sum.BytesOut += s.bytesOut.Load()
	sum.BytesIn += s.bytesIn.Load()
}

// Append appends message i of a call. An error is INVALID_ARGUMENT: nothing was sent.
func (m *Method) Append(dst []byte, call uint64, i int) ([]byte, error) {
	dst, err := m.Requests.Append(dst, call, i)
	if err != nil {
		return dst, Errorf(InvalidArgument, "the request can't be made: %w", err)
	}
	if len(dst) > MessageBytesMax {
		return dst, Errorf(InvalidArgument, "the request has %d bytes, %d at most", len(dst), MessageBytesMax)
	}
	return dst, nil
}

// isMethodKind reports whether calls of a Method may be of the kind.
func isMethodKind(kind string) bool {
	switch kind {
	case KindUnary, KindUpload, KindDownload, KindStream, KindPingPong:
		return true
	default:
		return false
	}
}
