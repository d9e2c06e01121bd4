package tcp

import (
	"encoding/binary"

	"rpcbench/internal/stack"
)

// What stands before the value of an operation that accesses a store, and of its answer. Both begin with an id.
const (
	accessBytes   = stack.OperationIDBytes + 12 // a key and a length follow
	accessedBytes = stack.OperationIDBytes + 4  // a length follows
)

// An accessFrame is a request whose operations access a store. It is made anew for each message.
type accessFrame struct {
	values stack.Values
	frame  []byte
}

func newAccessFrame(call stack.Call) *accessFrame {
	values := stack.NewValues(call.Request, call.Batch)
	return &accessFrame{values, make([]byte, 0, headerBytes+call.Batch*(accessBytes+len(call.Request)))}
}

// of returns the frame of a message, with the kind and the replies of one of the call's requests.
func (a *accessFrame) of(message stack.Message, request header) []byte {
	frame := a.frame[:headerBytes]
	for i := range int(request.operations) {
		access, value := message.Access(i), []byte(nil)
		if access.Writes {
			value = a.values.Of(i, access.Key)
		}
		frame = binary.BigEndian.AppendUint64(frame, message.First+uint64(i))
		frame = binary.BigEndian.AppendUint64(frame, access.Key)
		frame = append(binary.BigEndian.AppendUint32(frame, uint32(len(value))), value...)
	}
	request.length = uint32(len(frame) - headerBytes)
	request.put(frame)
	return frame
}

// access does the operations of the request in s.frame, and returns the frame that answers it.
func (s *session) access(request header) ([]byte, error) {
	n, operations := int(request.operations), s.frame[headerBytes:]
	var unknown [headerBytes]byte // the header, until its length is known
	s.accessed = append(s.accessed[:0], unknown[:]...)
	frame, read := s.accessed, int64(0)
	for range n {
		if len(operations) < accessBytes {
			return nil, errNotAccesses(n)
		}
		head, rest := operations[:accessBytes], operations[accessBytes:]
		length := binary.BigEndian.Uint32(head[accessBytes-4:])
		if uint64(length) > uint64(len(rest)) {
			return nil, errNotAccesses(n)
		}
		value, err := s.accessOne(binary.BigEndian.Uint64(head[stack.OperationIDBytes:]), rest[:length], &read)
		if err != nil {
			return nil, err
		}
		frame = binary.BigEndian.AppendUint32(append(frame, head[:stack.OperationIDBytes]...), uint32(len(value)))
		frame, operations = append(frame, value...), rest[length:]
	}
	if len(operations) > 0 {
		return nil, errNotAccesses(n)
	}
	if len(frame) > headerBytes+stack.MessageBytesMax {
		return nil, stack.Errorf(stack.ResourceExhausted, "the answers have more than %d bytes", stack.MessageBytesMax)
	}
	header{length: uint32(len(frame) - headerBytes), operations: request.operations, stored: true}.put(frame)
	s.accessed = frame
	return frame, nil
}

// accessOne does one operation, and returns the value that it reads.
func (s *session) accessOne(key uint64, value []byte, read *int64) ([]byte, error) {
	if len(value) == 0 {
		return s.server.from.Read(key, read)
	}
	return nil, s.server.from.Write(key, value)
}

func errNotAccesses(n int) error {
	return stack.Errorf(stack.Internal, "the payload is not %d accesses to a store", n)
}

// accessed are answers to accesses.
type accessed []answer

type answer struct {
	id    uint64
	value []byte // shared with the payload
}

// read reads as many answers as a reply's header says, into the same memory.
func (a accessed) read(payload []byte, n int) (accessed, error) {
	a = a[:0]
	for range n {
		if len(payload) < accessedBytes {
			return nil, errNotAccesses(n)
		}
		id, length := binary.BigEndian.Uint64(payload), binary.BigEndian.Uint32(payload[stack.OperationIDBytes:])
		payload = payload[accessedBytes:]
		if uint64(length) > uint64(len(payload)) {
			return nil, errNotAccesses(n)
		}
		a, payload = append(a, answer{id, payload[:length]}), payload[length:]
	}
	if len(payload) > 0 {
		return nil, errNotAccesses(n)
	}
	return a, nil
}
