package tcp

import (
	"encoding/binary"

	"rpcbench/internal/stack"
)

// answers are the operations in the payload of a frame.
type answers struct {
	payload    []byte
	operations int
	bytes      int // of one operation
	accessed   accessed
	stored     bool // accessed has them, as their lengths differ
}

func (a *answers) set(head header, payload []byte) (err error) {
	a.payload, a.operations, a.stored = payload, int(head.operations), head.stored
	if head.stored {
		a.accessed, err = a.accessed.read(payload, a.operations)
		return err
	}
	a.bytes = len(payload) / a.operations
	return nil
}

// Len is stack.Answers'.
func (a *answers) Len() int { return a.operations }

// Answer is stack.Answers'.
func (a *answers) Answer(i int) (id uint64, payload []byte) {
	if a.stored {
		return a.accessed[i].id, a.accessed[i].value
	}
	one := a.payload[i*a.bytes : (i+1)*a.bytes]
	return binary.BigEndian.Uint64(one), one[stack.OperationIDBytes:]
}

// newOperations returns the payload of a frame of n operations that have no ids yet; payload itself where n is 0.
func newOperations(n int, payload []byte) []byte {
	if n == 0 {
		return payload
	}
	all := make([]byte, 0, n*(stack.OperationIDBytes+len(payload)))
	for range n {
		all = append(all, make([]byte, stack.OperationIDBytes)...)
		all = append(all, payload...)
	}
	return all
}

// number gives the operations in a frame ids that count up from first.
func number(frame []byte, operations int, first uint64) {
	if operations == 0 {
		return
	}
	bytes := (len(frame) - headerBytes) / operations
	for i := range operations {
		binary.BigEndian.PutUint64(frame[headerBytes+i*bytes:], first+uint64(i))
	}
}

// copyIDs gives the operations in the frame to the ids of those in the frame from, which are as many.
func copyIDs(to, from []byte, operations int) {
	if operations == 0 {
		return
	}
	toBytes, fromBytes := (len(to)-headerBytes)/operations, (len(from)-headerBytes)/operations
	for i := range operations {
		at := headerBytes + i*fromBytes
		copy(to[headerBytes+i*toBytes:], from[at:at+stack.OperationIDBytes])
	}
}
