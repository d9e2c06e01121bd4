package wire

import (
	"encoding/binary"
	"fmt"
)

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// Frame types, RFC 9113, section 6.
const (
	frameData         = 0x0
	frameHeaders      = 0x1
	framePriority     = 0x2
	frameReset        = 0x3
	frameSettings     = 0x4
	framePush         = 0x5
	framePing         = 0x6
	frameGoAway       = 0x7
	frameWindow       = 0x8
	frameContinuation = 0x9
)

// Flags.
const (
	flagEndStream  = 0x1
	flagAck        = 0x1
	flagEndHeaders = 0x4
	flagPadded     = 0x8
	flagPriority   = 0x20
)

const (
	frameHeaderBytes = 9
	frameBytes       = 16384 // the longest payload that a server may send, and that we send unless it allows more
	streamMax        = 1<<31 - 1
)

// An errorCode is HTTP/2's, RFC 9113, section 7.
type errorCode uint32

const (
	codeNone errorCode = iota
	codeProtocol
	codeInternal
	codeFlowControl
	codeSettingsTimeout
	codeStreamClosed
	codeFrameSize
	codeRefused
	codeCancel
	codeCompression
	codeConnect
	codeCalm
	codeInadequate
	codeHTTP11
)

var errorNames = [...]string{
	"NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
	"FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
	"INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
}

func (c errorCode) String() string {
	if int(c) < len(errorNames) {
		return errorNames[c]
	}
	return fmt.Sprintf("error %#x", uint32(c))
}

// A frame is one frame that came. Its payload lies in the read buffer.
type frame struct {
	kind    byte
	flags   byte
	stream  uint32
	payload []byte
}

func (f *frame) has(flag byte) bool { return f.flags&flag != 0 }

// readFrame returns the first frame of data and its whole length; 0 where it is not yet all there.
func readFrame(data []byte) (f frame, size int, err error) {
	if len(data) < frameHeaderBytes {
		return frame{}, 0, nil
	}
	length := int(data[0])<<16 | int(data[1])<<8 | int(data[2])
	if length > frameBytes {
		return frame{}, 0, broken(codeFrameSize, "a frame of %d bytes, %d at most", length, frameBytes)
	}
	size = frameHeaderBytes + length
	if len(data) < size {
		return frame{}, 0, nil
	}
	return frame{
		kind: data[3], flags: data[4], stream: binary.BigEndian.Uint32(data[5:]) & streamMax,
		payload: data[frameHeaderBytes:size:size],
	}, size, nil
}

func appendFrameHeader(to []byte, length int, kind, flags byte, stream uint32) []byte {
	return append(to, byte(length>>16), byte(length>>8), byte(length), kind, flags,
		byte(stream>>24), byte(stream>>16), byte(stream>>8), byte(stream))
}

func appendWord(to []byte, kind byte, stream, word uint32) []byte {
	return binary.BigEndian.AppendUint32(appendFrameHeader(to, 4, kind, 0, stream), word)
}

// unpad takes padding, and with it the priority of a HEADERS frame, from around a payload.
func (f *frame) unpad() ([]byte, error) {
	payload, padding := f.payload, 0
	if f.has(flagPadded) {
		if len(payload) == 0 {
			return nil, broken(codeFrameSize, "a padded frame on stream %d without the length of its padding", f.stream)
		}
		padding, payload = int(payload[0]), payload[1:]
	}
	if f.kind == frameHeaders && f.has(flagPriority) {
		if len(payload) < 5 {
			return nil, broken(codeFrameSize, "HEADERS on stream %d with half a priority", f.stream)
		}
		payload = payload[5:]
	}
	if padding > len(payload) {
		return nil, broken(codeProtocol, "padding of %d bytes in a frame on stream %d that has %d left",
			padding, f.stream, len(payload))
	}
	return payload[:len(payload)-padding], nil
}

// A violation is how a server broke the protocol so that the connection can't go on.
type violation struct {
	code errorCode
	text string
}

func (v *violation) Error() string { return "the server broke HTTP/2 with " + v.text }

func broken(code errorCode, format string, args ...any) error {
	return &violation{code, fmt.Sprintf(format, args...)}
}
