package wire

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/http2/hpack"
)

const (
	blockBytesMax = 1 << 20 // of one header block, its continuations included
	headBytesMax  = 1 << 20 // of its fields, as HPACK counts them: a block may refer to one field a million times
)

// A head holds the relevant parts of a received header block.
type head struct {
	status    int    // of HTTP; 0 without one
	grpc      int    // grpc-status; noStatus without one
	message   string // grpc-message, percent-encoded
	encoding  string // grpc-encoding
	kind      string // content-type
	length    int64  // content-length; noLength without one
	regular   bool   // a field that is no pseudo-header came
	malformed string // what is wrong with it, "" is nothing
}

const (
	noStatus  = -1
	badStatus = -2 // grpc-status is not a number
)

// A headReader decodes the header blocks of one connection.
type headReader struct {
	decoder *hpack.Decoder
	known   knownBlocks
	head    head
	bytes   uint32 // of its fields
	keeps   bool   // fields are to be kept
	fields  []Field
}

func newHeadReader() *headReader {
	r := &headReader{}
	r.decoder = hpack.NewDecoder(tableBytes, r.field)
	r.decoder.SetMaxStringLength(blockBytesMax)
	return r
}

// read decodes a block, and gives its fields to take, unless that is nil. The head lives until the next read.
func (r *headReader) read(encoded []byte, take func([]Field)) (*head, error) {
	if take == nil {
		if b := r.known.find(encoded); b != nil {
			r.known.owe(b, r.decoder)
			return &b.head, nil
		}
	}
	r.known.settle(r.decoder)
	r.head, r.bytes = head{grpc: noStatus, length: noLength}, 0
	r.keeps, r.fields = take != nil, nil
	_, err := r.decoder.Write(encoded)
	if err == nil {
		err = r.decoder.Close()
	}
	switch {
	case r.bytes > headBytesMax:
		return nil, broken(codeCalm, "a header of more than %d bytes", headBytesMax)
	case err != nil:
		return nil, broken(codeCompression, "a header block that can't be decoded: %v", err)
	case take != nil:
		take(r.fields)
	}
	r.known.add(encoded, &r.head)
	return &r.head, nil
}

// field takes one field, in the order in which they come.
func (r *headReader) field(f hpack.HeaderField) {
	r.bytes += f.Size()
	if r.bytes > headBytesMax {
		r.decoder.SetEmitEnabled(false) // the connection ends
		return
	}
	if r.keeps {
		r.fields = append(r.fields, Field{f.Name, f.Value})
	}
	h := &r.head
	if f.IsPseudo() {
		h.pseudo(f)
		return
	}
	h.regular = true
	switch f.Name {
	case "grpc-status":
		h.grpc = badStatus
		if n, err := strconv.ParseUint(f.Value, 10, 31); err == nil {
			h.grpc = int(n)
		}
	case "grpc-message":
		h.message = f.Value
	case "grpc-encoding":
		h.encoding = f.Value
	case "content-type":
		h.kind = f.Value
	case "content-length":
		n, err := strconv.ParseUint(f.Value, 10, 63)
		h.length = int64(n)
		if err != nil {
			h.faultf("a content-length of %q", f.Value)
		}
	case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade":
		h.faultf("the field %s, which HTTP/2 forbids", f.Name)
	default:
		h.check(f)
	}
}

func (h *head) pseudo(f hpack.HeaderField) {
	status, err := strconv.Atoi(f.Value)
	switch {
	case f.Name != ":status":
		h.faultf("the field %q in a response", f.Name)
	case h.regular:
		h.faultf("a :status after other fields")
	case h.status != 0:
		h.faultf("two fields :status")
	case err != nil || len(f.Value) != 3 || status < 100:
		h.faultf("a :status of %q", f.Value)
	default:
		h.status = status
	}
}

// check looks at a field that means nothing here.
func (h *head) check(f hpack.HeaderField) {
	if f.Name == "" || strings.ContainsFunc(f.Name, func(c rune) bool { return c <= ' ' || c >= 0x7f || 'A' <= c && c <= 'Z' }) {
		h.faultf("a field named %q", f.Name)
	}
	if strings.ContainsAny(f.Value, "\x00\r\n") {
		h.faultf("a field %s with a line break in it", f.Name)
	}
}

func (h *head) faultf(format string, args ...any) {
	if h.malformed == "" {
		h.malformed = fmt.Sprintf(format, args...)
	}
}
