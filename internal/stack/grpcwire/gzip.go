package grpcwire

import (
	"encoding/binary"

	"rpcbench/internal/stack"
)

// A packer compresses a slot's messages and reads compressed replies.
type packer struct {
	on   bool // messages are to be compressed
	most int  // bytes of a reply that is decompressed
	gzip stack.Gzip
}

// pack returns a message as it travels, compressed if that is asked for, until the next.
func (p *packer) pack(message []byte) []byte {
	if !p.on {
		return message
	}
	packed := p.gzip.Pack([]byte{1, 0, 0, 0, 0}, message[prefixBytes:]) // compressed, and its length
	binary.BigEndian.PutUint32(packed[1:], uint32(len(packed)-prefixBytes))
	return packed
}

// unpack returns the message in a payload, until the next.
func (p *packer) unpack(payload []byte, compressed bool) ([]byte, error) {
	if !compressed {
		return payload, nil
	}
	return p.gzip.Unpack(payload, p.most)
}
