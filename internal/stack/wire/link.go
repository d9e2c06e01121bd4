package wire

import (
	"encoding/binary"
	"net"

	"rpcbench/internal/stack/loop"
	"rpcbench/internal/stack/ring"
)

// A link is one connection to the server, from its first SETTINGS to its end. The Client's lock guards it, but in, which
// belongs to the goroutine of Wait.
type link struct {
	client *Client
	bare   net.Conn   // as it was dialled
	gate   *loop.Gate // on bare
	socket net.Conn   // with TLS: on gate
	yield  func()     // gives its reader's processor back

	in         []byte // grows with what is read at once
	start, end int    // of what was read and not yet parsed
	unparsed   bool   // what came with the first SETTINGS
	rest       []byte // on a loop, whose memory in is: what was read of a frame

	out     []byte // to be written next
	spare   []byte // written before, to be used again
	writing bool   // somebody is
	left    bool   // to the loop: it is who is writing
	torn    error  // a write failed with this, and closed the socket

	streams []*stream // by id/2 modulo their number, a power of two
	open    int
	nextID  uint32
	queue   ring.Ring[*stream] // with something to send, as far as windows allow

	// The server's limits.
	windowOfStreams int64
	window          int64
	frameBytes      int
	streamsMax      uint32
	leaving         bool   // it goes away, and takes no more streams
	lastID          uint32 // the last stream that it takes
	why             string // it goes away

	allowance allowance // of the server, for all streams together
	writes    uint64    // that were begun

	writer *headerWriter
	joined []byte // a block with a call's own fields
	reader *headReader

	greeted bool   // its first SETTINGS came
	block   []byte // of HEADERS to be continued
	blockOn uint32 // the stream of block; 0 is none
	flags   byte   // of HEADERS to be continued
	pieces  int    // of block
}

func newLink(c *Client, bare net.Conn, g *loop.Gate, socket net.Conn) *link {
	return &link{
		client: c, bare: bare, gate: g, socket: socket, yield: func() {},
		in:      make([]byte, firstInBytes),
		streams: make([]*stream, 16), nextID: 1,
		windowOfStreams: WindowMin, window: WindowMin, frameBytes: frameBytes, streamsMax: streamMax, lastID: streamMax,
		allowance: allowance{left: int64(c.window)}, writer: newHeaderWriter(), reader: newHeadReader(),
	}
}

// hear reads once.
func (l *link) hear() error {
	n, err := l.socket.Read(l.in[l.end:])
	l.end += n
	if l.end == len(l.in) && l.end < inBytes {
		l.in = append(l.in, make([]byte, min(3*l.end, inBytes-l.end))...)
	}
	return err
}

// greet makes the preface ready: no pushes, and the windows.
func (l *link) greet() {
	l.out = append(l.out, preface...)
	l.out = appendFrameHeader(l.out, 12, frameSettings, 0, 0)
	l.out = appendSetting(l.out, settingPush, 0)
	l.out = appendSetting(l.out, settingWindow, uint32(l.client.window))
	if more := uint32(l.client.window - WindowMin); more > 0 {
		l.out = appendWord(l.out, frameWindow, 0, more)
	}
}

// streamOf returns the open stream of an id, nil where there is none.
func (l *link) streamOf(id uint32) *stream {
	if s := l.streams[int(id/2)&(len(l.streams)-1)]; s != nil && s.id == id {
		return s
	}
	return nil
}

// isFull reports whether so much is ready that calls have to wait until the server has accepted some of it.
func (l *link) isFull() bool { return len(l.out) >= outBytes }

// mayOpen reports whether the server takes another stream now.
func (l *link) mayOpen() bool { return !l.leaving && uint32(l.open) < l.streamsMax }

// usedUp reports whether the next stream may have no id, wherever there is a place for it.
func (l *link) usedUp() bool { return l.nextID > streamMax-uint32(2*len(l.streams)) }

// openStream gives s an id and prepares its HEADERS, with the fields of its first call and, without messages, the end of the
// stream. It skips ids whose place an old stream still has, which RFC 9113, section 5.1.1, allows, so that finding a stream needs
// no map.
func (l *link) openStream(s *stream, fields []byte, ends bool) {
	if 2*l.open >= len(l.streams) {
		l.widen()
	}
	mask := len(l.streams) - 1
	for l.streams[int(l.nextID/2)&mask] != nil {
		l.nextID += 2
	}
	s.link, s.id, s.opened = l, l.nextID, l.writes
	l.streams[int(s.id/2)&mask] = s
	l.nextID += 2
	l.open++
	s.window, s.allowance = l.windowOfStreams, allowance{left: int64(l.client.window)}
	s.headed, s.ended, s.length, s.came, s.encoding, s.carried = false, ends, noLength, 0, "", 0
	s.message, s.left, s.rest, s.sending = s.message[:0], 0, nil, 0
	block, at := l.writer.encode(s.lane.block)
	if len(fields) > 0 {
		l.joined = append(append(append(l.joined[:0], block[:at]...), fields...), block[at:]...)
		block = l.joined
	}
	l.appendHeaders(s.id, block, ends)
}

// widen doubles the places of streams. Streams in separate places stay separate.
func (l *link) widen() {
	was := l.streams
	l.streams = make([]*stream, 2*len(was))
	for _, s := range was {
		if s != nil {
			l.streams[int(s.id/2)&(len(l.streams)-1)] = s
		}
	}
}

// appendHeaders makes a header block ready, continued where it is longer than a frame.
func (l *link) appendHeaders(id uint32, block []byte, ends bool) {
	kind, flags := byte(frameHeaders), byte(0)
	if ends {
		flags = flagEndStream
	}
	for {
		n := min(len(block), l.frameBytes)
		if n == len(block) {
			flags |= flagEndHeaders
		}
		l.out = append(appendFrameHeader(l.out, n, kind, flags, id), block[:n]...)
		block, kind, flags = block[n:], frameContinuation, 0
		if len(block) == 0 {
			return
		}
	}
}

// closeStream forgets an open stream, whose calls have been told.
func (l *link) closeStream(s *stream) {
	s.places.Clear()
	l.streams[int(s.id/2)&(len(l.streams)-1)] = nil
	s.link, s.id, s.rest, s.sending = nil, 0, nil, 0
	l.open--
}

// reset ends an open stream, whose calls have been told, for the server too.
func (l *link) reset(s *stream, code errorCode) {
	l.out = appendWord(l.out, frameReset, s.id, uint32(code))
	l.closeStream(s)
}

// leave stops opening streams. Streams with calls in progress go on.
func (l *link) leave(why string) {
	l.leaving, l.why = true, why
	for _, s := range l.streams {
		if s != nil {
			l.release(s)
		}
	}
}

// release ends a stream without calls if the connection is about to end.
func (l *link) release(s *stream) {
	switch {
	case !l.leaving || s.awaited():
	case s.places.Len() == 0:
		l.out = appendFrameHeader(l.out, 0, frameData, flagEndStream, s.id)
		l.closeStream(s)
	default:
		l.reset(s, codeCancel)
	}
}

// goAway says why the connection ends, after the last write or beside it: nothing is lost when it does not arrive.
func (l *link) goAway(code errorCode) {
	l.out = appendFrameHeader(l.out, 8, frameGoAway, 0, 0)
	l.out = binary.BigEndian.AppendUint32(l.out, 0)
	l.out = binary.BigEndian.AppendUint32(l.out, uint32(code))
}
