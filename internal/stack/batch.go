package stack

import "slices"

// BatchMax is the most operations that a message may have.
const BatchMax = 100_000

// OperationIDBytes is the size of an operation's id.
const OperationIDBytes = 8

// slotIDs is the number of operation ids of a slot before it reaches its neighbor's. It is far larger than the number of
// operations in flight, so no answer can be taken for another's.
const slotIDs = 1 << 40

// IsBatchKind reports whether calls of the kind can have batches.
func IsBatchKind(kind string) bool {
	return slices.Contains([]string{KindUnary, KindPingPong, KindBurst, KindUpload}, kind)
}

// Answers holds the answers in one message of BatchService, in the order in which they came.
type Answers interface {
	Len() int
	// Answer returns the id and the payload of answer i, 0 ≤ i < Len.
	Answer(i int) (id uint64, payload []byte)
}

// MessageBytes returns the size of one message of the call, if its payload, or that of each operation, has n bytes. Limits apply
// to this size. Encodings add to it.
func (c Call) MessageBytes(n int) int64 {
	if c.Batch == 0 {
		return int64(n)
	}
	return int64(c.Batch) * int64(n+OperationIDBytes)
}

// An answerCheck finds for every answer the operation that it answers.
type answerCheck struct {
	operations int      // of one message
	length     int      // of every answer's payload, or, of Accesses, of every value
	seen       []uint64 // a bit for each operation
}

func newAnswerCheck(call Call) answerCheck {
	return answerCheck{call.Batch, call.ResponseBytes, make([]uint64, (call.Batch+63)/64)}
}

// match returns MISMATCH unless the operations of a message have one answer each, of the right length and with the right payload.
// Operation ids count up from the message's first. For accesses the payload must be the record's; otherwise check decides, unless
// it is nil.
func (a *answerCheck) match(answers Answers, asked Message, check func(payload []byte) error) error {
	first := asked.First
	if got := lenOf(answers); got != a.operations {
		return Errorf(Mismatch, "the message has %d answers, expected %d", got, a.operations)
	}
	clear(a.seen)
	for i := range a.operations {
		id, payload := answers.Answer(i)
		operation := id - first // of a foreign id beyond them all: no number is below 0
		switch {
		case operation >= uint64(a.operations):
			return Errorf(Mismatch, "answer %d has id %d; the operations have ids %d to %d",
				i+1, id, first, first+uint64(a.operations)-1)
		case a.seen[operation/64]>>(operation%64)&1 == 1:
			return Errorf(Mismatch, "operation %d was answered twice", id)
		case asked.accesses == nil && len(payload) != a.length:
			return Errorf(Mismatch, "answer %d has %d bytes, expected %d", i+1, len(payload), a.length)
		}
		a.seen[operation/64] |= 1 << (operation % 64)
		var err error
		switch {
		case asked.accesses != nil:
			err = asked.Access(int(operation)).check(id, payload, a.length)
		case check != nil:
			err = check(payload)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func lenOf(answers Answers) int {
	if answers == nil {
		return 0
	}
	return answers.Len()
}
