package wire

import (
	"bytes"
	"cmp"
	"slices"

	"golang.org/x/net/http2/hpack"
)

// tableBytes is the most of a server's header table that is used, HPACK's default.
const tableBytes = 4096

// A block is the header block of a Lane's requests.
type block struct {
	fields []hpack.HeaderField
	before int    // how many fields stand before those that a call alone has
	bytes  uint32 // what the fields take in a header table

	// As it is on the connection of writer, while its table stays as it was at generation.
	writer     *headerWriter
	generation uint64
	encoded    []byte
	at         int // where in encoded a call's own fields stand
}

func newBlock(config Config, call Call, f form) *block {
	scheme := "http"
	if config.TLS != nil {
		scheme = "https"
	}
	fields := []Field{{":method", cmp.Or(call.Verb, "POST")}, {":scheme", scheme}, {":authority", config.Authority}}
	b := &block{before: len(fields)}
	if call.Path != "" {
		fields = append(fields, Field{":path", call.Path})
	}
	fields = slices.Concat(fields, f.fields(call), config.Header, call.Header)
	if call.Path != "" {
		b.before = len(fields)
	}
	for _, f := range fields {
		field := hpack.HeaderField{Name: f.Name, Value: f.Value}
		b.fields = append(b.fields, field)
		b.bytes += field.Size()
	}
	return b
}

// AppendField encodes a header field that one call alone has, its name in lower case: as a literal that no table keeps.
func AppendField(to []byte, name string, value []byte) []byte {
	to = appendString(append(to, 0), name)
	return appendString(to, value)
}

// appendString appends a string literal of RFC 7541, section 5.2, without Huffman coding.
func appendString[T string | []byte](to []byte, text T) []byte {
	length := len(text)
	if length < 0x7f {
		return append(append(to, byte(length)), text...)
	}
	to = append(to, 0x7f)
	for length -= 0x7f; length >= 0x80; length >>= 7 {
		to = append(to, byte(length)|0x80)
	}
	return append(append(to, byte(length)), text...)
}

// A headerWriter encodes the blocks of one connection. A block goes into the server's header table the first time, and
// is a few bytes that refer to it from then on. It never puts more there than fits, so that nothing drops out.
type headerWriter struct {
	encoder    *hpack.Encoder
	out        bytes.Buffer
	generation uint64 // of the table: counts the blocks that changed it
	left       uint32 // of the table
}

func newHeaderWriter() *headerWriter {
	w := &headerWriter{left: tableBytes}
	w.encoder = hpack.NewEncoder(&w.out)
	return w
}

// limit takes the server's own limit of its table. One that comes after the first block was sent ends the use of the
// table for new blocks.
func (w *headerWriter) limit(bytes uint32) {
	w.encoder.SetMaxDynamicTableSizeLimit(bytes)
	if w.generation == 0 {
		w.left = min(bytes, tableBytes)
	} else {
		w.left = 0
	}
	w.generation++
}

// encode returns b as it is to be sent next, and the offset of a call's own fields. It must be sent, and is valid until the next
// encode.
func (w *headerWriter) encode(b *block) (encoded []byte, at int) {
	if b.writer == w && b.generation == w.generation {
		return b.encoded, b.at
	}
	if b.writer != w {
		b.writer = w
		b.fit(w)
	}
	first, at := w.write(b)
	first = bytes.Clone(first)
	second, next := w.write(b)
	b.at = next
	if !bytes.Equal(first, second) {
		w.generation++ // the first has changed the table
	}
	b.encoded, b.generation = append(b.encoded[:0], second...), w.generation
	return first, at
}

// fit takes room in the table for b, or has its fields stay out of it.
func (b *block) fit(w *headerWriter) {
	fits := b.bytes <= w.left
	if fits {
		w.left -= b.bytes
	}
	for i := range b.fields {
		b.fields[i].Sensitive = !fits
	}
}

func (w *headerWriter) write(b *block) (encoded []byte, at int) {
	w.out.Reset()
	for i, f := range b.fields {
		if i == b.before {
			at = w.out.Len()
		}
		_ = w.encoder.WriteField(f) // a bytes.Buffer takes all
	}
	if b.before == len(b.fields) {
		at = w.out.Len()
	}
	return w.out.Bytes(), at
}
