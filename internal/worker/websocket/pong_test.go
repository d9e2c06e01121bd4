package websocket

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/gobwas/ws"
)

// A filling socket takes no more bytes than it has room for; below 0 it takes all.
type filling struct {
	script
	room  int
	taken bytes.Buffer
}

func (f *filling) Write(b []byte) (int, error) {
	if f.room < 0 || f.room >= len(b) {
		return f.taken.Write(b)
	}
	n, _ := f.taken.Write(b[:f.room])
	f.room = 0
	return n, os.ErrDeadlineExceeded
}

// frames are what a socket took: op codes and payloads in turn.
func (f *filling) frames(t *testing.T) (all []string) {
	t.Helper()
	names := map[ws.OpCode]string{ws.OpPong: "pong", ws.OpBinary: "bytes", ws.OpClose: "close"}
	for f.taken.Len() > 0 {
		frame, err := ws.ReadFrame(&f.taken) //nolint:staticcheck // it is our own
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, names[frame.Header.OpCode], string(ws.UnmaskFrame(frame).Payload))
	}
	return all
}

// pinged is a connection that has been sent pings and has read them. Its socket took the first bytes of the pong.
func pinged(t *testing.T, side ws.State, taken int, pings ...string) (*conn, *filling) {
	t.Helper()
	var came []byte
	for _, ping := range pings {
		frame := ws.NewPingFrame([]byte(ping))
		if side == ws.StateServerSide {
			frame = ws.MaskFrame(frame)
		}
		came = append(came, ws.MustCompileFrame(frame)...)
	}
	socket := &filling{script: script{Reader: bytes.NewReader(came)}, room: taken}
	c := newConn(socket, side)
	if n, err := c.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		t.Fatalf("%d bytes, %v; want the end behind the pings", n, err)
	}
	return c, socket
}

// What a full socket did not take of a pong goes out before what is written next. None of that goes into the pong.
func TestAPongThatIsHalfWrittenIsWrittenToItsEnd(t *testing.T) {
	t.Parallel()
	for _, side := range []ws.State{ws.StateClientSide, ws.StateServerSide} {
		for _, payload := range []string{"", "abc"} {
			whole := len(ws.MustCompileFrame(ws.NewPongFrame([]byte(payload))))
			if side == ws.StateClientSide {
				whole += len(ws.Header{}.Mask)
			}
			for taken := range whole {
				c, socket := pinged(t, side, taken, payload)
				if n, err := c.Write([]byte("0123456789")); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("a full socket took %d bytes, %v", n, err)
				}
				socket.room = -1
				if n, err := c.Write([]byte("0123456789")); n != 10 || err != nil {
					t.Errorf("%d bytes were written, %v", n, err)
				}
				if got, want := socket.frames(t), []string{"pong", payload, "bytes", "0123456789"}; !slices.Equal(got, want) {
					t.Errorf("after %d bytes of the pong %q follows, want %q", taken, got, want)
				}
			}
		}
	}
}

// While the socket is full, further pings have no pong: what is kept does not grow. The goodbye is behind the one that began.
func TestPongsOfAFullSocketAreFew(t *testing.T) {
	t.Parallel()
	for _, side := range []ws.State{ws.StateClientSide, ws.StateServerSide} {
		c, socket := pinged(t, side, 1, slices.Repeat([]string{"abc"}, 100)...)
		if n := len(c.frame); n > ws.MaxHeaderSize {
			t.Errorf("%d bytes are kept", n)
		}
		socket.room = -1
		c.bye(ws.NewCloseFrameBody(ws.StatusNormalClosure, ""))
		if got, want := socket.frames(t), []string{"pong", "abc", "close", "\x03\xe8"}; !slices.Equal(got, want) {
			t.Errorf("%q was written, want %q", got, want)
		}
	}
}
