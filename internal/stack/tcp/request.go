package tcp

import (
	"bytes"
	"encoding/binary"

	"rpcbench/internal/stack"
)

// requests are the frames that a call sends. All slots of a call have them together, unless they are batches, whose ids
// differ.
type requests struct {
	call  stack.Call
	frame []byte // the last or only one of a call: asks for one reply, or for all of a download
	early []byte // the others': of an upload they ask for no reply, of a burst for one that is held back
	begin []byte // of both_ways, the first of several: asks for all replies but the last

	access *accessFrame // of operations that access a store, instead of the frames; nil of others
	last   header       // of the frame, and of early
	others header
}

func newRequests(call stack.Call) requests {
	h := header{
		operations: uint32(call.Batch), replyBytes: uint32(call.MessageBytes(call.ResponseBytes)), replies: 1,
	}
	if call.Kind == stack.KindDownload {
		h.replies = uint32(call.Messages)
	}
	if call.Accesses != nil {
		return newAccessRequests(call)
	}
	payload := newOperations(call.Batch, call.Request)
	made := requests{call: call, frame: newFrame(h, payload)}
	switch call.Kind {
	case stack.KindUpload:
		h.replies = 0
		made.early = newFrame(h, payload)
	case stack.KindBothWays:
		h.replies = 0
		made.early = newFrame(h, payload)
		h.tag, h.replies = kindAside, uint32(call.Messages-1)
		made.begin = newFrame(h, payload)
	case stack.KindBurst:
		h.tag = kindHeld
		made.early = newFrame(h, payload)
	}
	return made
}

// newAccessRequests makes the requests of a call whose operations access a store: they differ from message to message.
func newAccessRequests(call stack.Call) requests {
	last := header{stored: true, operations: uint32(call.Batch), replies: 1}
	others := last
	switch call.Kind {
	case stack.KindUpload:
		others.replies = 0
	case stack.KindBurst:
		others.tag = kindHeld
	}
	return requests{call: call, access: newAccessFrame(call), last: last, others: others}
}

// are reports whether these are the requests of call.
func (r requests) are(call stack.Call) bool {
	return (r.frame != nil || r.access != nil) && r.call.Kind == call.Kind && r.call.ResponseBytes == call.ResponseBytes &&
		r.call.Messages == call.Messages && r.call.Batch == call.Batch && r.call.Sizes == call.Sizes &&
		r.call.Accesses == call.Accesses && sameMemory(r.call.Request, call.Request)
}

// own returns the requests for one whose messages differ, if they do.
func (r requests) own() requests {
	if r.access != nil {
		r.access = newAccessFrame(r.call)
	}
	if r.call.Batch > 0 || r.call.Sizes != nil {
		r.frame, r.early = bytes.Clone(r.frame), bytes.Clone(r.early)
	}
	return r
}

// next returns the frame of a message: with more another follows in the same call.
func (r requests) next(message stack.Message, more bool) []byte {
	if r.access != nil {
		head := r.last
		if more {
			head = r.others
		}
		return r.access.of(message, head)
	}
	frame := r.frame
	if more {
		frame = r.early
	}
	number(frame, r.call.Batch, message.First)
	return drawn(frame, message)
}

// drawn returns as much of the frame as a message has whose lengths differ, with these in its header.
func drawn(frame []byte, message stack.Message) []byte {
	if !message.Drawn {
		return frame
	}
	binary.BigEndian.PutUint32(frame, uint32(len(message.Payload)))
	binary.BigEndian.PutUint32(frame[replyBytesAt:], uint32(message.ResponseBytes))
	return frame[:headerBytes+len(message.Payload)]
}

// at returns the frame of message i of a stream or of both_ways, which have no batches.
func (r requests) at(message stack.Message, i int) []byte {
	switch last := i+1 == r.call.Messages; {
	case last || r.early == nil:
		return drawn(r.frame, message)
	case i == 0:
		return r.begin
	default:
		return r.early
	}
}

// sameMemory reports whether a and b are one slice, not only equal ones.
func sameMemory(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
