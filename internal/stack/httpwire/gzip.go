package httpwire

import (
	"bytes"
	"compress/gzip"
	"io"

	"rpcbench/internal/stack"
)

// A packer compresses a slot's bodies and reads compressed ones. Its memory is used again.
type packer struct {
	on     bool // bodies are to be compressed
	writer *gzip.Writer
	out    bytes.Buffer
	reader *gzip.Reader
	in     bytes.Reader
	plain  bytes.Buffer
}

// pack returns a body as it travels, until the next.
func (p *packer) pack(body []byte) []byte {
	if !p.on {
		return body
	}
	p.out.Reset()
	if p.writer == nil {
		p.writer = gzip.NewWriter(&p.out)
	} else {
		p.writer.Reset(&p.out)
	}
	_, _ = p.writer.Write(body) // a bytes.Buffer takes all
	_ = p.writer.Close()        // as above
	return p.out.Bytes()
}

// unpack returns a response's body, until the next.
func (p *packer) unpack(r *response) ([]byte, error) {
	switch encoding := r.encoding; {
	case len(encoding) == 0 || isNamed(encoding, "identity"):
		return r.body, nil
	case !p.on || !isNamed(encoding, "gzip"):
		return nil, broken("the content-encoding %.60q, which was not asked for", encoding)
	}
	p.in.Reset(r.body)
	var err error
	if p.reader == nil {
		p.reader, err = gzip.NewReader(&p.in)
	} else {
		err = p.reader.Reset(&p.in)
	}
	if err == nil {
		p.plain.Reset()
		_, err = p.plain.ReadFrom(io.LimitReader(p.reader, bodyBytesMax+1))
	}
	switch {
	case err != nil:
		return nil, stack.Errorf(stack.Internal, "a reply is not compressed as it says: %w", err)
	case p.plain.Len() > bodyBytesMax:
		return nil, tooLong()
	}
	return p.plain.Bytes(), nil
}
