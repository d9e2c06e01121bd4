package httpwire

import "rpcbench/internal/stack"

// A packer compresses a slot's bodies and reads compressed ones.
type packer struct {
	on   bool // bodies are to be compressed
	most int  // bytes of a response's, decompressed
	gzip stack.Gzip
}

// pack returns a body as it travels, until the next.
func (p *packer) pack(body []byte) []byte {
	if !p.on {
		return body
	}
	return p.gzip.Pack(nil, body)
}

// unpack returns a response's body, until the next.
func (p *packer) unpack(r *response) ([]byte, error) {
	switch encoding := r.encoding; {
	case len(encoding) == 0 || isNamed(encoding, "identity"):
		return r.body, nil
	case !p.on || !isNamed(encoding, "gzip"):
		return nil, broken("the content-encoding %.60q, which the request did not accept", encoding)
	}
	return p.gzip.Unpack(r.body, p.most)
}
