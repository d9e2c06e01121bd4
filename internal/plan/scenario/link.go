package scenario

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

// A Link is an emulated one between client and servers. The zero Link is none, and so is the preset loopback.
type Link struct {
	Name string // of a preset; empty is one of the user's own
	relay.Link
}

// Limits of links. The least bandwidth lets a message of a kilobyte through in a few seconds; above the greatest no relay
// would hold anything back.
const (
	RTTMax       = 10 * time.Second
	BandwidthMin = 1e3  // bit/s
	BandwidthMax = 1e11 // bit/s
)

var linkKeys = []string{"rtt", "jitter", "up", "down"}

// link accepts a preset's name, or a map such as {rtt: 10ms, jitter: 1ms, up: 20Mbit, down: 100Mbit}. What the map lacks is
// nothing of it: no delay, no jitter, no limit.
func link(n node) (Link, error) {
	switch n.form {
	case scalar:
		preset, known := relay.Preset(n.text)
		if !known {
			return Link{}, fmt.Errorf("%q is unknown%s", n.text, hint.Of(n.text, relay.Presets()))
		}
		if preset == (relay.Link{}) {
			return Link{}, nil
		}
		return Link{n.text, preset}, nil
	case mapping:
		return ownLink(n)
	default:
		return Link{}, fmt.Errorf("%s stands where a link's name or a map such as {rtt: 10ms, up: 20Mbit} is expected", n.form)
	}
}

func ownLink(n node) (l Link, err error) {
	texts, err := texts(n)
	if err != nil {
		return Link{}, err
	}
	for _, f := range n.fields {
		if !slices.Contains(linkKeys, f.name) {
			return Link{}, fmt.Errorf("%q is unknown%s", f.name, hint.Of(f.name, linkKeys))
		}
		text := texts[f.name]
		switch f.name {
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
			return Link{}, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	switch {
	case l.Jitter > l.RTT/2:
		return Link{}, fmt.Errorf("jitter: %s is over the limit of %s, half of rtt", l.Jitter, l.RTT/2)
	case l.Link == relay.Link{}:
		return Link{}, errors.New("the map has no delay and no bandwidth; for no link there is loopback")
	}
	return l, nil
}

func delay(text string) (time.Duration, error) {
	d, err := span(0)(text)
	if err == nil && d > RTTMax {
		return 0, fmt.Errorf("%s is over the limit of %s", text, RTTMax)
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
			return 0, fmt.Errorf("%s is under the limit of 1kbit/s", text)
		case bits > BandwidthMax:
			return 0, fmt.Errorf("%s is over the limit of 100Gbit/s", text)
		}
		return bits / 8, nil
	}
	return 0, notBandwidth(text)
}

func notBandwidth(text string) error {
	return fmt.Errorf("%q is not a bandwidth such as 100Mbit, 1Gbit or 768kbit (a second)", text)
}

// checkLinks refuses a link over which no call could be answered before its deadline.
func checkLinks(c Case) error {
	for i, l := range c.Links {
		for _, deadline := range c.Deadlines {
			if l.RTT >= deadline {
				return Errorf(c.Where("link", i), "link: no call over a round trip of %s ends before the deadline of %s", l.RTT, deadline)
			}
		}
	}
	return nil
}
