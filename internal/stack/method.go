package stack

import (
	"sync"
	"sync/atomic"
)

// A Method is one of somebody else's service, and what its calls send. Messages come encoded, and no adapter looks into
// them or into replies; it reads each call's status, and counts messages and their bytes by a Tally. Of a method's kinds,
//
//   - unary sends one message and wants one reply;
//   - upload sends the messages of a request and wants one reply;
//   - download sends one message and takes replies until the server has sent all. With Call.Messages it takes so many at
//     the most: when one more comes, the stream is reset and the call was good;
//   - stream sends the messages of a request while replies come, half-closes, and takes replies until the server has sent
//     all, however many they are;
//   - ping_pong sends one message on a stream that stays open, and wants one reply.
//
// Of upload and stream, Call.Messages says how many messages a call sends, and 0 as many as its request has. Replies have
// any length, and Call.Check is nil.
//
// It may be used concurrently, and is not copied.
type Method struct {
	Path     string // "/package.Service/Method"
	Metadata []Metadatum
	Requests Requests
	Clock    *MessageClock // times the messages within calls; nil times nothing

	Ledger
}

// Requests are the messages of a method's calls, as protobuf encodes them. What a call sends depends on its number alone.
type Requests interface {
	// Constant returns the one message that every call sends, shared; it is false where calls differ.
	Constant() (message []byte, ok bool)
	// Messages is how many messages a call's request has, at least 1 but for a client's stream.
	Messages(call uint64) int
	// Append appends message i of a call; behind the last its request begins again. An error says what does not fit.
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

// A Ledger numbers the calls of somebody else's service, and counts what they carry. It may be used concurrently, and is
// not copied.
type Ledger struct {
	numbers atomic.Uint64
	mu      sync.Mutex
	tallies []*Tally
}

// NextCall numbers a call, from 0. On an open stream of ping_pong each message is a call, and the stream's metadata is
// that of the call which opened it; its messages are numbered on by the stream.
func (l *Ledger) NextCall() uint64 { return l.numbers.Add(1) - 1 }

// NewTally returns counters of one slot's. Who counts much in many slots has each its own.
func (l *Ledger) NewTally() *Tally {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := &Tally{}
	l.tallies = append(l.tallies, t)
	return t
}

// Paced tells whether the messages of a call have due times.
func (m *Method) Paced() bool { return m.Clock != nil && m.Clock.PerSec > 0 }

// Traffic is what all Tallies have counted so far.
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

// LateTraffic is what of Traffic calls carried that ended after the windows of their phases.
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

// Minus returns what was added since an earlier Traffic.
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

// Add counts what a good call carried.
func (t *Tally) Add(call Traffic) {
	t.last = call
	t.all.add(call)
}

// Late says that the call which was counted last ended after its phase's window: what it carried is the tail's.
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

// isMethodKind tells whether calls of a Method may be of the kind.
func isMethodKind(kind string) bool {
	switch kind {
	case KindUnary, KindUpload, KindDownload, KindStream, KindPingPong:
		return true
	default:
		return false
	}
}
