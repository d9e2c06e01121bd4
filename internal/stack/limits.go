package stack

import (
	"cmp"
	"time"
)

// Limits bounds what a server does for unknown clients. A request beyond a limit is refused with the protocol's own status,
// before it takes memory. The zero Limits are for measurements, whose client is ours: only the bounds of all messages apply.
type Limits struct {
	RequestBytes  int           // of one message as it is encoded, and decompressed
	ResponseBytes int           // of the payloads of one message
	Batch         int           // operations in one message
	Streams       int           // open at once on a connection that multiplexes
	HeldBytes     int64         // of the answers that all bursts hold together
	HeaderTimeout time.Duration // for a connection's handshake and first headers, and for every request's of HTTP/1.1
}

// HeaderBytesMax is the most that the headers of one request may have.
const HeaderBytesMax = 64 << 10

// Request returns the most bytes that a server reads of one message, whose encoding never has more than most.
func (l Limits) Request(most int) int { return min(cmp.Or(l.RequestBytes, most), most) }

// Operations returns the most operations that a server reads of one message.
func (l Limits) Operations() int { return cmp.Or(l.Batch, BatchMax) }

// CheckOperations returns RESOURCE_EXHAUSTED where a message has more operations than a server reads.
func (l Limits) CheckOperations(operations int) error {
	if most := l.Operations(); operations > most {
		return Errorf(ResourceExhausted, "the message has more than %d operations", most)
	}
	return nil
}

// CheckResponse returns an error unless a server may answer a message with payloads of that many bytes: one, or one per
// operation. field is the request's name for bytes. More than the maximum of any message is INVALID_ARGUMENT; more than l allows
// is RESOURCE_EXHAUSTED.
func (l Limits) CheckResponse(field string, operations int, bytes int64) error {
	if bytes < 0 || bytes > MessageBytesMax {
		return Errorf(InvalidArgument, "%s is %d, and must be 0 to %d", field, bytes, MessageBytesMax)
	}
	if err := l.CheckOperations(operations); err != nil {
		return err
	}
	all, code, most := Call{Batch: operations}.MessageBytes(int(bytes)), ResourceExhausted, int64(l.ResponseBytes)
	if most == 0 || all > MessageBytesMax {
		code, most = InvalidArgument, MessageBytesMax
	}
	switch {
	case all <= most:
		return nil
	case operations == 0:
		return Errorf(code, "%s is %d, and this server sends at most %d bytes", field, bytes, most)
	default:
		return Errorf(code, "the answers to %d operations have %d bytes with a %s of %d, %d at most",
			operations, all, field, bytes, most)
	}
}
