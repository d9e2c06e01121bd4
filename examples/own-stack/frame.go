package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"

	"rpcbench/worker"
)

// packed in a frame's code says that its bytes are compressed.
const packed = 0x80

// A frame is its length, a code, which is 0 for a message and for a good reply, and its bytes.
func writeFrame(w io.Writer, code worker.Code, body []byte, compress bool) error {
	first := byte(code)
	if compress {
		var smaller bytes.Buffer
		packer := gzip.NewWriter(&smaller)
		packer.Write(body)
		if err := packer.Close(); err != nil {
			return err
		}
		first, body = first|packed, smaller.Bytes()
	}
	head := binary.BigEndian.AppendUint32(make([]byte, 0, 5+len(body)), uint32(len(body)))
	_, err := w.Write(append(append(head, first), body...))
	return err
}

// readFrame takes no more memory than for a message of most bytes, compressed or not. An error that is a *worker.Error leaves
// the connection as it is: the next frame can be read.
func readFrame(r io.Reader, most int) (code worker.Code, body []byte, compressed bool, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, false, err
	}
	length := int64(binary.BigEndian.Uint32(head[:]))
	if length > int64(most) {
		if _, err := io.CopyN(io.Discard, r, length); err != nil {
			return 0, nil, false, err
		}
		return 0, nil, false, worker.Errorf(worker.ResourceExhausted, "a message has %d bytes, %d at most", length, most)
	}
	code, compressed = worker.Code(head[4]&^packed), head[4]&packed != 0
	body = make([]byte, length)
	if _, err = io.ReadFull(r, body); err == nil && compressed {
		body, err = unpack(body, most)
	}
	return code, body, compressed, err
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
