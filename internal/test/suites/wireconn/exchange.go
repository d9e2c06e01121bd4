package wireconn

import (
	"bytes"
	"math"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
)

// exchanged is what the Client's goroutine alone uses of a stream.
type exchanged struct {
	unpacker stack.Gzip
	came     int
	wrong    error // about a reply
}

// An exchange is a stream as the Client sees it: wire.Exchange. How many messages there are the stream learns as they are
// sent.
type exchange stream

// Begin is wire.Exchange's.
func (e *exchange) Begin() (int, error) {
	if e.desc.ClientStreams {
		return math.MaxInt32, nil
	}
	return 1, nil
}

// Fields is wire.Exchange's. All stand in the lane's block.
func (e *exchange) Fields() []byte { return nil }

// Message is wire.Exchange's.
func (e *exchange) Message(i int) ([]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case i < len(e.requests):
		return e.requests[i], nil
	case e.closed:
		return nil, wire.ErrNoMore
	}
	return nil, nil
}

// Reply is wire.Exchange's.
func (e *exchange) Reply(payload []byte, compressed bool) {
	e.came++
	if compressed {
		unpacked, err := e.unpacker.Unpack(payload, e.config.MessageBytesMax)
		if err != nil {
			e.wrong = err
			return
		}
		payload = unpacked
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.replies = append(e.replies, bytes.Clone(payload))
	e.changed.Broadcast()
}

// End is wire.Exchange's. A number of replies that does not fit is what it is in grpc-wire.
func (e *exchange) End() error {
	if e.wrong == nil && !e.desc.ServerStreams && e.came != 1 {
		return stack.Errorf(stack.Mismatch, "%d replies came, expected 1", e.came)
	}
	return e.wrong
}
