// Package batchv1 is the data plane's BatchService, generated from proto/rpcbench/batch/v1, and what clients and servers
// of every library do with its messages. A Batch is its own stack.Answers.
package batchv1

import "rpcbench/internal/stack"

// New makes a request of operations with one payload each, which they share, and no ids yet.
func New(operations int, payload []byte, responseBytes int) *Batch {
	memory := make([]Operation, operations)
	b := &Batch{Operations: make([]*Operation, operations), ResponseBytes: uint32(responseBytes)}
	for i := range memory {
		memory[i].Payload = payload
		b.Operations[i] = &memory[i]
	}
	return b
}

// Number gives the operations ids that count up from first.
func (x *Batch) Number(first uint64) {
	for i, operation := range x.Operations {
		operation.Id = first + uint64(i)
	}
}

// Respond makes the answer out of a request that nobody else uses any more. An answer that is not as long as its
// operation's payload gets the server's, which is shared.
func (x *Batch) Respond(from *stack.Responder) (*Batch, error) {
	if err := from.Check("response_bytes", len(x.Operations), int64(x.ResponseBytes)); err != nil {
		return nil, err
	}
	for _, operation := range x.Operations {
		operation.Payload = from.Payload(operation.Payload, int(x.ResponseBytes))
	}
	x.ResponseBytes = 0
	return x, nil
}

// OperationBytes is what the operations' ids and payloads have together, of a message whose operations are equally long.
func (x *Batch) OperationBytes() int {
	if len(x.Operations) == 0 {
		return 0
	}
	return len(x.Operations) * (stack.OperationIDBytes + len(x.Operations[0].Payload))
}

// Len is stack.Answers'.
func (x *Batch) Len() int { return len(x.Operations) }

// Answer is stack.Answers'.
func (x *Batch) Answer(i int) (id uint64, payload []byte) {
	return x.Operations[i].Id, x.Operations[i].Payload
}
