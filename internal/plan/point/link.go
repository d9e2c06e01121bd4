package point

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
			words = append(words, way.name, strconv.FormatFloat(way.perSec*8/1e6, 'f', -1, 64)+"Mbit")
		}
	}
	return strings.Join(words, " ")
}

// LinkText is the link as files have it: a preset's name, or "rtt_ns=20000000"; empty without one.
func (s Spec) LinkText() string {
	switch {
	case s.Link == nil:
		return ""
	case s.Link.Name != "":
		return s.Link.Name
	}
	rate := func(perSec float64) string { return strconv.FormatFloat(perSec, 'f', -1, 64) }
	set := map[string]string{"rtt_ns": strconv.FormatInt(s.Link.RTTNs, 10)}
	if s.Link.JitterNs > 0 {
		set["jitter_ns"] = strconv.FormatInt(s.Link.JitterNs, 10)
	}
	if s.Link.UpBytesPerSec > 0 {
		set["up_bytes_per_sec"] = rate(s.Link.UpBytesPerSec)
	}
	if s.Link.DownBytesPerSec > 0 {
		set["down_bytes_per_sec"] = rate(s.Link.DownBytesPerSec)
	}
	return pairs(set)
}
