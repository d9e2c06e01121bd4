// Package batchv1 is the data plane's BatchService, generated from proto/rpcbench/batch/v1, and what clients and servers of
// every library do with its messages. A Batch implements stack.Answers.
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

// NewAccesses returns a request of accesses to a store, without ids and keys. Prepare sets the payloads, each with room for a
// value like this one.
func NewAccesses(operations int, value []byte) *Batch {
	b := New(operations, nil, 0)
	values := stack.NewValues(value, operations)
	for i, operation := range b.Operations {
		operation.Payload = values.Of(i, 0)
	}
	return b
}

// Number gives the operations ids that count up from first.
func (x *Batch) Number(first uint64) {
	for i, operation := range x.Operations {
		operation.Id = first + uint64(i)
	}
}

// Prepare sets the operations' fields to those of a message.
func (x *Batch) Prepare(message stack.Message) {
	x.Number(message.First)
	if !message.Accesses() {
		return
	}
	for i, operation := range x.Operations {
		access := message.Access(i)
		operation.Key, operation.Access = access.Key, Access_ACCESS_READ
		if operation.Payload = operation.Payload[:0]; access.Writes {
			operation.Access, operation.Payload = Access_ACCESS_WRITE, operation.Payload[:cap(operation.Payload)]
			stack.PutKey(operation.Payload, access.Key)
		}
	}
}

// Works reports whether the operations access a store. In a request either all do or none.
func (x *Batch) Works() bool {
	return len(x.Operations) > 0 && x.Operations[0].GetAccess() != Access_ACCESS_NONE // one that was not decoded is nil
}

// Respond turns a request that nothing else uses any more into the answer. An answer that differs in length from its operation's
// payload gets the server's payload, which is shared.
func (x *Batch) Respond(from *stack.Responder) (*Batch, error) {
	if err := from.Check("response_bytes", len(x.Operations), int64(x.ResponseBytes)); err != nil {
		return nil, err
	}
	read := int64(0)
	for _, operation := range x.Operations {
		if err := operation.respond(from, int(x.ResponseBytes), &read); err != nil {
			return nil, err
		}
	}
	x.ResponseBytes = 0
	return x, nil
}

// respond makes the answer out of an operation. read counts the bytes that those of its message read.
func (x *Operation) respond(from *stack.Responder, bytes int, read *int64) (err error) {
	switch x.Access {
	case Access_ACCESS_NONE:
		x.Payload = from.Payload(x.Payload, bytes)
		return nil
	case Access_ACCESS_READ:
		x.Payload, err = from.Read(x.Key, read)
	case Access_ACCESS_WRITE:
		x.Payload, err = nil, from.Write(x.Key, x.Payload)
	default:
		err = stack.Errorf(stack.InvalidArgument, "access %d is unknown", x.Access)
	}
	x.Access, x.Key = Access_ACCESS_NONE, 0
	return err
}

// OperationBytes returns the total size of the operations' ids and payloads.
func (x *Batch) OperationBytes() int {
	bytes := len(x.Operations) * stack.OperationIDBytes
	for _, operation := range x.Operations {
		bytes += len(operation.Payload)
	}
	return bytes
}

// Len is stack.Answers'.
func (x *Batch) Len() int { return len(x.Operations) }

// Answer is stack.Answers'.
func (x *Batch) Answer(i int) (id uint64, payload []byte) {
	return x.Operations[i].Id, x.Operations[i].Payload
}
