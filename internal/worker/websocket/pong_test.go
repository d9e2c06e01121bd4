package websocket

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

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
	<-c.ponged
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

// A stuck socket takes nothing until it is free.
type stuck struct {
	filling
	begun, free chan struct{}
}

func (s *stuck) Write(b []byte) (int, error) {
	select {
	case s.begun <- struct{}{}:
	default:
	}
	<-s.free
	return s.filling.Write(b)
}

// pingsThen are three pings, and what follows them.
func pingsThen(side ws.State, last ws.Frame) (came []byte) {
	for _, frame := range []ws.Frame{
		ws.NewPingFrame([]byte("1")), ws.NewPingFrame([]byte("2")), ws.NewPingFrame([]byte("3")), last,
	} {
		if side == ws.StateServerSide {
			frame = ws.MaskFrame(frame)
		}
		came = append(came, ws.MustCompileFrame(frame)...)
	}
	return came
}

// A peer that reads nothing is read on: neither a write that waits for it nor the pongs that it is owed hold the reader up. There
// are at most two: the one that waits for the socket, and that of the last ping.
func TestAReaderDoesNotWaitForAWrite(t *testing.T) {
	t.Parallel()
	for _, side := range []ws.State{ws.StateClientSide, ws.StateServerSide} {
		for _, writing := range []bool{false, true} {
			came := pingsThen(side, ws.NewBinaryFrame([]byte("ab")))
			socket := &stuck{
				filling: filling{script: script{Reader: bytes.NewReader(came)}, room: -1},
				begun:   make(chan struct{}, 1), free: make(chan struct{}),
			}
			c := newConn(socket, side)
			written := make(chan error, 1)
			if writing {
				go func() {
					_, err := c.Write([]byte("late"))
					written <- err
				}()
				<-socket.begun
			}
			got := make([]byte, 2)
			if _, err := io.ReadFull(c, got); string(got) != "ab" || err != nil {
				t.Errorf("%q was read, %v", got, err)
			}
			close(socket.free)
			<-c.ponged
			if writing {
				if err := <-written; err != nil {
					t.Error(err)
				}
			}
			frames := socket.frames(t)
			if want := []string{"bytes", "late", "pong", "3"}; writing && !slices.Equal(frames, want) {
				t.Errorf("%q was written, want %q", frames, want)
			}
			if !writing && (len(frames) > 4 || !slices.Equal(frames[len(frames)-2:], []string{"pong", "3"})) {
				t.Errorf("%q was written, want at most two pongs, the last of 3", frames)
			}
		}
	}
}

// A close that comes behind a ping is answered behind its pong.
func TestAGoodbyeFollowsThePong(t *testing.T) {
	t.Parallel()
	for _, side := range []ws.State{ws.StateClientSide, ws.StateServerSide} {
		socket := &filling{script: script{Reader: bytes.NewReader(pingsThen(side, ws.NewCloseFrame([]byte("\x03\xe8"))))}, room: -1}
		if rest, err := io.ReadAll(newConn(socket, side)); len(rest) > 0 || err != nil {
			t.Errorf("%q was read, %v", rest, err)
		}
		frames := socket.frames(t)
		if want := []string{"pong", "3", "close", "\x03\xe8"}; len(frames) < 4 || !slices.Equal(frames[len(frames)-4:], want) {
			t.Errorf("%q was written, want %q at its end", frames, want)
		}
	}
}

// The end of a peer that does not take its pong is read after as long as a goodbye may take.
func TestAnEndIsReadBehindAPongThatIsNotTaken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ours, bare := net.Pipe()
		defer ours.Close()
		go func() { _, _ = bare.Write(pingsThen(ws.StateClientSide, ws.NewCloseFrame(nil))) }()
		began := time.Now()
		if rest, err := io.ReadAll(newConn(ours, ws.StateClientSide)); len(rest) > 0 || err != nil {
			t.Errorf("%q was read, %v", rest, err)
		}
		if took := time.Since(began); took != farewell {
			t.Errorf("the end was read after %v, want %v", took, farewell)
		}
	})
}
