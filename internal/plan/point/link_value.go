package point

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/worker/relay"
)

// Limits of links. The least bandwidth lets a message of a kilobyte through in a few seconds; above the greatest no relay
// would hold anything back.
const (
	RTTMax       = 10 * time.Second
	BandwidthMin = 1e3  // bit/s
	BandwidthMax = 1e11 // bit/s
)

var linkKeys = []string{"rtt", "jitter", "up", "down"}

// link accepts a preset's name, or a map such as {rtt: 10ms, jitter: 1ms, up: 20Mbit, down: 100Mbit}. Absent keys mean no delay,
// no jitter and no limit.
func link(n Node) (*Link, error) {
	switch n.Form {
	case Scalar:
		preset, known := relay.Preset(n.Text)
		if !known {
			return nil, fmt.Errorf("%q is unknown%s", n.Text, hint.Of(n.Text, relay.Presets()))
		}
		return newLink(n.Text, preset), nil
	case Map:
		l, err := ownLink(n)
		return newLink("", l), err
	default:
		return nil, fmt.Errorf("%s is given; expected a link's name or a map such as {rtt: 10ms, up: 20Mbit}", n.Form)
	}
}

// newLink is nil for no distance at all.
func newLink(name string, l relay.Link) *Link {
	if l == (relay.Link{}) {
		return nil
	}
	return &Link{name, l.RTT.Nanoseconds(), l.Jitter.Nanoseconds(), l.UpPerSec, l.DownPerSec}
}

func ownLink(n Node) (l relay.Link, err error) {
	texts, err := texts(n)
	if err != nil {
		return l, err
	}
	for _, f := range n.Fields {
		if !slices.Contains(linkKeys, f.Name) {
			return l, fmt.Errorf("%q is unknown%s", f.Name, hint.Of(f.Name, linkKeys))
		}
		text := texts[f.Name]
		switch f.Name {
		case "rtt":
			l.RTT, err = delay(text)
		case "jitter":
			l.Jitter, err = delay(text)
		case "up":
			l.UpPerSec, err = bandwidth(text)
		case "down":
			l.DownPerSec, err = bandwidth(text)
		}
		if err != nil {
			return l, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	switch {
	case l.Jitter > l.RTT/2:
		return l, fmt.Errorf("jitter: %s is above the limit of %s, half of rtt", l.Jitter, l.RTT/2)
	case l == relay.Link{}:
		return l, errors.New("the map has neither delay nor bandwidth; for no link use loopback")
	}
	return l, nil
}

func delay(text string) (time.Duration, error) {
	d, err := span(0)(text)
	if err == nil && d > RTTMax {
		return 0, fmt.Errorf("%s is above the limit of %s", text, RTTMax)
	}
	return d, err
}

var bandwidthUnits = []struct {
	name string
	bits float64
}{{"kbit", 1e3}, {"Mbit", 1e6}, {"Gbit", 1e9}}

// bandwidth accepts bits a second, 20Mbit or 20Mbit/s, and returns bytes a second.
func bandwidth(text string) (bytesPerSec float64, err error) {
	for _, unit := range bandwidthUnits {
		number, found := strings.CutSuffix(strings.TrimSuffix(text, "/s"), unit.name)
		if !found {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		bits := n * unit.bits
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange), math.IsNaN(n):
			return 0, notBandwidth(text)
		case bits < BandwidthMin:
			return 0, fmt.Errorf("%s is below the minimum of 1kbit/s", text)
		case bits > BandwidthMax:
			return 0, fmt.Errorf("%s is above the limit of 100Gbit/s", text)
		}
		return bits / 8, nil
	}
	return 0, notBandwidth(text)
}

func notBandwidth(text string) error {
	return fmt.Errorf("%q is not a bandwidth per second, such as 100Mbit, 1Gbit or 768kbit", text)
}

// write returns a link as a case writes it, without its name.
func (l *Link) write() Node {
	if l == nil {
		return absent()
	}
	texts := map[string]string{"rtt": time.Duration(l.RTTNs).String(), "jitter": time.Duration(l.JitterNs).String()}
	for way, perSec := range map[string]float64{"up": l.UpBytesPerSec, "down": l.DownBytesPerSec} {
		if perSec != 0 {
			texts[way] = strconv.FormatFloat(perSec*8/1e3, 'f', -1, 64) + "kbit"
		}
	}
	return mapNode(texts)
}
