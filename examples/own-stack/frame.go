package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"

	"rpcbench/worker"
)

// Flags of a frame.
const (
	packed   = 0x80 // its bytes are compressed
	streamed = 0x40 // it belongs to a stream
	last     = 0x20 // it ends one side of the stream
)

// A frame is sent as its length, a byte for code and flags, and its bytes.
type frame struct {
	code  worker.Code // of a reply, and of the end of a stream; 0 is OK
	flags byte
	body  []byte
}

// writeFrame compresses the bytes of a frame that is packed.
func writeFrame(w io.Writer, f frame) error {
	if f.flags&packed != 0 {
		var smaller bytes.Buffer
		packer := gzip.NewWriter(&smaller)
		packer.Write(f.body)
		if err := packer.Close(); err != nil {
			return err
		}
		f.body = smaller.Bytes()
	}
	head := binary.BigEndian.AppendUint32(make([]byte, 0, 5+len(f.body)), uint32(len(f.body)))
	_, err := w.Write(append(append(head, byte(f.code)|f.flags), f.body...))
	return err
}

// readFrame takes no more memory than for a message of most bytes, compressed or not. An error that is a *worker.Error leaves
// the connection as it is: the next frame can be read.
func readFrame(r io.Reader, most int) (frame, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF // of a connection: io.EOF is the good end of a stream
		}
		return frame{}, err
	}
	const flags = packed | streamed | last
	length, f := int64(binary.BigEndian.Uint32(head[:])), frame{code: worker.Code(head[4] &^ flags), flags: head[4] & flags}
	if length > int64(most) {
		if _, err := io.CopyN(io.Discard, r, length); err != nil {
			return f, err
		}
		return f, worker.Errorf(worker.ResourceExhausted, "a message has %d bytes, %d at most", length, most)
	}
	f.body = make([]byte, length)
	_, err := io.ReadFull(r, f.body)
	if err == nil && f.flags&packed != 0 {
		f.body, err = unpack(f.body, most)
	}
	return f, err
}

func unpack(body []byte, most int) ([]byte, error) {
	unpacker, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, worker.Errorf(worker.InvalidArgument, "decompress: %v", err)
	}
	whole, err := io.ReadAll(io.LimitReader(unpacker, int64(most)+1))
	switch {
	case err != nil:
		return nil, worker.Errorf(worker.InvalidArgument, "decompress: %v", err)
	case len(whole) > most:
		return nil, worker.Errorf(worker.ResourceExhausted, "a message has more than %d bytes", most)
	default:
		return whole, nil
	}
}
