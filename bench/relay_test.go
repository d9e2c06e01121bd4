package main

import (
	"testing"
	"time"

	"rpcbench/internal/results/stat"
)

func TestARoundTripMayBeALittleLateAndNeverEarly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rtt  time.Duration
		ms   float64
		pass bool
	}{
		{2 * time.Millisecond, 1.999, false}, {2 * time.Millisecond, 2, true}, {2 * time.Millisecond, 2.3, true},
		{2 * time.Millisecond, 2.301, false}, {100 * time.Millisecond, 105, true}, {100 * time.Millisecond, 105.1, false},
	} {
		if got := relayTripLine(c.rtt, stat.Summary{Median: c.ms}).pass; got != c.pass {
			t.Errorf("%v ms for %v: pass is %t", c.ms, c.rtt, got)
		}
	}
}

func TestWhatARelayCarriesIsHeldToItsUnit(t *testing.T) {
	t.Parallel()
	lines := relayLines("bytes", "Mbit/s", 1000, 8/1e6, []relayLoad{{perSec: 124e6}, {perSec: 126e6}, {perSec: 125e6}})
	if !lines[0].pass || lines[1].limit != "" || lines[2].limit != "" {
		t.Errorf("lines %v", lines)
	}
	if lines = relayLines("bytes", "Mbit/s", 1000, 8/1e6, []relayLoad{{perSec: 124e6}}); lines[0].pass {
		t.Errorf("lines %v", lines)
	}
}
