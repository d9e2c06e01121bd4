package wire_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/http2"

	"rpcbench/internal/stack"
)

const fullFrame = 16384

// endless begins a message that is longer than what follows, as long as it may be.
func endless(bytes int) []byte { return append([]byte{0, 0, 0x10, 0, 0}, make([]byte, bytes-5)...) }

// Of a window of 65,535 bytes a client grants more when less than half is left. A server can know of that after the next
// write, which is before the next read: what comes within one read is held against what was left before it.
func TestAServerThatOverrunsAWindowIsToldSo(t *testing.T) {
	t.Parallel()
	more := func(s *server, id uint32, frames int) {
		for range frames {
			s.WriteData(id, false, make([]byte, fullFrame))
		}
	}
	first := func(s *server) { s.head(1); s.WriteData(1, false, endless(fullFrame)); more(s, 1, 1) }
	for what, c := range map[string]struct {
		reads []func(s *server)
		codes []stack.Code // of two calls, on the streams 1 and 3
		says  []string
		told  []string // to the server
	}{
		"the connection's": {
			reads: []func(s *server){first, func(s *server) { more(s, 1, 2) }},
			codes: []stack.Code{stack.Internal, stack.Internal},
			says:  slices.Repeat([]string{"broke HTTP/2 with 1 bytes of DATA beyond the connection's window"}, 2),
			told:  []string{"GOAWAY FLOW_CONTROL_ERROR"},
		},
		"a stream's, on a connection that was granted more": {
			reads: []func(s *server){
				func(s *server) { s.head(1); s.WriteData(1, false, endless(fullFrame)) },
				func(s *server) {
					s.head(3)
					s.WriteData(3, false, endless(fullFrame))
					s.WriteData(1, false, make([]byte, 5000))
				},
				func(s *server) { more(s, 3, 3) },
			},
			codes: []stack.Code{stack.Unavailable, stack.Internal},
			says:  []string{"the server closed the connection", "broke HTTP/2 on stream 3 with more DATA than its window allows"},
			told:  []string{"RST_STREAM 3 FLOW_CONTROL_ERROR"},
		},
		"none, as more was granted between reads": {
			reads: []func(s *server){first, func(s *server) { more(s, 1, 1) }, func(s *server) { more(s, 1, 1) }},
			codes: []stack.Code{stack.Unavailable, stack.Unavailable},
			says:  slices.Repeat([]string{"the server closed the connection"}, 2),
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			var said bytes.Buffer
			s := newServer(t, recorder{&said})
			to := &tape{says: [][]byte{greeting()}}
			for _, write := range c.reads {
				write(s)
				to.says = append(to.says, bytes.Clone(said.Bytes()))
				said.Reset()
			}
			for slot, err := range callerOn(t, listen(t, to), unary(), 2).call() {
				if stack.CodeOf(err) != c.codes[slot] || !strings.Contains(err.Error(), c.says[slot]) {
					t.Errorf("slot %d: %v, want %v with %q", slot, err, c.codes[slot], c.says[slot])
				}
			}
			if got := to.complaints(t); !slices.Equal(got, c.told) {
				t.Errorf("the server was told %q, want %q", got, c.told)
			}
		})
	}
}

// complaints are the errors that the server was told of.
func (s *tape) complaints(t *testing.T) (all []string) {
	t.Helper()
	framer := http2.NewFramer(nil, bytes.NewReader(bytes.TrimPrefix(s.told.Bytes(), []byte(http2.ClientPreface))))
	for {
		f, err := framer.ReadFrame()
		if err != nil {
			return all
		}
		switch f := f.(type) {
		case *http2.RSTStreamFrame:
			all = append(all, fmt.Sprintf("RST_STREAM %d %v", f.StreamID, f.ErrCode))
		case *http2.GoAwayFrame:
			all = append(all, fmt.Sprintf("GOAWAY %v", f.ErrCode))
		}
	}
}
