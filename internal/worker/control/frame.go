package control

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// Bounds of a message. A Command may carry a user's schema and requests. An Event has a bounded number of histograms, however
// long the phase is: the longest, a Done, stays far below, and rubbish taken for a length seldom.
const (
	commandBytesMax = 256 << 20
	eventBytesMax   = 8 << 20
)

// shownBytes is the length of unreadable input that is shown.
const shownBytes = 40

// A cutError says that input ended in the middle of a message.
type cutError struct{ begins string }

func (e *cutError) Error() string { return "it " + e.ended() }

func (e *cutError) ended() string {
	return fmt.Sprintf("ended in the middle of a message that begins with %q", e.begins)
}

// unmarshal reads one delimited message. It returns io.EOF between messages only; otherwise its error shows what was read.
func unmarshal(in *bufio.Reader, message proto.Message, most uint64) error {
	if _, err := in.Peek(1); err != nil {
		return err
	}
	if !framed(in) {
		return fmt.Errorf("it is not worker.v1 and begins with %q", start(in))
	}
	begins := start(in)
	err := decode(in, message, most)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return &cutError{begins}
	default:
		return fmt.Errorf("it is not worker.v1 and begins with %q: %w", begins, err)
	}
}

// decode reads a length and as many bytes, which take no memory before they come.
func decode(in *bufio.Reader, message proto.Message, most uint64) error {
	size, err := binary.ReadUvarint(in)
	if err != nil {
		return err
	}
	if size > most {
		return &protodelim.SizeTooLargeError{Size: size, MaxSize: most}
	}
	var encoded bytes.Buffer
	if _, err := io.CopyN(&encoded, in, int64(size)); err != nil {
		return err
	}
	return proto.Unmarshal(encoded.Bytes(), message)
}

// start returns bytes that have arrived and were not read yet.
func start(in *bufio.Reader) string {
	seen, _ := in.Peek(min(in.Buffered(), shownBytes)) // can't fail: it is buffered
	return string(seen)
}

// framed reports from the first bytes whether a message can follow, reading no more of them than necessary: a few words of
// garbage, taken as a length, promise more than ever arrives. Commands and Events both have a single field, a message, so three
// numbers must agree: the length, the field's tag, and the field's own length. Input that ends too early may be a message.
func framed(in *bufio.Reader) bool {
	length, size, ok := peekVarint(in, 0)
	if !ok || length == 0 {
		return true // the reading says what is wrong with it
	}
	tag, tagSize, ok := peekVarint(in, size)
	if !ok {
		return true
	}
	_, kind := protowire.DecodeTag(tag)
	if kind != protowire.BytesType || uint64(tagSize) >= length {
		return false
	}
	inner, innerSize, ok := peekVarint(in, size+tagSize)
	return !ok || uint64(tagSize+innerSize)+inner == length
}

// peekVarint reads a varint at an offset without taking it. It is not ok where the input ends, or holds none.
func peekVarint(in *bufio.Reader, offset int) (value uint64, size int, ok bool) {
	for n := 1; n <= 10; n++ { // the longest has ten bytes
		seen, err := in.Peek(offset + n)
		if err != nil {
			return 0, 0, false
		}
		if value, size := protowire.ConsumeVarint(seen[offset:]); size > 0 {
			return value, size, true
		}
	}
	return 0, 0, false
}
