package httpjson

import "rpcbench/internal/stack"

// A batch is a message of BatchService, and its own stack.Answers.
type batch struct {
	Operations    []operation `json:"operations,omitempty"`
	ResponseBytes uint32      `json:"responseBytes,omitempty"` // of a request: of each answer's payload
}

type operation struct {
	ID      uint64 `json:"id,omitempty,string"` // a string: not every language's JSON numbers hold 64 bits
	Payload []byte `json:"payload,omitempty"`   // in base64
}

func newBatch(call stack.Call) *batch {
	b := &batch{Operations: make([]operation, call.Batch), ResponseBytes: uint32(call.ResponseBytes)}
	for i := range b.Operations {
		b.Operations[i].Payload = call.Request
	}
	return b
}

func (b *batch) number(first uint64) {
	for i := range b.Operations {
		b.Operations[i].ID = first + uint64(i)
	}
}

func (*batch) reply(answer *batch) stack.Reply { return stack.Reply{Answers: answer} }

// respond makes the answer out of a request that nobody else uses any more.
func (b *batch) respond(from *stack.Responder) (*batch, error) {
	if err := from.Check("responseBytes", len(b.Operations), int64(b.ResponseBytes)); err != nil {
		return nil, err
	}
	for i := range b.Operations {
		b.Operations[i].Payload = from.Payload(b.Operations[i].Payload, int(b.ResponseBytes))
	}
	b.ResponseBytes = 0
	return b, nil
}

// Len is stack.Answers'.
func (b *batch) Len() int { return len(b.Operations) }

// Answer is stack.Answers'.
func (b *batch) Answer(i int) (id uint64, payload []byte) {
	return b.Operations[i].ID, b.Operations[i].Payload
}
