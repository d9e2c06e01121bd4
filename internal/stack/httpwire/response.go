package httpwire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"

	"rpcbench/internal/stack"
)

// A reading is how responses are read.
type reading struct {
	head   bool // they answer HEAD, and have no bodies
	counts bool // bodies are counted and not kept, and so of any length
	most   int  // bytes of a body that is kept
}

// A head holds what the header of a response says.
type head struct {
	status   int
	goesOn   bool // the socket takes another request
	length   int64
	chunks   bool
	encoding []byte // content-encoding
}

// A response parses responses of HTTP/1.1, RFC 9112, one after the other with the same memory. It is fed with what arrives, in
// pieces of any length.
type response struct {
	reading
	head
	stage stage
	begun bool   // some of it has arrived
	bytes int64  // of the body, as it travelled
	body  []byte // empty where it is counted

	long    []byte // the beginning of a line
	lines   int    // of the header, or the trailers
	size    int    // bytes of these lines
	interim int    // responses before this one
	old     bool   // of HTTP/1.0
	closes  bool   // the header says so
	left    int64  // bytes of the body, or of the chunk

	// The last header, byte for byte, and what it says: most servers send the same one for a second, until the date changes.
	known     []byte
	knownHead head
}

// A stage is the part of a response that comes next.
type stage uint8

const (
	beginning stage = iota // enough bytes to recognize HTTP/2
	statusLine
	fields
	body
	chunkSize
	chunkEnd
	trailers
	complete
)

const (
	lengthUnknown = -1
	linesMax      = 1000    // of a header
	headBytesMax  = 1 << 20 // of a header, as over HTTP/2
	longKept      = 1 << 16 // of long; more is given back
	interimMax    = 100     // responses before the one that counts
	knownMax      = 1 << 10 // bytes of a header that is kept
)

// broken is how a server broke HTTP.
func broken(format string, args ...any) error {
	return stack.Errorf(stack.Internal, "the server broke HTTP/1.1 with %s", fmt.Sprintf(format, args...))
}

// read reads one response, past interim ones.
func (r *response) read(from *bufio.Reader) error {
	r.start()
	for {
		if from.Buffered() == 0 {
			if _, err := from.Peek(1); err != nil {
				return r.cutOff(err)
			}
		}
		data, _ := from.Peek(from.Buffered()) // they are there
		used, whole, err := r.feed(data)
		_, _ = from.Discard(used) // as above
		if whole || err != nil {
			return err
		}
	}
}

// start prepares for the first feed of a response.
func (r *response) start() {
	r.stage, r.begun, r.interim, r.long = beginning, false, 0, r.long[:0]
	r.body, r.bytes = r.body[:0], 0
}

// feed takes what has arrived. It returns how much of it belongs to the response, and whether the response is complete.
func (r *response) feed(data []byte) (used int, whole bool, err error) {
	r.begun = r.begun || len(data) > 0
	first := -1 // where the header begins in data
	for err == nil && r.stage != complete && used < len(data) {
		if r.stage == beginning && len(r.long) == 0 && len(data) >= len(settingsFrame) {
			if r.isKnown(data) {
				used, err = len(r.known), r.beginBody()
				continue
			}
			first = 0
		}
		var n int
		was := r.stage
		n, err = r.step(data[used:])
		used += n
		if was == fields && r.stage != fields {
			r.learn(data, first, used)
			first = -1
		}
	}
	if cap(r.long) > longKept && (err != nil || r.stage == complete) {
		r.long = nil // each slot would keep it
	}
	return used, r.stage == complete, err
}

// isKnown reports whether data begins with the known header, and then takes what it says.
func (r *response) isKnown(data []byte) bool {
	n := len(r.known)
	if n == 0 || len(data) < n || string(data[:n]) != string(r.known) {
		return false
	}
	r.head = r.knownHead
	return true
}

// learn keeps a header if all of it is in data, with no interim one before it.
func (r *response) learn(data []byte, first, end int) {
	if first >= 0 && r.interim == 0 && r.status >= http.StatusOK && end-first <= knownMax {
		r.known, r.knownHead = append(r.known[:0], data[first:end]...), r.head
	}
}

// cutOff returns what the end of the connection, or its failure, means for a response that is not complete: nil if it completes
// the response.
func (r *response) cutOff(err error) error {
	switch {
	case !errors.Is(err, io.EOF):
		return err
	case r.stage == body && r.isEndless():
		r.stage = complete
		return nil
	case (r.stage == beginning || r.stage == statusLine) && len(r.long) == 0:
		return io.EOF
	default:
		return io.ErrUnexpectedEOF
	}
}

// step takes one line, or a piece of the body, as far as it has arrived.
func (r *response) step(data []byte) (used int, err error) {
	switch r.stage {
	case beginning:
		return r.stepBeginning(data)
	case body:
		n := int(min(r.left, int64(len(data))))
		return n, r.addBody(data[:n])
	default:
		text, used, whole, err := r.line(data)
		if whole && err == nil {
			err = r.takeLine(text)
			r.long = r.long[:0]
		}
		return used, err
	}
}
