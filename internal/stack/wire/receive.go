package wire

import (
	"encoding/binary"
	"fmt"

	"rpcbench/internal/stack"
)

// parse takes all complete frames out of what was read.
func (l *link) parse() error {
	for {
		f, size, err := readFrame(l.in[l.start:l.end])
		if err != nil {
			return l.notHTTP2(err)
		}
		if size == 0 {
			l.end = copy(l.in, l.in[l.start:l.end])
			l.start = 0
			return l.calm()
		}
		if err := l.receive(&f); err != nil {
			return l.notHTTP2(err)
		}
		l.start += size
	}
}

// calm ends a connection whose server asks for more answers than it reads.
func (l *link) calm() error {
	if len(l.out) > backlogBytes {
		return broken(codeCalm, "frames that need answers, of which it leaves %d bytes unread", len(l.out))
	}
	return nil
}

// notHTTP2 returns an error that says which other protocol the server speaks, as far as its first bytes show.
func (l *link) notHTTP2(err error) error {
	if first := l.in[l.start:l.end]; !l.greeted && len(first) >= 5 && string(first[:5]) == "HTTP/" {
		return stack.Errorf(stack.Unavailable, "the server answers with %.8s, not HTTP/2", first)
	}
	return err
}

// receive takes one frame. Its errors end the connection.
func (l *link) receive(f *frame) error {
	if err := l.inOrder(f); err != nil {
		return err
	}
	switch f.kind {
	case frameData:
		return l.data(f)
	case frameHeaders:
		return l.headers(f)
	case framePriority:
		return l.priority(f)
	case frameReset:
		return l.wasReset(f)
	case frameSettings:
		return l.settings(f)
	case framePush:
		return broken(codeProtocol, "PUSH_PROMISE, which was refused")
	case framePing:
		return l.ping(f)
	case frameGoAway:
		return l.goesAway(f)
	case frameWindow:
		return l.windowUpdate(f)
	case frameContinuation:
		return l.continuation(f)
	default:
		return nil // RFC 9113, section 4.1
	}
}

// inOrder reports whether a frame may come now: the first is SETTINGS, and nothing comes into a header block.
func (l *link) inOrder(f *frame) error {
	switch {
	case !l.greeted && f.kind == frameSettings && f.has(flagAck):
		return broken(codeProtocol, "an acknowledgement of SETTINGS before SETTINGS")
	case !l.greeted && f.kind != frameSettings:
		return broken(codeProtocol, "a first frame of type %d instead of SETTINGS", f.kind)
	case l.blockOn != 0 && (f.kind != frameContinuation || f.stream != l.blockOn):
		return broken(codeProtocol, "a frame of type %d within the header block of stream %d", f.kind, l.blockOn)
	}
	l.greeted = true
	return nil
}

var frameNames = [...]string{
	"DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY", "WINDOW_UPDATE", "CONTINUATION",
}

// find returns the open stream that a frame is about; nil where it has ended. A frame about a stream that never was ends
// the connection.
func (l *link) find(f *frame) (*stream, error) {
	if s := l.streamOf(f.stream); s != nil {
		return s, nil
	}
	switch {
	case f.stream == 0:
		return nil, broken(codeProtocol, "%s on no stream", frameNames[f.kind])
	case f.stream%2 == 0:
		return nil, broken(codeProtocol, "%s on stream %d, which only a server could open", frameNames[f.kind], f.stream)
	case f.stream >= l.nextID:
		return nil, broken(codeProtocol, "%s on stream %d, which is idle", frameNames[f.kind], f.stream)
	}
	return nil, nil
}

func (l *link) data(f *frame) error {
	s, err := l.find(f)
	if err != nil {
		return err
	}
	payload, err := f.unpad()
	if err != nil {
		return err
	}
	size := int64(len(f.payload)) // padding counts too
	if !l.allowance.take(size, l.writes) {
		return broken(codeFlowControl, "%d bytes of DATA beyond the connection's window", -l.allowance.left)
	}
	l.give(0, &l.allowance)
	switch {
	case s == nil:
		return nil // it was reset: what was on its way comes still
	case !s.allowance.take(size, l.writes):
		l.failBroken(s, codeFlowControl, "more DATA than its window allows")
		return nil
	case !s.headed:
		l.failBroken(s, codeProtocol, "DATA before HEADERS")
		return nil
	}
	s.came += int64(len(payload))
	if !s.lane.form.deliver(l, s, payload) {
		return nil
	}
	if f.has(flagEndStream) {
		l.finish(s, s.lane.form.verdict(s, nil))
		return nil
	}
	l.give(s.id, &s.allowance)
	return nil
}

// give refills a window of which less than half is left. Received data is processed at once, so a server may always continue.
func (l *link) give(id uint32, a *allowance) {
	window := int64(l.client.window)
	if a.left+a.given >= window/2 {
		return
	}
	more := window - a.left - a.given
	a.give(more, l.writes)
	l.out = appendWord(l.out, frameWindow, id, uint32(more))
}

// reply gives a message to the call whose turn it is.
func (l *link) reply(s *stream, message reply) {
	if s.places.Len() == 0 || s.lane.call.Open && s.ended {
		l.fail(s, codeCancel, stack.Errorf(stack.Internal, "a message arrived that answers no request"))
		return
	}
	p := s.places.At(0)
	p.due--
	call := &s.lane.call
	if p.due < 0 && call.Endless {
		if s.ended { // or it still sends, and the next message ends it
			l.client.end(p.slot, p.slot.exchange.End())
			l.reset(s, codeCancel)
		}
		return
	}
	if p.taken() {
		message.give(p.slot.exchange, s.zipped)
	}
	if !call.Open || p.due > 0 {
		return
	}
	if p.unsent > 0 {
		l.fail(s, codeCancel, stack.Errorf(stack.Internal, "the last reply came before the last message was sent"))
		return
	}
	if s.carried++; s.carried == call.PerStream {
		l.endSending(s, p)
		return
	}
	done := s.places.Pop()
	s.sending = max(0, s.sending-1)
	if done.taken() {
		l.client.end(done.slot, done.slot.exchange.End())
	}
	l.release(s)
}

func (l *link) priority(f *frame) error {
	switch {
	case f.stream == 0:
		return broken(codeProtocol, "PRIORITY on no stream")
	case len(f.payload) != 5:
		if s := l.streamOf(f.stream); s != nil {
			l.failBroken(s, codeFrameSize, "a PRIORITY whose length is not 5")
		}
	}
	return nil
}

func (l *link) wasReset(f *frame) error {
	if len(f.payload) != 4 {
		return broken(codeFrameSize, "RST_STREAM of %d bytes", len(f.payload))
	}
	s, err := l.find(f)
	if s == nil {
		return err
	}
	code := errorCode(binary.BigEndian.Uint32(f.payload))
	reset := stack.Errorf(resetCode(code), "the server reset the stream with %v", code)
	if code == codeRefused && !s.headed {
		l.refuse(s, reset)
		return nil
	}
	l.tell(s, reset)
	l.closeStream(s)
	return nil
}

// refuse ends a stream at which the server has not looked. Its calls go out once more, or end with an error.
func (l *link) refuse(s *stream, err error) {
	for i := range s.places.Len() {
		if p := s.places.At(i); p.taken() && !l.client.again(p.slot) {
			l.client.end(p.slot, err)
		}
	}
	l.closeStream(s)
}

func (l *link) ping(f *frame) error {
	switch {
	case f.stream != 0:
		return broken(codeProtocol, "PING on stream %d", f.stream)
	case len(f.payload) != 8:
		return broken(codeFrameSize, "PING of %d bytes", len(f.payload))
	case !f.has(flagAck):
		l.out = append(appendFrameHeader(l.out, 8, framePing, flagAck, 0), f.payload...)
	}
	return nil
}

// goesAway handles a GOAWAY: calls that the server no longer accepts move to the next connection, the others go on.
func (l *link) goesAway(f *frame) error {
	switch {
	case f.stream != 0:
		return broken(codeProtocol, "GOAWAY on stream %d", f.stream)
	case len(f.payload) < 8:
		return broken(codeFrameSize, "GOAWAY of %d bytes", len(f.payload))
	}
	last, code := binary.BigEndian.Uint32(f.payload)&streamMax, errorCode(binary.BigEndian.Uint32(f.payload[4:]))
	if last > l.lastID {
		return broken(codeProtocol, "a GOAWAY that accepts more streams than the previous one")
	}
	l.lastID = last
	why := fmt.Sprintf("it sent GOAWAY %v %q", code, limited(f.payload[8:]))
	for _, s := range l.streams {
		if s != nil && s.id > last {
			l.refuse(s, stack.Errorf(stack.Unavailable, "the server did not accept the call: %s", why))
		}
	}
	l.leave(why)
	return nil
}

func limited(text []byte) []byte { return text[:min(len(text), 200)] }
