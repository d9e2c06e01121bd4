package stack

import (
	"bytes"
	"compress/gzip"
	"io"
)

// A Gzip compresses and decompresses one slot's messages. Its memory is used again. The zero value is ready.
type Gzip struct {
	writer *gzip.Writer
	out    bytes.Buffer
	reader *gzip.Reader
	in     bytes.Reader
	plain  bytes.Buffer
}

// Pack returns a prefix as it is and a message compressed behind it, until the next Pack.
func (g *Gzip) Pack(prefix, message []byte) []byte {
	g.out.Reset()
	g.out.Write(prefix)
	if g.writer == nil {
		g.writer = gzip.NewWriter(&g.out)
	} else {
		g.writer.Reset(&g.out)
	}
	_, _ = g.writer.Write(message) // a bytes.Buffer takes all
	_ = g.writer.Close()           // as above
	return g.out.Bytes()
}

// Unpack returns a message that came compressed, until the next Unpack. What is no gzip is INTERNAL, and a message of more
// than limit bytes RESOURCE_EXHAUSTED: no more than those are decompressed.
func (g *Gzip) Unpack(packed []byte, limit int) ([]byte, error) {
	g.in.Reset(packed)
	var err error
	if g.reader == nil {
		g.reader, err = gzip.NewReader(&g.in)
	} else {
		err = g.reader.Reset(&g.in)
	}
	g.plain.Reset()
	if err == nil {
		_, err = g.plain.ReadFrom(io.LimitReader(g.reader, int64(limit)+1))
	}
	switch {
	case err != nil:
		return nil, Errorf(Internal, "a reply is not valid gzip: %w", err)
	case g.plain.Len() > limit:
		return nil, Errorf(ResourceExhausted, "a reply has more than %d bytes when decompressed", limit)
	}
	return g.plain.Bytes(), nil
}
