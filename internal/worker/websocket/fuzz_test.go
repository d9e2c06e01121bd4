package websocket

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"

	"github.com/gobwas/ws"

	"rpcbench/internal/test/allocated"
)

// A script is a socket that has been sent some bytes.
type script struct {
	net.Conn
	io.Reader
}

func (s script) Read(b []byte) (int, error)       { return s.Reader.Read(b) }
func (s script) Write(b []byte) (int, error)      { return len(b), nil }
func (s script) SetWriteDeadline(time.Time) error { return nil }

// FuzzRead holds what is taken from frames to their length, whatever they say.
func FuzzRead(f *testing.F) {
	for _, frame := range []ws.Frame{
		ws.NewBinaryFrame([]byte("abc")), ws.NewPingFrame([]byte("x")), ws.NewCloseFrame(nil), ws.NewTextFrame([]byte("t")),
	} {
		f.Add(ws.MustCompileFrame(frame), false)
		f.Add(ws.MustCompileFrame(ws.MaskFrame(frame)), true)
	}
	f.Add([]byte{0x82, 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, false)
	f.Fuzz(func(t *testing.T, sent []byte, server bool) {
		side := ws.StateClientSide
		if server {
			side = ws.StateServerSide
		}
		var got []byte
		allocated.AtMost(t, uint64(64<<10+16*len(sent)), func() {
			got, _ = io.ReadAll(newConn(script{Reader: bytes.NewReader(sent)}, side))
		})
		if len(got) > len(sent) {
			t.Errorf("%d bytes from %d", len(got), len(sent))
		}
	})
}
