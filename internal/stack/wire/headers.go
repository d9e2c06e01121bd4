package wire

import "rpcbench/internal/stack"

func (l *link) headers(f *frame) error {
	if _, err := l.find(f); err != nil {
		return err
	}
	block, err := f.unpad()
	if err != nil {
		return err
	}
	if f.has(flagEndHeaders) {
		return l.endHeaders(f.stream, f.flags, block)
	}
	l.blockOn, l.flags, l.pieces = f.stream, f.flags, 1
	l.block = append(l.block[:0], block...)
	return nil
}

// piecesMax bounds the frames of one header block, which may be empty.
const piecesMax = 1000

func (l *link) continuation(f *frame) error {
	if l.blockOn == 0 {
		return broken(codeProtocol, "CONTINUATION on stream %d, where no header block had begun", f.stream)
	}
	l.pieces++
	if len(l.block)+len(f.payload) > blockBytesMax || l.pieces > piecesMax {
		return broken(codeCalm, "a header block of more than %d bytes or %d frames", blockBytesMax, piecesMax)
	}
	l.block = append(l.block, f.payload...)
	if !f.has(flagEndHeaders) {
		return nil
	}
	l.blockOn = 0
	return l.endHeaders(f.stream, l.flags, l.block)
}

// endHeaders takes a whole header block: of an ended stream too, because it may change the table.
func (l *link) endHeaders(id uint32, flags byte, block []byte) error {
	s, ends := l.streamOf(id), flags&flagEndStream != 0
	var take func([]Field)
	if s != nil {
		take = s.lane.call.Head
	}
	h, err := l.reader.read(block, take)
	if err != nil {
		return err
	}
	switch {
	case s == nil:
	case h.malformed != "":
		l.failBroken(s, codeProtocol, h.malformed)
	case s.headed:
		l.trailers(s, h, ends)
	case h.status == 0:
		l.failBroken(s, codeProtocol, "HEADERS without a :status")
	case h.status < 200 && !ends:
		// an interim response: the one that counts follows
	case h.status < 200:
		l.failBroken(s, codeProtocol, "an interim response that ends the stream")
	case ends:
		s.length = s.lane.form.length(s.lane.call, h)
		l.finish(s, s.lane.form.verdict(s, h))
	default:
		l.response(s, h)
	}
	return nil
}

// response takes the headers that a response begins with.
func (l *link) response(s *stream, h *head) {
	s.headed, s.length, s.encoding = true, s.lane.form.length(s.lane.call, h), h.encoding
	if err := s.lane.form.opens(s, h); err != nil {
		l.fail(s, codeCancel, err)
	}
}

func (l *link) trailers(s *stream, h *head, ends bool) {
	switch {
	case !ends:
		l.failBroken(s, codeProtocol, "HEADERS in the middle of a response")
	case h.status != 0:
		l.failBroken(s, codeProtocol, "a :status in trailers")
	default:
		l.finish(s, s.lane.form.verdict(s, h))
	}
}

// finish ends a stream that the server has ended.
func (l *link) finish(s *stream, verdict error) {
	switch {
	case verdict != nil:
	case len(s.message) > 0:
		verdict = stack.Errorf(stack.Internal, "the stream ended within a message")
	case s.length >= 0 && s.length != s.came:
		verdict = stack.Errorf(stack.Internal, "the response has a content-length of %d and %d bytes", s.length, s.came)
	}
	if verdict == nil && s.lane.call.Open && !s.ended {
		verdict = stack.Errorf(stack.Unavailable, "the server ended the stream")
	}
	l.tell(s, verdict)
	if s.ended {
		l.closeStream(s)
	} else {
		l.reset(s, codeCancel)
	}
}

// tell ends all calls on a stream: with an error or, if it is nil, according to their replies.
func (l *link) tell(s *stream, err error) {
	for i := range s.places.Len() {
		p := s.places.At(i)
		if !p.taken() {
			continue
		}
		if err == nil {
			l.client.end(p.slot, p.slot.exchange.End())
		} else {
			l.client.end(p.slot, err)
		}
	}
}

// fail ends a stream, and all calls on it with an error.
func (l *link) fail(s *stream, code errorCode, err error) {
	l.tell(s, err)
	l.reset(s, code)
}

// failBroken fails a stream on which the server broke the protocol in a way that leaves the connection whole.
func (l *link) failBroken(s *stream, code errorCode, what string) {
	l.fail(s, code, stack.Errorf(stack.Internal, "the server broke HTTP/2 on stream %d with %s", s.id, what))
}
