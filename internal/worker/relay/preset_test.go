package relay_test

import (
	"slices"
	"testing"
	"time"

	"rpcbench/internal/worker/relay"
)

func TestPresetsAreWhatTheirSourcesSay(t *testing.T) {
	t.Parallel()
	want := []string{"loopback", "lan", "metro", "wan", "intercontinental", "wifi", "4g", "3g"}
	if got := relay.Presets(); !slices.Equal(got, want) {
		t.Fatalf("presets are %v, want %v", got, want)
	}
	for name, want := range map[string]relay.Link{
		"loopback": {},
		"3g":       {RTT: 300 * time.Millisecond, Jitter: 50 * time.Millisecond, UpPerSec: 96_000, DownPerSec: 200_000},
		"wifi":     {RTT: 2 * time.Millisecond, Jitter: time.Millisecond, UpPerSec: 1_875_000, DownPerSec: 3_750_000},
		"lan":      {RTT: 500 * time.Microsecond, Jitter: 50 * time.Microsecond, UpPerSec: 125e6, DownPerSec: 125e6},
	} {
		if got, ok := relay.Preset(name); !ok || got != want {
			t.Errorf("%s is %+v, want %+v", name, got, want)
		}
	}
	if _, ok := relay.Preset("5g"); ok {
		t.Error("5g is a preset")
	}
}

func TestNoPresetLetsBytesArriveBeforeTheyAreSent(t *testing.T) {
	t.Parallel()
	for _, name := range relay.Presets() {
		if link, _ := relay.Preset(name); link.Jitter > link.RTT/2 {
			t.Errorf("%s: jitter %v is more than half of RTT %v", name, link.Jitter, link.RTT)
		}
	}
}
