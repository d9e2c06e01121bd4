package plan

import (
	"strconv"
	"strings"
	"time"
)

// A Link is an emulated one. It delays bytes, not packets.
type Link struct {
	Name            string  `json:"name,omitempty"`   // of a preset; empty is one of the user's own
	RTTNs           int64   `json:"rtt_ns"`           // half of it each way
	JitterNs        int64   `json:"jitter_ns"`        // the most by which the delay of one way varies, up or down
	UpBytesPerSec   float64 `json:"up_bytes_per_sec"` // to servers, for all connections together; 0 has no limit
	DownBytesPerSec float64 `json:"down_bytes_per_sec"`
}

// String is "wan", or "rtt 10ms jitter 1ms up 20Mbit".
func (l *Link) String() string {
	if l.Name != "" {
		return l.Name
	}
	words := []string{"rtt", time.Duration(l.RTTNs).String()}
	if l.JitterNs > 0 {
		words = append(words, "jitter", time.Duration(l.JitterNs).String())
	}
	for _, way := range []struct {
		name   string
		perSec float64
	}{{"up", l.UpBytesPerSec}, {"down", l.DownBytesPerSec}} {
		if way.perSec > 0 {
			words = append(words, way.name, strconv.FormatFloat(way.perSec*8/1e6, 'g', -1, 64)+"Mbit")
		}
	}
	return strings.Join(words, " ")
}
