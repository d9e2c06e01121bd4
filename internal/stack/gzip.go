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

// Size returns the size of a message that came compressed, and keeps nothing of it. Errors are Unpack's.
func (g *Gzip) Size(packed []byte, limit int) (int, error) {
	err := g.open(packed)
	var size int64
	if err == nil {
		size, err = io.Copy(io.Discard, io.LimitReader(g.reader, int64(limit)+1))
	}
	return int(size), unpacked(size, limit, err)
}

// Unpack decompresses a message. The result is valid until the next Unpack. Invalid gzip is INTERNAL. A message of more than
// limit bytes is RESOURCE_EXHAUSTED; no more than limit bytes are decompressed.
func (g *Gzip) Unpack(packed []byte, limit int) ([]byte, error) {
	err := g.open(packed)
	g.plain.Reset()
	if err == nil {
		_, err = g.plain.ReadFrom(io.LimitReader(g.reader, int64(limit)+1))
	}
	if err := unpacked(int64(g.plain.Len()), limit, err); err != nil {
		return nil, err
	}
	return g.plain.Bytes(), nil
}

func (g *Gzip) open(packed []byte) (err error) {
	g.in.Reset(packed)
	if g.reader == nil {
		g.reader, err = gzip.NewReader(&g.in)
		return err
	}
	return g.reader.Reset(&g.in)
}

func unpacked(size int64, limit int, err error) error {
	switch {
	case err != nil:
		return Errorf(Internal, "a reply is not valid gzip: %w", err)
	case size > int64(limit):
		return Errorf(ResourceExhausted, "a reply has more than %d bytes when decompressed", limit)
	default:
		return nil
	}
}
