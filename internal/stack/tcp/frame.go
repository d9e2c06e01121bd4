package tcp

import (
	"encoding/binary"
	"io"
	"slices"

	"rpcbench/internal/stack"
)

const headerBytes = 16

// replyBytesAt is the offset of replyBytes in a header.
const replyBytesAt = 8

// Kinds of requests.
const (
	kindPrompt = 0 // answered at once
	kindHeld   = 1 // answered when a prompt one comes
	kindAside  = 2 // answered while further ones are read
)

// storeFlag marks a request whose operations access the server's store, and its reply.
const storeFlag = 0x80

// A header opens a frame; the package comment has its layout.
type header struct {
	length     uint32
	tag        uint8  // kind of a request, status of a reply
	stored     bool   // the operations access a store
	operations uint32 // in the payload; 0 is a payload that is no batch
	replyBytes uint32
	replies    uint32
}

func (h header) put(b []byte) {
	binary.BigEndian.PutUint32(b[0:], h.length)
	tag := h.tag
	if h.stored {
		tag |= storeFlag
	}
	binary.BigEndian.PutUint32(b[4:], uint32(tag)<<24|h.operations)
	binary.BigEndian.PutUint32(b[replyBytesAt:], h.replyBytes)
	binary.BigEndian.PutUint32(b[12:], h.replies)
}

// parseHeader reads a header. Its lengths are within stack.MessageBytesMax, and its payload holds its operations.
func parseHeader(b []byte) (header, error) {
	tag := binary.BigEndian.Uint32(b[4:])
	h := header{
		length:     binary.BigEndian.Uint32(b[0:]),
		tag:        uint8(tag>>24) &^ storeFlag,
		stored:     uint8(tag>>24)&storeFlag != 0,
		operations: tag & 0xffffff,
		replyBytes: binary.BigEndian.Uint32(b[8:]),
		replies:    binary.BigEndian.Uint32(b[12:]),
	}
	switch {
	case h.operations > stack.BatchMax:
		return h, stack.Errorf(stack.Internal, "a frame of %d operations, %d at most: this is another protocol",
			h.operations, stack.BatchMax)
	case h.length > stack.MessageBytesMax:
		return h, stack.Errorf(stack.ResourceExhausted, "a frame of %d bytes, %d at most", h.length, stack.MessageBytesMax)
	case h.replyBytes > stack.MessageBytesMax:
		return h, stack.Errorf(stack.ResourceExhausted, "a reply of %d bytes, %d at most", h.replyBytes, stack.MessageBytesMax)
	}
	return h, h.checkOperations(h.length)
}

// checkOperations reports whether a payload of n bytes can hold the operations: all are equally long, except accesses.
func (h header) checkOperations(n uint32) error {
	if h.operations > 0 && !h.stored && (n%h.operations != 0 || n/h.operations < stack.OperationIDBytes) {
		return stack.Errorf(stack.Internal, "%d bytes can't be %d operations", n, h.operations)
	}
	return nil
}

// newFrame returns a whole frame, so that it goes out in one write.
func newFrame(h header, payload []byte) []byte {
	frame := make([]byte, headerBytes+len(payload))
	h.length = uint32(len(payload))
	h.put(frame)
	copy(frame[headerBytes:], payload)
	return frame
}

// readHeader reads a header into b, which has headerBytes.
func readHeader(r io.Reader, b []byte) (header, error) {
	if _, err := io.ReadFull(r, b); err != nil {
		return header{}, err
	}
	return parseHeader(b)
}

// growBytes is the minimum growth of a buffer.
const growBytes = 64 << 10

// readPayload appends n bytes to buffer. If there is no room, the buffer grows as they arrive: a length is only a claim of the
// peer.
func readPayload(r io.Reader, n uint32, buffer []byte) ([]byte, error) {
	for end := len(buffer) + int(n); len(buffer) < end; {
		if cap(buffer) < end {
			buffer = slices.Grow(buffer, min(end-len(buffer), max(len(buffer), growBytes)))
		}
		begin := len(buffer)
		buffer = buffer[:min(end, cap(buffer))]
		read, err := io.ReadFull(r, buffer[begin:])
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return buffer[:begin+read], err
		}
	}
	return buffer, nil
}
