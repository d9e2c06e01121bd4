package recipe

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"golang.org/x/net/http2"

	"rpcbench/internal/call/plain"
)

// firstBytesMax limits the frames that a server begins with. There are some ten settings, of 6 bytes each.
const firstBytesMax = 1 << 10

// A Peer is what a server says of itself before it is asked anything.
type Peer struct {
	Streams int // the maximum number of calls at once on a connection; 0 is any number, or unknown
	// NoWindow says that no byte of a request may be sent before the server has seen the header of the request, and has allowed
	// some.
	NoWindow bool
}

// A greeting is the frames that a server begins with, as far as they have been read.
type greeting struct {
	Peer
	noStreams bool  // the server accepts no call
	isWhole   bool  // it has answered our SETTINGS: what it had to say before has come
	leaves    error // it sent GOAWAY
}

// greet reads what a server says until it has answered our SETTINGS. header is of its first frame. What can't be read, or does
// not come soon, is unknown. A server that accepts no calls may do so for a short time only (RFC 9113, section 5.1.2): it is
// waited for until the socket is closed.
func greet(header string, conn net.Conn, server string) (Peer, error) {
	_ = conn.SetReadDeadline(time.Now().Add(answerPatience)) // on a socket that is broken reading fails too
	framer := http2.NewFramer(nil, io.MultiReader(strings.NewReader(header), conn))
	framer.SetMaxReadFrameSize(firstBytesMax)
	var g greeting
	var err error
	for waits := false; err == nil && g.leaves == nil && (!g.isWhole || g.noStreams); {
		if g.isWhole && !waits {
			waits = true
			_ = conn.SetReadDeadline(time.Time{}) // as above
		}
		var frame http2.Frame
		if frame, err = framer.ReadFrame(); err == nil {
			g.see(frame)
		}
	}
	switch {
	case g.leaves != nil:
		return Peer{}, fmt.Errorf("the server at %s ends connections at once: %w", server, g.leaves)
	case g.noStreams:
		return Peer{}, fmt.Errorf("the server at %s accepts no calls: it allows 0 at once on a connection "+
			"(SETTINGS_MAX_CONCURRENT_STREAMS)", server)
	default:
		return g.Peer, nil
	}
}

// see takes the next frame.
func (g *greeting) see(frame http2.Frame) {
	switch f := frame.(type) {
	case *http2.GoAwayFrame:
		why := "it sends GOAWAY " + f.ErrCode.String()
		if said := plain.Short(string(f.DebugData()), plain.Example); said != "" {
			why += fmt.Sprintf(" %q", said)
		}
		g.leaves = errors.New(why)
	case *http2.SettingsFrame:
		g.isWhole = g.isWhole || f.IsAck()
		if streams, said := f.Value(http2.SettingMaxConcurrentStreams); said {
			g.Streams, g.noStreams = int(min(streams, 1<<31-1)), streams == 0
		}
		if window, said := f.Value(http2.SettingInitialWindowSize); said {
			g.NoWindow = window == 0
		}
	}
}
