package httpwire

import (
	"bytes"
	"math"
	"net/http"
	"strconv"

	"rpcbench/internal/stack"
)

func (r *response) beginBody() error {
	switch {
	case r.reading.head || r.status == http.StatusNoContent || r.status == http.StatusNotModified:
		r.stage = complete
		return nil
	case r.chunks && r.length != lengthUnknown:
		return broken("both a content-length and chunks")
	case r.chunks:
		r.stage, r.goesOn = chunkSize, r.goesOn && !r.old // RFC 9112, section 6.1
		return nil
	case r.length == lengthUnknown: // up to the end
		r.goesOn = false
		return r.expect(math.MaxInt64)
	}
	return r.expect(r.length)
}

// isEndless reports whether the body ends with the connection.
func (r *response) isEndless() bool { return !r.chunks && r.length == lengthUnknown }

// expect has n bytes of the body come next. All of them must fit, except those of a refusal, whose beginning is enough.
func (r *response) expect(n int64) error {
	if !r.counts && r.status == http.StatusOK && n != math.MaxInt64 && n > int64(r.most-len(r.body)) {
		return r.tooLong()
	}
	r.stage, r.left = body, n
	if n == 0 {
		r.endPiece()
	}
	return nil
}

// endPiece continues after the body, or one of its chunks.
func (r *response) endPiece() {
	r.stage = complete
	if r.chunks {
		r.stage = chunkEnd
	}
}

// addBody takes a piece of the body.
func (r *response) addBody(data []byte) error {
	r.bytes += int64(len(data))
	if r.left -= int64(len(data)); r.left == 0 {
		r.endPiece()
	}
	if r.counts {
		return nil
	}
	if room := r.most - len(r.body); len(data) > room {
		if r.status == http.StatusOK {
			return r.tooLong()
		}
		data = data[:room]
	}
	r.body = append(r.body, data...)
	return nil
}

func (r *response) tooLong() error {
	return stack.Errorf(stack.ResourceExhausted, "a body of more than %d bytes", r.most)
}

func (r *response) beginChunk(text []byte) error {
	size, _, _ := bytes.Cut(text, []byte{';'})
	n, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 63)
	switch {
	case err != nil:
		return broken("a chunk of size %.60q", text)
	case n == 0:
		r.stage, r.lines, r.size = trailers, 0, 0
		return nil
	}
	return r.expect(int64(n))
}
