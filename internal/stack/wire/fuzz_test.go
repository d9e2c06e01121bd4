package wire_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"rpcbench/internal/stack/wire"
	"rpcbench/internal/test/allocated"
)

// A tape is a socket that says what it was given, a piece a read, whatever it is told.
type tape struct {
	net.Conn
	says [][]byte
	told bytes.Buffer
}

func (s *tape) Read(b []byte) (int, error) {
	if len(s.says) == 0 {
		return 0, io.EOF
	}
	n := copy(b, s.says[0])
	if s.says[0] = s.says[0][n:]; len(s.says[0]) == 0 {
		s.says = s.says[1:]
	}
	return n, nil
}

func (s *tape) Write(b []byte) (int, error)      { return s.told.Write(b) }
func (s *tape) Close() error                     { return nil }
func (s *tape) SetDeadline(time.Time) error      { return nil }
func (s *tape) SetReadDeadline(time.Time) error  { return nil }
func (s *tape) SetWriteDeadline(time.Time) error { return nil }

// FuzzServer has a server say anything after its settings. Every call ends, once, and nothing else happens.
func FuzzServer(f *testing.F) {
	const maxSeed = 1 << 20 // floods are tried as they are, and would take minutes in small pieces
	for _, c := range crimes {
		if says := c.frames(); len(says) <= maxSeed {
			f.Add(says, uint8(255), uint8(1))
			f.Add(says, uint8(7), uint8(3))
		}
	}
	f.Fuzz(func(t *testing.T, says []byte, piece, slots uint8) {
		pieces := slices.Collect(slices.Chunk(append(greeting(), says...), 1+int(piece)))
		client := listen(t, &tape{says: pieces})
		defer time.AfterFunc(limit, func() { panic("the calls hang") }).Stop()
		ends := map[int]int{}
		all := 0
		for base, call := range []wire.Call{unary(), window(1), {Path: "/", Replies: 2, Endless: true}} {
			lane := client.Lane(call, func(slot int, _ error) { ends[100*base+slot]++ })
			for slot := range 1 + int(slots%4) {
				lane.Add(&exchange{message: framed("ping")})
				lane.Send([]int{slot})
				all++
			}
		}
		allocated.AtMost(t, 8<<20+100*uint64(len(says)), func() {
			for rounds := 0; len(ends) < all; rounds++ {
				if rounds > len(says)+100 {
					t.Fatalf("%d of %d calls ended in %d rounds", len(ends), all, rounds)
				}
				client.Wait()
			}
		})
		for slot, n := range ends {
			if n != 1 {
				t.Errorf("slot %d was told %d times that it ended", slot, n)
			}
		}
	})
}

// greeting is a server's settings, with nothing in them.
func greeting() []byte { return []byte{0, 0, 0, byte(http2.FrameSettings), 0, 0, 0, 0, 0} }

// listen makes a client with the least windows, whose only connection is the tape.
func listen(t *testing.T, to *tape) *wire.Client {
	t.Helper()
	dialled := false
	client, err := wire.Dial(t.Context(), wire.Config{
		Dial: func(context.Context) (net.Conn, error) {
			if dialled {
				return nil, errors.New("the tape is at its end")
			}
			dialled = true
			return to, nil
		},
		Authority: "test", MessageBytesMax: 1 << 20, WindowBytes: wire.WindowMin,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// frames are what the server says when it commits the crime on the first call.
func (c *crime) frames() []byte {
	var said bytes.Buffer
	s := newServer(nil, recorder{&said})
	c.commit(s, 1)
	return said.Bytes()
}

// A recorder is a socket that keeps what is written.
type recorder struct{ to *bytes.Buffer }

func (r recorder) Read([]byte) (int, error)         { return 0, io.EOF }
func (r recorder) Write(b []byte) (int, error)      { return r.to.Write(b) }
func (r recorder) Close() error                     { return nil }
func (r recorder) LocalAddr() net.Addr              { return nil }
func (r recorder) RemoteAddr() net.Addr             { return nil }
func (r recorder) SetDeadline(time.Time) error      { return nil }
func (r recorder) SetReadDeadline(time.Time) error  { return nil }
func (r recorder) SetWriteDeadline(time.Time) error { return nil }
