package websocket

import (
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/gobwas/ws"
)

// A hurried socket is first written to when deadlines are over.
type hurried struct {
	script
	over    int // writes
	written bytes.Buffer
}

func (h *hurried) Write(b []byte) (int, error) {
	if h.over--; h.over >= 0 {
		return 0, os.ErrDeadlineExceeded
	}
	return h.written.Write(b)
}

// On a busy machine a deadline may be over before anything was tried. Another is enough: a peer that doesn't read is not waited
// for.
func TestGoodbyeIsSaidByWhoIsLate(t *testing.T) {
	t.Parallel()
	for side, frame := range map[ws.State]ws.Frame{
		ws.StateServerSide: ws.MaskFrame(ws.NewTextFrame([]byte("hello"))), ws.StateClientSide: ws.NewTextFrame([]byte("hello")),
	} {
		for late, want := range map[int]bool{0: true, 1: true, 5: false} {
			socket := &hurried{script: script{Reader: bytes.NewReader(ws.MustCompileFrame(frame))}, over: late}
			if _, err := newConn(socket, side).Read(make([]byte, 1)); err == nil {
				t.Error("text was taken for bytes")
			}
			got, err := ws.ReadFrame(&socket.written) //nolint:staticcheck // it is our own
			if said := err == nil; said != want {
				t.Errorf("after %d late writes: %v", late, err)
				continue
			} else if !said {
				continue
			}
			if code, _ := ws.ParseCloseFrameData(ws.UnmaskFrame(got).Payload); code != ws.StatusUnsupportedData {
				t.Errorf("after %d late writes the peer is told %v", late, code)
			}
			if rest, _ := io.ReadAll(&socket.written); len(rest) > 0 {
				t.Errorf("%d bytes follow a goodbye", len(rest))
			}
		}
	}
}
