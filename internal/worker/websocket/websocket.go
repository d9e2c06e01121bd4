// Package websocket carries the bytes of a connection in the binary messages of a WebSocket (RFC 6455), so that any protocol
// passes where only HTTP does. It uses the framing of gobwas/ws.
//
// Messages have no meaning: a write is one message, or several if it is long, and a reader sees only the bytes. TLS, if
// used, is inside: the handshake and the frames are in plaintext, as in Vanadium's protocol ws.
package websocket

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobwas/ws"
)

const (
	// readerBytes is how much is read from a socket at once, unless who reads takes more.
	readerBytes = 16 << 10
	// messageBytesMax is how much of a write one message has.
	messageBytesMax = 64 << 10
	// farewell is how long a Close may try to say goodbye to a peer that does not read, farewells how often: on a busy machine the
	// first time may be over before the system was asked.
	farewell  = 100 * time.Millisecond
	farewells = 2
)

// A conn carries bytes over a socket whose handshake is done. One goroutine may read while another writes.
type conn struct {
	net.Conn // the socket

	client bool // this is the client's end
	from   *bufio.Reader
	state  ws.State // what frames may come: of the peer's side, and of a message that has more frames
	left   int      // bytes of the frame being read
	mask   [4]byte
	read   int // bytes of that frame so far
	ended  error
	ponged chan struct{} // closed when the pongs of the pings so far are sent; nil before the first

	head  bytes.Reader // of a header, kept so that none is allocated
	parts [ws.MaxHeaderSize]byte

	mu       sync.Mutex // of what is written
	frame    []byte     // what is not written yet: of a control frame, and of the header
	owed     int        // bytes of the payload that are to follow
	sent     int        // bytes of it so far
	sentMask [4]byte
	broken   error
	closed   sync.Once

	ping atomic.Pointer[[]byte] // the payload of one that a goroutine is about to answer
}

func newConn(socket net.Conn, side ws.State) *conn {
	return &conn{
		Conn: socket, client: side == ws.StateClientSide, state: side, from: bufio.NewReaderSize(socket, readerBytes),
	}
}

// Read implements net.Conn. After a deadline it goes on where it was.
func (c *conn) Read(b []byte) (int, error) {
	for c.left == 0 {
		if c.ended != nil {
			return 0, c.ended
		}
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	n, err := c.from.Read(b[:min(len(b), c.left)])
	if !c.client {
		ws.Cipher(b[:n], c.mask, c.read)
	}
	c.left, c.read = c.left-n, c.read+n
	return n, err
}

// next reads the header of a frame, and of a control frame all of it. What is there of a header stays there until it is whole.
func (c *conn) next() error {
	start, err := c.from.Peek(2)
	if err != nil {
		return err
	}
	length := headerBytes(start[1])
	whole, err := c.from.Peek(length)
	if err != nil {
		return unexpected(err)
	}
	c.head.Reset(whole)
	header, err := ws.ReadHeaderBuffer(&c.head, c.parts[:])
	if err == nil {
		err = ws.CheckHeader(header, c.state)
	}
	switch {
	case err != nil:
		return c.fail(ws.StatusProtocolError, err)
	case header.OpCode == ws.OpText:
		return c.fail(ws.StatusUnsupportedData, errors.New("it is text, where bytes are expected"))
	case header.OpCode.IsControl():
		return c.heed(header, length)
	}
	_, _ = c.from.Discard(length) // it is there
	if c.state = c.state.Clear(ws.StateFragmented); !header.Fin {
		c.state = c.state.Set(ws.StateFragmented)
	}
	if header.Length > maxFrame {
		return c.fail(ws.StatusMessageTooBig, fmt.Errorf("a frame of %d bytes is none", header.Length))
	}
	c.left, c.read, c.mask = int(header.Length), 0, header.Mask
	return nil
}

// maxFrame is more than anybody sends at once. Nothing is allocated for a frame, however long it says it is.
const maxFrame = 1 << 40

// headerBytes is how long a header is, by its second byte.
func headerBytes(second byte) int {
	n := 2
	switch second & 0x7f {
	case 126:
		n += 2
	case 127:
		n += 8
	}
	if second&0x80 != 0 {
		n += 4
	}
	return n
}

// heed obeys a control frame: a ping is answered, a close ends what is read.
func (c *conn) heed(header ws.Header, length int) error {
	whole, err := c.from.Peek(length + int(header.Length))
	if err != nil {
		return unexpected(err)
	}
	payload := bytes.Clone(whole[length:])
	_, _ = c.from.Discard(len(whole)) // it is there
	if header.Masked {
		ws.Cipher(payload, header.Mask, 0)
	}
	switch header.OpCode { //nolint:exhaustive // of control frames, a pong needs no answer
	case ws.OpPing:
		c.answer(payload)
	case ws.OpClose:
		c.ended = io.EOF
		c.leave(payload)
	}
	return nil
}

// answer has a ping answered by another goroutine: a reader that waited for a peer which reads nothing would no longer read
// either. Of pings that come before their pongs only the last is answered, which RFC 6455 permits.
func (c *conn) answer(ping []byte) {
	if c.ping.Swap(&ping) != nil {
		return // the goroutine of an earlier one finds this one
	}
	done := make(chan struct{})
	c.ponged = done
	go func() {
		defer close(done)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.pong(*c.ping.Swap(nil))
	}()
}

// leave says the reader's goodbye, behind the pong of a ping before it if the peer takes that soon.
func (c *conn) leave(body []byte) {
	if c.ponged != nil {
		select {
		case <-c.ponged:
		case <-time.After(farewell):
		}
	}
	c.bye(body)
}

// fail says goodbye to a peer that broke the protocol.
func (c *conn) fail(status ws.StatusCode, err error) error {
	c.ended = fmt.Errorf("websocket: %w", err)
	c.leave(ws.NewCloseFrameBody(status, ""))
	return c.ended
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Write implements net.Conn. After a deadline in the middle of a frame the bytes that are written next belong to it.
func (c *conn) Write(b []byte) (written int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(b) > 0 {
		if c.broken != nil {
			return written, c.broken
		}
		if c.owed == 0 {
			c.begin(ws.OpBinary, min(len(b), messageBytesMax))
		}
		n, err := c.send(b[:min(len(b), c.owed)])
		written, b = written+n, b[n:]
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// begin begins a frame. It is to be held with the lock, as what follows.
func (c *conn) begin(code ws.OpCode, length int) {
	header := ws.Header{Fin: true, OpCode: code, Length: int64(length), Masked: c.client}
	if header.Masked {
		header.Mask = ws.NewMask()
	}
	frame := bytes.NewBuffer(c.frame)
	_ = ws.WriteHeader(frame, header) // a buffer takes it
	c.frame, c.owed, c.sent, c.sentMask = frame.Bytes(), length, 0, header.Mask
}

// send writes what is left in c.frame, and the next bytes of the payload behind it, by one write to the socket. It returns
// how many of the latter are written.
func (c *conn) send(payload []byte) (int, error) {
	head := len(c.frame)
	c.frame = append(c.frame, payload...)
	if c.client {
		ws.Cipher(c.frame[head:], c.sentMask, c.sent)
	}
	n, err := c.Conn.Write(c.frame)
	c.frame = append(c.frame[:0], c.frame[min(n, head):head]...)
	n = max(n-head, 0)
	c.sent, c.owed = c.sent+n, c.owed-n
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		c.broken = err
	}
	return n, err
}

// beginControl begins a control frame with its payload, so that the socket takes all of it before anything else.
func (c *conn) beginControl(code ws.OpCode, payload []byte) {
	c.begin(code, len(payload))
	head := len(c.frame)
	c.frame = append(c.frame, payload...)
	if c.client {
		ws.Cipher(c.frame[head:], c.sentMask, 0)
	}
	c.owed = 0
}

// pong answers a ping, but not into another frame. While the socket is full there is one pong: a peer that reads nothing must not
// make this end keep one for each of its pings.
func (c *conn) pong(payload []byte) {
	if c.broken != nil || c.owed > 0 {
		return
	}
	if len(c.frame) == 0 {
		c.beginControl(ws.OpPong, payload)
	}
	_, _ = c.send(nil) // who has gone does not hear it
}

// bye sends a close frame, unless a write is under way that may wait for the peer.
func (c *conn) bye(body []byte) {
	if !c.mu.TryLock() {
		return
	}
	defer c.mu.Unlock()
	if c.broken == nil && c.owed == 0 {
		c.beginControl(ws.OpClose, body)
		c.insist()
	}
	if c.broken == nil {
		c.broken = net.ErrClosed
	}
}

// insist sends what was begun, if the peer takes it soon.
func (c *conn) insist() {
	for range farewells {
		_ = c.SetWriteDeadline(time.Now().Add(farewell))
		if _, err := c.send(nil); !errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
	}
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.closed.Do(func() { c.bye(ws.NewCloseFrameBody(ws.StatusNormalClosure, "")) })
	return c.Conn.Close()
}

// Rebase has replace put another socket in the place of the one below, where that can be done.
func (c *conn) Rebase(replace func(net.Conn) (net.Conn, error)) error {
	if below, ok := c.Conn.(interface {
		Rebase(replace func(net.Conn) (net.Conn, error)) error
	}); ok {
		return below.Rebase(replace)
	}
	return errors.ErrUnsupported
}
