package codec

import (
	"bytes"
	"compress/gzip"
	"io"
)

// gzipped adds gzip at its default level to a codec. The compressor and the decompressor are kept and reset, as net/http's
// middleware does: a new compressor clears almost a megabyte.
func gzipped(bind func(message) operations) func(message) operations {
	return func(m message) operations {
		inner := bind(m)
		writer, reader := gzip.NewWriter(io.Discard), new(gzip.Reader)
		return operations{
			object: inner.object, gzipped: true,
			encode: func() ([]byte, error) {
				data, err := inner.encode()
				if err != nil {
					return nil, err
				}
				return compress(writer, data)
			},
			decode: func(data []byte) (any, error) {
				plain, err := decompress(reader, data)
				if err != nil {
					return nil, err
				}
				return inner.decode(plain)
			},
		}
	}
}

func compress(w *gzip.Writer, data []byte) ([]byte, error) {
	var packed bytes.Buffer
	w.Reset(&packed)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

func decompress(r *gzip.Reader, data []byte) ([]byte, error) {
	if err := r.Reset(bytes.NewReader(data)); err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// plainBytes returns the length of an encoding before gzip.
func (o operations) plainBytes(encoded []byte) (int, error) {
	if !o.gzipped {
		return len(encoded), nil
	}
	plain, err := decompress(new(gzip.Reader), encoded)
	return len(plain), err
}

// gzippedBytes returns the length of an encoding after gzip at its default level. If the codec already gzips, it is the
// encoding's length.
func (o operations) gzippedBytes(encoded []byte) (int, error) {
	if o.gzipped {
		return len(encoded), nil
	}
	packed, err := compress(gzip.NewWriter(io.Discard), encoded)
	return len(packed), err
}
