package httpjson

import (
	"bytes"
	"compress/gzip"
	"io"
	"sync"

	"rpcbench/internal/stack"
)

// Compressors are large and are used again, as HTTP middleware does it.
var (
	writers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}
	readers = sync.Pool{New: func() any { return new(gzip.Reader) }}
)

func compress(plain []byte) ([]byte, error) {
	var packed bytes.Buffer
	w := writers.Get().(*gzip.Writer)
	defer writers.Put(w)
	w.Reset(&packed)
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// readBody reads a body of at most stack.JSONBodyBytesMax, decompressed where encoding says gzip. A longer one is cut off,
// which the JSON in it does not survive.
func readBody(body io.Reader, encoding string) ([]byte, error) {
	if encoding != "gzip" {
		return io.ReadAll(io.LimitReader(body, stack.JSONBodyBytesMax))
	}
	r := readers.Get().(*gzip.Reader)
	defer readers.Put(r)
	if err := r.Reset(body); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, stack.JSONBodyBytesMax))
}
