package httpjson

import (
	"bytes"
	"compress/gzip"
	"io"
	"sync"

	"rpcbench/internal/stack"
)

// Compressors are large and are reused, as in HTTP middleware.
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

// readBody reads a body within a limit of bytes, and decompresses it if encoding is gzip. A longer one is RESOURCE_EXHAUSTED;
// other errors are the reader's.
func readBody(body io.Reader, encoding string, most int) ([]byte, error) {
	if encoding != "gzip" {
		return readAll(body, most)
	}
	r := readers.Get().(*gzip.Reader)
	defer readers.Put(r)
	if err := r.Reset(body); err != nil {
		return nil, err
	}
	return readAll(r, most)
}

func readAll(from io.Reader, most int) ([]byte, error) {
	all, err := io.ReadAll(io.LimitReader(from, int64(most)+1))
	if err == nil && len(all) > most {
		err = stack.Errorf(stack.ResourceExhausted, "it has more than %d bytes", most)
	}
	return all, err
}
