package stack

import "cmp"

// What a server may have a client hold: of a reply whose length is known beforehand what is due, of any other a slot's share of
// what all slots may hold. Nobody waits for memory, so that no slot can keep it from another, and no latency hides a wait.

// EncodedBytesMax is the most that a message has in protobuf: a payload of MessageBytesMax, or operations of that size together,
// with what surrounds them.
const EncodedBytesMax = MessageBytesMax + BatchMax*operationBytes + 1<<10

const (
	// operationBytes is room for what surrounds an operation's id and payload: the tags and lengths of three fields.
	operationBytes = 16
	// replySpareBytes is room for a reply of another length than is due, which is MISMATCH, and for a sentence.
	replySpareBytes = 64 << 10
)

// ReplyBytesMax is the most that a reply to the call may have in protobuf, as it comes and decompressed; more is
// RESOURCE_EXHAUSTED. It is what is due, with room for a reply that is wrong by a little.
func (c Call) ReplyBytesMax() int {
	due := c.MessageBytes(c.ResponseBytes)
	return int(min(EncodedBytesMax, due+due/64+int64(c.Batch)*operationBytes+replySpareBytes))
}

// ReplyBodyMax is ReplyBytesMax in JSON.
func (c Call) ReplyBodyMax() int {
	due := c.MessageBytes(c.ResponseBytes)
	return int(min(JSONBodyBytesMax, due/3*4+due/64+int64(c.Batch)*jsonOperationBytes+replySpareBytes))
}

// replyShareLeast is a slot's share where there are very many slots.
const replyShareLeast = 64 << 10

// ReplyShare is the most bytes of a reply of any length that each of so many slots may hold of memory.
func ReplyShare(memory int64, slots int) int {
	return int(max(replyShareLeast, min(EncodedBytesMax, memory/int64(max(slots, 1)))))
}

// ReplyBytes is the most that a reply of any length may have.
func (c DialConfig) ReplyBytes() int { return cmp.Or(c.ReplyShare, EncodedBytesMax) }
