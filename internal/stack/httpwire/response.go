package httpwire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"

	"rpcbench/internal/stack"
)

// A reading is how responses are read.
type reading struct {
	head   bool // they answer HEAD, and have no bodies
	counts bool // bodies are counted and not kept, and so of any length
	most   int  // bytes of a body that is kept
}

// A response is one of HTTP/1.1, RFC 9112. Its memory is used again for the next.
type response struct {
	reading
	begun    bool // something came of it
	status   int
	goesOn   bool // the socket takes another request
	length   int64
	chunks   bool
	encoding []byte // content-encoding
	bytes    int64  // of the body, as it travelled
	body     []byte // empty where it is counted
	long     []byte // a line that is longer than the reader's buffer
}

const (
	lengthUnknown = -1
	linesMax      = 1000    // of a header
	headBytesMax  = 1 << 20 // of a header, as over HTTP/2
	longKept      = 1 << 16 // of long; more is given back
	interimMax    = 100     // responses before the one that counts
)

// broken is how a server broke HTTP.
func broken(format string, args ...any) error {
	return stack.Errorf(stack.Internal, "the server broke HTTP/1.1 with %s", fmt.Sprintf(format, args...))
}

// read reads one response, past interim ones.
func (r *response) read(from *bufio.Reader) error {
	err := r.readWhole(from)
	if cap(r.long) > longKept {
		r.long = nil // each slot would keep it
	}
	return err
}

func (r *response) readWhole(from *bufio.Reader) error {
	first, err := from.Peek(len(settingsFrame))
	r.begun = len(first) > 0
	switch {
	case err != nil && !errors.Is(err, io.EOF): // which a socket says once
		return err
	case isHTTP2(first):
		return stack.Errorf(stack.Unavailable, "the server speaks HTTP/2 only: give --http2, or for gRPC host:port and --call")
	}
	for range interimMax {
		if err := r.readHead(from); err != nil {
			return err
		}
		if r.status >= 200 {
			return r.readBody(from)
		}
		if r.status == http.StatusSwitchingProtocols {
			return broken("a switch to another protocol, which was not requested")
		}
	}
	return broken("more than %d interim responses", interimMax)
}

// settingsFrame is how a server of HTTP/2 begins, but for its length: with SETTINGS, on no stream.
const settingsFrame = "\x00\x00?\x04\x00\x00\x00\x00\x00"

func isHTTP2(first []byte) bool {
	return len(first) == len(settingsFrame) && string(first[:2]) == settingsFrame[:2] && string(first[3:]) == settingsFrame[3:]
}

// line returns the next line without its end. It lives until the next read.
func (r *response) line(from *bufio.Reader) ([]byte, error) {
	text, err := from.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		text, err = r.longLine(text, from)
	}
	if errors.Is(err, io.EOF) && len(text) > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text[:len(text)-1], []byte{'\r'}), nil
}

// longLine returns a line that begins with text, and its end.
func (r *response) longLine(text []byte, from *bufio.Reader) ([]byte, error) {
	r.long = append(r.long[:0], text...)
	for {
		more, err := from.ReadSlice('\n')
		r.long = append(r.long, more...)
		switch {
		case len(r.long) > headBytesMax:
			return nil, broken("a line of more than %d bytes", headBytesMax)
		case !errors.Is(err, bufio.ErrBufferFull):
			return r.long, err
		}
	}
}

func (r *response) readHead(from *bufio.Reader) error {
	first, err := r.line(from)
	if err != nil {
		return err
	}
	if err := r.readStatus(first); err != nil {
		return err
	}
	r.length, r.chunks, r.encoding = lengthUnknown, false, r.encoding[:0]
	return r.readFields(from, "a header", true)
}

// readFields reads up to the end of a header or of trailers, of which only a header's lines are looked at.
func (r *response) readFields(from *bufio.Reader, of string, header bool) error {
	length := 0
	for range linesMax {
		text, err := r.line(from)
		if err != nil {
			return endless(err)
		}
		if len(text) == 0 {
			return nil
		}
		if length += len(text); length > headBytesMax {
			return broken("%s of more than %d bytes", of, headBytesMax)
		}
		if !header {
			continue
		}
		if err := r.readField(text); err != nil {
			return err
		}
	}
	return broken("%s of more than %d lines", of, linesMax)
}

// endless turns an end where more was due into an error that says so.
func endless(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (r *response) readStatus(text []byte) error {
	version, rest, _ := bytes.Cut(text, []byte{' '})
	code, _, _ := bytes.Cut(rest, []byte{' '})
	status, err := strconv.Atoi(string(code))
	if !bytes.HasPrefix(version, []byte("HTTP/1.")) || len(code) != 3 || err != nil || status < 100 {
		return broken("the first line %.60q", text)
	}
	r.status, r.goesOn = status, string(version) != "HTTP/1.0"
	return nil
}

func (r *response) readField(text []byte) error {
	name, value, found := bytes.Cut(text, []byte{':'})
	if !found || len(name) == 0 || bytes.ContainsAny(name, " \t") {
		return broken("the line %.60q in a header", text)
	}
	value = bytes.TrimSpace(value)
	switch {
	case isNamed(name, "content-length"):
		length, err := strconv.ParseUint(string(value), 10, 63)
		if err != nil || r.length != lengthUnknown && r.length != int64(length) {
			return broken("a content-length of %.60q", value)
		}
		r.length = int64(length)
	case isNamed(name, "transfer-encoding"):
		if !isNamed(value, "chunked") {
			return broken("the transfer-encoding %.60q, which the request did not accept", value)
		}
		r.chunks = true
	case isNamed(name, "content-encoding"):
		r.encoding = append(r.encoding[:0], value...)
	case isNamed(name, "connection"):
		r.goesOn = r.goesOn && !lists(value, "close")
	}
	return nil
}

func isNamed(text []byte, name string) bool {
	return len(text) == len(name) && bytes.EqualFold(text, []byte(name))
}

// lists reports whether a list with commas contains a word.
func lists(list []byte, word string) bool {
	for one := range bytes.SplitSeq(list, []byte{','}) {
		if isNamed(bytes.TrimSpace(one), word) {
			return true
		}
	}
	return false
}

func (r *response) readBody(from *bufio.Reader) error {
	r.body, r.bytes = r.body[:0], 0
	switch {
	case r.head || r.status == http.StatusNoContent || r.status == http.StatusNotModified:
		return nil
	case r.chunks && r.length != lengthUnknown:
		return broken("both a content-length and chunks")
	case r.chunks:
		return r.readChunks(from)
	case r.length == lengthUnknown: // up to the end
		r.goesOn = false
		return r.readUpTo(from, math.MaxInt64)
	}
	return r.readExactly(from, r.length)
}

// readExactly adds n bytes to the body.
func (r *response) readExactly(from *bufio.Reader, n int64) error {
	had := r.bytes
	if err := r.readUpTo(from, n); err != nil {
		return err
	}
	if r.bytes-had < n {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// readUpTo adds bytes to the body until there are n more or the connection ends.
func (r *response) readUpTo(from *bufio.Reader, n int64) error {
	if r.counts {
		return r.count(from, n)
	}
	room := int64(r.most - len(r.body))
	switch {
	case n > room && r.status != http.StatusOK: // of a refusal the beginning is enough
		if err := r.keep(from, room); err != nil {
			return err
		}
		return r.count(from, n-room)
	case n > room && n != math.MaxInt64:
		return r.tooLong()
	}
	return r.keep(from, n)
}

// keep is readUpTo for bytes that are needed.
func (r *response) keep(from *bufio.Reader, n int64) error {
	for n > 0 {
		if len(r.body) == cap(r.body) {
			r.body = append(r.body, 0)[:len(r.body)]
		}
		room := r.body[len(r.body):cap(r.body)]
		got, err := from.Read(room[:min(int64(len(room)), n)])
		r.body = r.body[:len(r.body)+got]
		r.bytes += int64(got)
		n -= int64(got)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case len(r.body) > r.most:
			return r.tooLong()
		}
	}
	return nil
}

// count is readUpTo for bytes that are discarded.
func (r *response) count(from *bufio.Reader, n int64) error {
	for n > 0 {
		got, err := from.Discard(int(min(n, math.MaxInt32)))
		r.bytes += int64(got)
		n -= int64(got)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

func (r *response) tooLong() error {
	return stack.Errorf(stack.ResourceExhausted, "a body of more than %d bytes", r.most)
}

func (r *response) readChunks(from *bufio.Reader) error {
	for {
		text, err := r.line(from)
		if err != nil {
			return endless(err)
		}
		size, _, _ := bytes.Cut(text, []byte{';'})
		n, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 63)
		if err != nil {
			return broken("a chunk of size %.60q", text)
		}
		if n == 0 {
			return r.readFields(from, "trailers", false)
		}
		if err := r.readExactly(from, int64(n)); err != nil {
			return err
		}
		if text, err = r.line(from); err != nil {
			return endless(err)
		}
		if len(text) != 0 {
			return broken("a chunk that is longer than its size")
		}
	}
}
