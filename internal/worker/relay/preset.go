package relay

import "time"

// A Link is the distance between clients and servers. Its zero value is no distance at all.
type Link struct {
	RTT        time.Duration // half of it each way
	Jitter     time.Duration // the most by which the delay of one way varies, up or down; at most half of RTT
	UpPerSec   float64       // bytes from clients to servers, for all connections together; 0 has no limit
	DownPerSec float64       // bytes from servers to clients
}

// mbit is 1 Mbit/s in bytes a second.
const mbit = 1e6 / 8

// Names of the presets.
const (
	Loopback         = "loopback"
	LAN              = "lan"
	Metro            = "metro"
	WAN              = "wan"
	Intercontinental = "intercontinental"
	WiFi             = "wifi"
	FourG            = "4g"
	ThreeG           = "3g"
)

// presets go from near to far, first the wired ones. Where a source has no jitter, and for the bandwidth of wan and
// intercontinental, the figure is our choice: what a good line has.
//
//   - lan: a round trip within a data center is 0.5 ms (J. Dean, "Numbers everyone should know", 2009); 1000BASE-T.
//   - metro: light needs 1 ms there and back over 100 km of fibre (4.9 µs/km), which is as far apart as a cloud's zones of
//     one region are said to be; as much again for the detours of cables and for switches.
//   - wan: 45 ms is what Verizon guarantees between hubs of the contiguous United States, with a jitter of 1 ms.
//   - intercontinental: California to the Netherlands and back is 150 ms (Dean).
//   - wifi: Firefox's throttling profile "Wi-Fi", 30/15 Mbit/s at 2 ms.
//   - 4g, 3g: WebPageTest's profiles "LTE", 12 Mbit/s at 70 ms, and "3G", 1.6/0.768 Mbit/s at 300 ms
//     (connectivity.ini.sample); the jitter of 3g is Loadero's.
var presets = []struct {
	name string
	link Link
}{
	{Loopback, Link{}},
	{LAN, Link{500 * time.Microsecond, 50 * time.Microsecond, 1000 * mbit, 1000 * mbit}},
	{Metro, Link{2 * time.Millisecond, 100 * time.Microsecond, 1000 * mbit, 1000 * mbit}},
	{WAN, Link{45 * time.Millisecond, time.Millisecond, 100 * mbit, 100 * mbit}},
	{Intercontinental, Link{150 * time.Millisecond, 2 * time.Millisecond, 100 * mbit, 100 * mbit}},
	{WiFi, Link{2 * time.Millisecond, time.Millisecond, 15 * mbit, 30 * mbit}},
	{FourG, Link{70 * time.Millisecond, 10 * time.Millisecond, 12 * mbit, 12 * mbit}},
	{ThreeG, Link{300 * time.Millisecond, 50 * time.Millisecond, 0.768 * mbit, 1.6 * mbit}},
}

// Preset returns the link of a name. Loopback is the zero Link: no relay is needed for it.
func Preset(name string) (link Link, ok bool) {
	for _, p := range presets {
		if p.name == name {
			return p.link, true
		}
	}
	return Link{}, false
}

// Presets returns the names in the order in which people read them: wired ones from near to far, then radio.
func Presets() []string {
	names := make([]string, len(presets))
	for i, p := range presets {
		names[i] = p.name
	}
	return names
}
