package recipe

import (
	"io"
	"net"
	"strings"
	"time"

	"golang.org/x/net/http2"
)

// settingsBytesMax limits a server's first SETTINGS; there are some ten settings, of 6 bytes each.
const settingsBytesMax = 1 << 10

// A Peer is what a server says of itself before it is asked anything.
type Peer struct {
	Streams int // the maximum number of calls at once on a connection; 0 is any number, or unknown
}

// peerOf reads a server's first SETTINGS, of which the header has been read. What can't be read is unknown.
func peerOf(header string, conn net.Conn) Peer {
	_ = conn.SetReadDeadline(time.Now().Add(answerPatience)) // on a socket that is broken reading fails too
	framer := http2.NewFramer(nil, io.MultiReader(strings.NewReader(header), conn))
	framer.SetMaxReadFrameSize(settingsBytesMax)
	frame, err := framer.ReadFrame()
	if err != nil {
		return Peer{}
	}
	settings, _ := frame.(*http2.SettingsFrame)
	if settings == nil {
		return Peer{}
	}
	streams, _ := settings.Value(http2.SettingMaxConcurrentStreams)
	return Peer{Streams: int(min(streams, 1<<31-1))}
}
