package httpwire

import (
	"bytes"
	"net/http"
	"strconv"

	"rpcbench/internal/stack"
)

// settingsFrame is how a server of HTTP/2 begins, except for its length: with SETTINGS, on no stream.
const settingsFrame = "\x00\x00?\x04\x00\x00\x00\x00\x00"

func isHTTP2(first []byte) bool {
	return len(first) == len(settingsFrame) && string(first[:2]) == settingsFrame[:2] && string(first[3:]) == settingsFrame[3:]
}

// stepBeginning looks at the first bytes, which may arrive one by one.
func (r *response) stepBeginning(data []byte) (used int, err error) {
	first := data
	if len(r.long) > 0 || len(data) < len(settingsFrame) {
		used = min(len(settingsFrame)-len(r.long), len(data))
		r.long = append(r.long, data[:used]...)
		if len(r.long) < len(settingsFrame) {
			return used, nil
		}
		first = r.long
	}
	first = first[:len(settingsFrame)]
	if isHTTP2(first) {
		return used, stack.Errorf(stack.Unavailable, "the server speaks HTTP/2 only: give --http2, or for gRPC host:port and --call")
	}
	r.stage = statusLine
	if used > 0 { // they are in memory that lines use, and shorter than a response
		var copied [len(settingsFrame)]byte
		copy(copied[:], first)
		r.long = r.long[:0]
		_, _, err = r.feed(copied[:])
	}
	return used, err
}

// line returns the next line without its end, once all of it has arrived. It is valid until the next feed.
func (r *response) line(data []byte) (text []byte, used int, whole bool, err error) {
	used, text = len(data), data
	if end := bytes.IndexByte(data, '\n'); end >= 0 {
		used, text, whole = end+1, data[:end], true
	}
	if !whole || len(r.long) > 0 {
		r.long = append(r.long, text...)
		text = r.long
	}
	if len(text) > headBytesMax {
		return nil, used, whole, broken("a line of more than %d bytes", headBytesMax)
	}
	return bytes.TrimSuffix(text, []byte{'\r'}), used, whole, nil
}

func (r *response) takeLine(text []byte) error {
	switch r.stage {
	case statusLine:
		r.stage, r.lines, r.size = fields, 0, 0
		r.length, r.chunks, r.encoding = lengthUnknown, false, nil
		return r.readStatus(text)
	case fields:
		if len(text) == 0 {
			return r.endHead()
		}
		if err := r.count("a header", text); err != nil {
			return err
		}
		return r.readField(text)
	case chunkSize:
		return r.beginChunk(text)
	case chunkEnd:
		if len(text) != 0 {
			return broken("a chunk that is longer than its size")
		}
		r.stage = chunkSize
		return nil
	default:
		if len(text) == 0 {
			r.stage = complete
			return nil
		}
		return r.count("trailers", text)
	}
}

// count limits the lines of a header or of trailers.
func (r *response) count(of string, text []byte) error {
	r.lines++
	r.size += len(text)
	switch {
	case r.size > headBytesMax:
		return broken("%s of more than %d bytes", of, headBytesMax)
	case r.lines > linesMax-1:
		return broken("%s of more than %d lines", of, linesMax)
	}
	return nil
}

// endHead continues after a header, which may be an interim one.
func (r *response) endHead() error {
	switch {
	case r.status >= http.StatusOK:
		return r.beginBody()
	case r.status == http.StatusSwitchingProtocols:
		return broken("a switch to another protocol, which was not requested")
	}
	if r.interim++; r.interim >= interimMax {
		return broken("more than %d interim responses", interimMax)
	}
	r.stage = statusLine
	return nil
}

func (r *response) readStatus(text []byte) error {
	version, rest, _ := bytes.Cut(text, []byte{' '})
	code, _, _ := bytes.Cut(rest, []byte{' '})
	status, err := strconv.Atoi(string(code))
	if !bytes.HasPrefix(version, []byte("HTTP/1.")) || len(code) != 3 || err != nil || status < 100 {
		return broken("the first line %.60q", text)
	}
	r.old, r.closes = string(version) == "HTTP/1.0", false
	r.status, r.goesOn = status, !r.old
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
		r.encoding = bytes.Clone(value)
	case isNamed(name, "connection"):
		r.closes = r.closes || lists(value, "close")
		r.goesOn = !r.closes && (r.goesOn || lists(value, "keep-alive")) // in HTTP/1.0 too: RFC 9112, section 9.3
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
