package grpcwire

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"

	"rpcbench/internal/stack"
)

// A packer compresses a slot's messages and reads compressed replies. Its memory is used again.
type packer struct {
	on     bool // messages are to be compressed
	writer *gzip.Writer
	out    bytes.Buffer
	reader *gzip.Reader
	in     bytes.Reader
	plain  bytes.Buffer
}

// pack returns a message as it travels, compressed if that is asked for, until the next.
func (p *packer) pack(message []byte) []byte {
	if !p.on {
		return message
	}
	p.out.Reset()
	p.out.Write([]byte{1, 0, 0, 0, 0}) // compressed, and its length
	if p.writer == nil {
		p.writer = gzip.NewWriter(&p.out)
	} else {
		p.writer.Reset(&p.out)
	}
	_, _ = p.writer.Write(message[prefixBytes:]) // a bytes.Buffer takes all
	_ = p.writer.Close()                         // as above
	packed := p.out.Bytes()
	binary.BigEndian.PutUint32(packed[1:], uint32(len(packed)-prefixBytes))
	return packed
}

// unpack returns the message in a payload, until the next.
func (p *packer) unpack(payload []byte, compressed bool) ([]byte, error) {
	if !compressed {
		return payload, nil
	}
	p.in.Reset(payload)
	var err error
	if p.reader == nil {
		p.reader, err = gzip.NewReader(&p.in)
	} else {
		err = p.reader.Reset(&p.in)
	}
	if err != nil {
		return nil, stack.Errorf(stack.Internal, "a reply is not compressed as it says: %w", err)
	}
	p.plain.Reset()
	switch n, err := p.plain.ReadFrom(io.LimitReader(p.reader, replyBytesMax+1)); {
	case err != nil:
		return nil, stack.Errorf(stack.Internal, "a reply is not compressed as it says: %w", err)
	case n > replyBytesMax:
		return nil, stack.Errorf(stack.ResourceExhausted, "a reply has more than %d bytes when it is decompressed", replyBytesMax)
	}
	return p.plain.Bytes(), nil
}
