package stack

import "cmp"

// Limits of the memory that a server can make a client hold: for a reply of known length that length, for any other a slot's
// share of the memory for all slots. Nobody waits for memory, so no slot can keep it from another, and no latency includes such a
// wait.

// EncodedBytesMax is the maximum length of a message in protobuf: a payload of MessageBytesMax, or operations of that size
// together, and what surrounds them.
const EncodedBytesMax = MessageBytesMax + BatchMax*operationBytes + 1<<10

const (
	// operationBytes is room for what surrounds an operation's id and payload: the tags and lengths of three fields.
	operationBytes = 16
	// replySpareBytes is room for a reply of another length than is due, which is MISMATCH, and for a sentence.
	replySpareBytes = 64 << 10
)

// ReplyBytesMax returns the maximum length of a reply in protobuf, both as received and decompressed; longer ones are
// RESOURCE_EXHAUSTED. It is the expected length plus a small margin.
func (c Call) ReplyBytesMax() int {
	due := c.MessageBytes(c.ResponseBytes)
	return int(min(EncodedBytesMax, due+due/64+int64(c.Batch)*operationBytes+replySpareBytes))
}

// ReplyBodyMax is ReplyBytesMax in JSON.
func (c Call) ReplyBodyMax() int {
	due := c.MessageBytes(c.ResponseBytes)
	return int(min(JSONBodyBytesMax, due/3*4+due/64+int64(c.Batch)*jsonOperationBytes+replySpareBytes))
}

// minReplyShare is a slot's share where there are very many slots.
const minReplyShare = 64 << 10

// ReplyShare returns how many bytes of memory each of slots may use for a reply of any length.
func ReplyShare(memory int64, slots int) int {
	return int(max(minReplyShare, min(EncodedBytesMax, memory/int64(max(slots, 1)))))
}

// ReplyBytes is the most that a reply of any length may have.
func (c DialConfig) ReplyBytes() int { return cmp.Or(c.ReplyShare, EncodedBytesMax) }
