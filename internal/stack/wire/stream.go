package wire

import (
	"encoding/binary"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/ring"
)

// A slot makes one call at a time.
type slot struct {
	lane     *Lane
	index    int
	exchange Exchange
	stream   *stream // of its call, or of its last one; slots may share it
	busy     bool    // with a call that has not ended
	again    bool    // which went out once more
	call     uint64  // tells this call's place from those that earlier ones left
	sends    int     // messages of this call
}

// A place in a stream's order belongs to one call of a slot: of several slots' calls on one stream, replies come in the
// order of the calls.
type place struct {
	slot   *slot
	call   uint64
	sends  int // messages
	unsent int // of them, not yet made ready
	due    int // replies
}

// taken reports whether the slot still waits here.
func (p *place) taken() bool { return p.slot.busy && p.slot.call == p.call }

// A stream is one of HTTP/2's, or, between two calls that have one each, none.
type stream struct {
	lane   *Lane
	link   *link  // where it is open; nil is nowhere
	id     uint32 // 0 is not open
	opened uint64 // after so many writes of link's

	// Sending.
	places  ring.Ring[place]
	first   [1]place // the memory of places, while one is enough
	sending int      // the first place with something unsent
	rest    []byte   // of the message that is being sent
	window  int64    // that the server gives
	queued  *link    // in whose queue it is; nil is none. It may still be in those of links that it was on before
	ended   bool     // END_STREAM is sent

	// Receiving.
	carried   int   // calls that were answered
	headed    bool  // the response's headers came
	status    int   // of HTTP, as far as form looks at it
	length    int64 // content-length; noLength without one
	came      int64 // bytes of DATA
	allowance allowance
	message   []byte // that is not yet all there; of one that is passed by, its prefix
	passing   int    // bytes of that one, without its prefix
	left      int    // of them, still to come
	zipped    bool   // the message that deframe returned
	encoding  string // grpc-encoding
}

func newStream(lane *Lane) *stream {
	s := &stream{lane: lane}
	s.places = ring.Over(s.first[:])
	return s
}

// awaited reports whether a slot waits on the stream.
func (s *stream) awaited() bool {
	for i := range s.places.Len() {
		if s.places.At(i).taken() {
			return true
		}
	}
	return false
}

const (
	noLength      = -1
	messagePrefix = 5
	encodingGzip  = "gzip"
)

// deframe takes the next message from the payload of DATA frames. What is not yet all there is kept.
func (s *stream) deframe(data []byte, limit int) (message, rest []byte, ok bool, err error) {
	if len(s.message) == 0 {
		size, err := s.sizeOf(data, limit)
		if err != nil {
			return nil, nil, false, err
		}
		if size > 0 && len(data) >= size {
			s.zipped = data[0] == 1
			return data[messagePrefix:size], data[size:], true, nil
		}
	}
	for len(data) > 0 {
		missing := messagePrefix - len(s.message)
		if missing <= 0 {
			size, err := s.sizeOf(s.message, limit)
			if err != nil {
				return nil, nil, false, err
			}
			missing = size - len(s.message)
		}
		n := min(missing, len(data))
		s.message, data = append(s.message, data[:n]...), data[n:]
		if whole, err := s.sizeOf(s.message, limit); err != nil {
			return nil, nil, false, err
		} else if whole > 0 && len(s.message) == whole {
			s.zipped = s.message[0] == 1
			message, s.message = s.message[messagePrefix:], s.message[:0]
			return message, data, true, nil
		}
	}
	return nil, nil, false, nil
}

// pass takes the next message from the payload of DATA frames, and keeps nothing of it but its size. One that is compressed
// is deframe's.
func (s *stream) pass(data []byte, limit int) (bytes int, rest []byte, ok bool, err error) {
	if s.left == 0 {
		n := min(messagePrefix-len(s.message), len(data))
		s.message, data = append(s.message, data[:n]...), data[n:]
		size, err := s.sizeOf(s.message, limit)
		if err != nil || size == 0 {
			return 0, nil, false, err
		}
		s.passing, s.left = size-messagePrefix, size-messagePrefix
	}
	n := min(s.left, len(data))
	s.left -= n
	if s.left > 0 {
		return 0, nil, false, nil
	}
	s.message = s.message[:0]
	return s.passing, data[n:], true, nil
}

// isZipped reports whether the message that began before data, or begins with it, is compressed.
func (s *stream) isZipped(data []byte) bool {
	if len(s.message) > 0 {
		data = s.message
	}
	return data[0] == 1
}

// sizeOf returns the size of the message that data begins with, its prefix included; 0 while that is not known.
func (s *stream) sizeOf(data []byte, limit int) (int, error) {
	if len(data) < messagePrefix {
		return 0, nil
	}
	length := binary.BigEndian.Uint32(data[1:])
	switch {
	case data[0] > 1:
		return 0, stack.Errorf(stack.Internal, "a message begins with the flags %#x, which gRPC does not define", data[0])
	case data[0] == 1 && (s.encoding == "" || s.encoding == "identity"):
		return 0, stack.Errorf(stack.Internal, "a message is marked as compressed, but the response has no grpc-encoding")
	case data[0] == 1 && (s.encoding != encodingGzip || !s.lane.call.Gzip):
		return 0, stack.Errorf(stack.Internal, "a message is compressed with %q, which the request did not accept", s.encoding)
	case int64(length) > int64(limit):
		return 0, stack.Errorf(stack.ResourceExhausted, "a message of %d bytes, %d at most", length, limit)
	}
	return messagePrefix + int(length), nil
}
